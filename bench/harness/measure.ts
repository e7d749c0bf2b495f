import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { packageRoot } from '../../src/platform/package-root.ts'
import type { BenchService } from './service.ts'

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly count: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  return {
    median: round(middle),
    min: round(sorted[0] ?? middle),
    max: round(sorted.at(-1) ?? middle),
    count: sorted.length,
  }
}

/** One question, by name; a new path each time where `path` depends on the round. */
export interface Question {
  readonly name: string
  readonly service: BenchService
  readonly path: (round: number) => string
}

/**
 * Latency over HTTP in milliseconds, one request at a time on one kept connection for each service. The questions take turns,
 * A B A B, so that what the machine does meanwhile falls on all of them. An answer outside 2xx voids the run.
 */
export async function takeTurns(
  questions: readonly Question[],
  rounds: number,
): Promise<ReadonlyMap<string, Spread & { cpuMs: number }>> {
  const agent = new Agent({ connections: 1 })
  const times = new Map(questions.map(({ name }) => [name, [] as number[]]))
  const cpu = new Map(questions.map(({ name }) => [name, 0]))
  const warmUp = Math.ceil(rounds / 5)
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, service, path } of questions) {
      const cpuBefore = service.cpuMs()
      const begunAt = performance.now()
      const headers = { authorization: `Bearer ${service.token}` }
      const answer = await request(`${service.url}${path(round)}`, { dispatcher: agent, headers })
      await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`${name} answered ${answer.statusCode}`)
      if (round < 0) continue
      times.get(name)?.push(performance.now() - begunAt)
      cpu.set(name, (cpu.get(name) ?? 0) + service.cpuMs() - cpuBefore)
    }
  }
  await agent.close()
  return new Map(
    [...times].map(([name, list]) => [name, { ...spreadOf(list), cpuMs: round((cpu.get(name) ?? 0) / rounds) }]),
  )
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Writes a result beside the earlier ones. A result without commit and load is not a result (facts on measuring, 9). */
export function writeResult(name: string, result: object): string {
  const root = packageRoot()
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()
  const date = new Date().toISOString()
  const commit =
    git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', 'src', 'migrations') ? '-changed' : '')
  const folder = join(root, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${date.slice(0, 10)}-${commit}-${name}.json`)
  const machine = { node: process.version, cores: cpus().length, load: loadavg().map(round) }
  writeFileSync(path, `${JSON.stringify({ name, date, commit, machine, ...result }, null, 2)}\n`)
  return path
}

/** Load before a run: on a busy machine it is thrown away. */
export function loadBefore(): readonly number[] {
  return readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).map(Number)
}
