/** One process of Vitest that runs a plan: `MUSTER_MUTATION_PLAN=<file> node --import ./test/support/typescript.mjs scripts/mutation/process.ts`. */
import { startVitest } from 'vitest/node'

// What it started ends with it: see test/support/run.ts.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const vitest = await startVitest('test', [], {
  watch: false,
  include: ['scripts/mutation/start.ts'],
  runner: 'scripts/mutation/runner.ts',
  maxWorkers: 1,
  reporters: [],
  onConsoleLog: () => false,
})
await vitest.close()
process.exit()
