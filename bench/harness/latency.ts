import { Agent, request } from 'undici'
import type { BenchService } from './service.ts'
import { round, type Spread, spreadOf } from './spread.ts'

/** One named request; `path` returns a new path in each round. */
export interface Question {
  readonly name: string
  readonly service: BenchService
  readonly path: (round: number) => string
}

/**
 * Latency over HTTP in milliseconds, one request at a time on one open connection per service. The requests alternate, A B A B, so that
 * background load affects all of them. An answer outside 2xx voids the run.
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
      const startedAt = performance.now()
      const headers = { authorization: `Bearer ${service.token}` }
      const answer = await request(`${service.url}${path(round)}`, { dispatcher: agent, headers })
      await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`${name} answered ${answer.statusCode}`)
      if (round < 0) continue
      times.get(name)?.push(performance.now() - startedAt)
      cpu.set(name, (cpu.get(name) ?? 0) + service.cpuMs() - cpuBefore)
    }
  }
  await agent.close()
  return new Map(
    [...times].map(([name, list]) => [name, { ...spreadOf(list), cpuMs: round((cpu.get(name) ?? 0) / rounds) }]),
  )
}
