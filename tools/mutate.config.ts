import { defineConfig } from 'vitest/config'
import config from '../vitest.config.ts'

const folders = process.env.MUSTER_TEST_FOLDERS?.split(',') ?? []

/** Runs only the tests of these folders. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: folders.map((path) => `${path}/**/*.test.ts`) },
})
