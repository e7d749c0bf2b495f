import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/platform/package-root.ts'
import { round } from './spread.ts'

/** Writes bench/results/NAME.json in place of the result before it, with the commit, the date and the load. */
export function writeResult(name: string, result: object): string {
  const root = packageRoot()
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', 'src', 'migrations') !== ''
  const commit = git('rev-parse', '--short', 'HEAD') + (isChanged ? '-changed' : '')
  const folder = join(root, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.json`)
  const machine = { node: process.version, cores: cpus().length, load: loadavg().map(round) }
  writeFileSync(
    path,
    `${JSON.stringify({ name, date: new Date().toISOString(), commit, machine, ...result }, null, 2)}\n`,
  )
  return path
}

/** The load averages before a run: a result from a busy machine proves nothing. */
export function loadBefore(): readonly number[] {
  return readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).map(Number)
}
