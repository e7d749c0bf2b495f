import { defineConfig } from 'vitest/config'
import config from '../vitest.config.ts'

/** Runs only the tests of the mutated folder. */
export default defineConfig({ ...config, test: { ...config.test, include: [process.env.MUSTER_TEST_FILES ?? ''] } })
