import { defineConfig } from 'vitest/config'
import config from '../vitest.config.ts'

/** Only the tests of the folder whose sources have faults. */
export default defineConfig({ ...config, test: { ...config.test, include: [process.env.MUSTER_TEST_FILES ?? ''] } })
