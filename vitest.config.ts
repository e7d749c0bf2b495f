import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { filesForBundle } from './test/support/in-process-only.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { isReduced, reducedInProcess } from './test/support/reduced-profile.ts'

/** What kills servers again and again, or tries every order of things: `MUSTER_TESTS=long npm test`. */
const long = '{test,embedded,key-check}/**/*.long.test.ts'
const isLong = process.env.MUSTER_TESTS === 'long'
/** The tests over HTTP against the built bundle instead of the sources: `MUSTER_TEST_PROGRAM=bundle npm test`. */
const program = process.env.MUSTER_TEST_PROGRAM ?? 'sources'
if (program !== 'sources' && program !== 'bundle') throw new Error('MUSTER_TEST_PROGRAM may be: sources, bundle')
const bundled = [...filesForBundle(), ...(isReduced ? reducedInProcess : [])]
const short = program === 'bundle' ? bundled : ['{test,embedded,key-check}/**/*.test.ts']

export default defineConfig({
  cacheDir: 'node_modules/.cache/vitest',
  // For tests in a browser.
  resolve: {
    alias: {
      'playwright-core': fileURLToPath(new URL('tools/node_modules/playwright-core/index.mjs', import.meta.url)),
    },
  },
  test: {
    include: isLong ? [long] : short,
    exclude: isLong ? configDefaults.exclude : [...configDefaults.exclude, long],
    globalSetup: ['test/support/run.ts', 'test/support/database-server.ts'],
    setupFiles: ['test/support/setup-file.ts'],
    // An end for what hangs. No test is about its own duration.
    testTimeout: isLong ? 300_000 : 120_000,
    hookTimeout: isLong ? 300_000 : 120_000,
    // Conditions are waited for; on a busy machine they take their time, which is not what a test is about.
    expect: { poll: { timeout: isLong ? 60_000 : 20_000 } },
    // A generated file that is not where its test looks for it is a failure, and is not written there.
    update: 'none',
    pool: 'threads',
    // Node loads the files itself, as it loads the service, which saves a tenth of the CPU. `vi.mock` is not available. The long tests need
    // the alias above.
    experimental: { viteModuleRunner: isLong, nodeLoader: false },
    // Tests share no state but the database server; loading everything anew for each file would take half of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Tests wait for databases and child processes more than they compute.
    maxWorkers: 6,
  },
})
