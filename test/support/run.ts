import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { build } from '../../scripts/build.ts'
import { installTools } from '../../tools/run.ts'
import { isWithoutBrowser } from './chromium-path.ts'
import { startTable } from './guarantees.ts'

declare module 'vitest' {
  interface ProvidedContext {
    propertySeed: number
  }
}

/** Once for the whole run, before the first test. Returns what follows the last one. */
export function setup(project: TestProject): () => void {
  build()
  if (process.env.MUSTER_TESTS === 'long') installTools()
  const seed = Number(process.env.FAST_CHECK_SEED ?? randomInt(2 ** 31))
  project.vitest.logger.log(`Property tests: FAST_CHECK_SEED=${seed} repeats this run.`)
  project.provide('propertySeed', seed)
  if (process.env.MUSTER_TESTS === 'long' && isWithoutBrowser)
    project.vitest.logger.log(
      'Skipped: test/browser, because Chromium is not installed (Debian: apt-get install chromium).',
    )
  // Found missing now, and not when the run is interrupted.
  listProcesses()
  process.once('exit', killDescendants)
  if (process.env.npm_lifecycle_event) endWithParent()
  const endTable = startTable()
  return () => {
    const sentence = endTable()
    if (sentence !== undefined) project.vitest.logger.log(sentence)
  }
}

/** npm passes a SIGTERM on to its shell alone, which dies of it and leaves this process behind. */
function endWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1)
  }, 500).unref()
}

/** A run that is interrupted (Ctrl-C, SIGTERM) leaves no service and no database server behind. */
function killDescendants(): void {
  const processes = listProcesses()
  const found = [process.pid]
  for (const parent of found) for (const [pid = 0, ppid] of processes) if (ppid === parent) found.push(pid)
  for (const pid of found.slice(1)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself; `ps` is in the list as well.
    }
  }
}

/** Each with its number and that of its parent. */
function listProcesses(): readonly (readonly number[])[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return rows.map((row) => row.trim().split(/\s+/).map(Number))
}
