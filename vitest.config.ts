import { defineConfig } from 'vitest/config'

export default defineConfig({
  cacheDir: 'node_modules/.cache/vitest',
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database-server.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Conditions are waited for; on a busy machine they take their time, which is not what a test is about.
    expect: { poll: { timeout: 20_000 } },
    pool: 'threads',
  },
})
