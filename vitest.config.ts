import { configDefaults, defineConfig } from 'vitest/config'

/** What kills servers again and again, or tries every order of things: `MUSTER_TESTS=long npm test`. */
const long = 'test/**/*.long.test.ts'
const isLong = process.env.MUSTER_TESTS === 'long'

export default defineConfig({
  cacheDir: 'node_modules/.cache/vitest',
  test: {
    include: isLong ? [long] : ['test/**/*.test.ts'],
    exclude: isLong ? configDefaults.exclude : [...configDefaults.exclude, long],
    globalSetup: ['test/support/database-server.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Conditions are waited for; on a busy machine they take their time, which is not what a test is about.
    expect: { poll: { timeout: 20_000 } },
    // Where a change is decided upon, a busy machine must not decide it: a test that waits for a window of time gets a second try.
    retry: process.env.CI ? 2 : 0,
    pool: 'threads',
    // Tests share no state but the database server; loading everything anew for each file would take half of the time.
    isolate: false,
    // Tests wait for databases and child processes more than they compute.
    maxWorkers: 3,
  },
})
