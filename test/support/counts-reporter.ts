import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** What `.ci/run` adds up. */
interface Counts {
  passed: number
  failed: number
  skipped: number
}

/**
 * Writes the counts of a run to the file that MUSTER_TEST_COUNTS names: after each file, so that those of a run that is cut off are not lost, and
 * at the end.
 */
// biome-ignore lint/style/noDefaultExport: that is how Vitest finds a reporter
export default class CountsReporter implements Reporter {
  readonly #ended: TestModule[] = []

  onTestModuleEnd(module: TestModule): void {
    this.#ended.push(module)
    write(this.#ended, 0)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    write(modules, errors.length)
  }
}

/** An error outside of every test, and a file that did not load, count as one test that failed. */
function write(modules: readonly TestModule[], errors: number): void {
  const counts: Counts = { passed: 0, failed: errors, skipped: 0 }
  for (const module of modules) {
    counts.failed += module.errors().length
    for (const test of module.children.allTests()) count(test, counts)
  }
  const path = process.env.MUSTER_TEST_COUNTS
  if (path) writeFileSync(path, JSON.stringify(counts))
}

function count(test: TestCase, counts: Counts): void {
  const { state } = test.result()
  // One that is still pending when the run ends was cut off.
  counts[state === 'pending' ? 'failed' : state] += 1
}
