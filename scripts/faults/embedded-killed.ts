import { join } from 'node:path'
import { killCycle, prepareDurability, type Victim } from '../../test/support/durability.ts'
import type { Section } from './stage.ts'

const victims: readonly Victim[] = ['both', 'server', 'service']
const cyclesOfEach = 10

export const embeddedKilled: Section = {
  name: 'embedded-killed',
  secondsMax: 240,
  async run({ folder }) {
    const results = await Promise.all(victims.map((victim) => killAgainAndAgain(victim, join(folder, victim))))
    const sum = (of: keyof KillResult) => results.reduce((total, result) => total + result[of], 0)
    return [
      {
        done: `kill -9 while rows are written to the embedded database, ${victims.length * cyclesOfEach} times: of both, of PostgreSQL, of the service`,
        promised: 'no acknowledged transaction is lost, and none is half-written',
        seen: `${sum('acknowledged')} acknowledged, ${sum('lost')} lost, ${sum('halves')} half-written`,
        isKept: sum('lost') + sum('halves') === 0,
      },
    ]
  },
}

interface KillResult {
  readonly acknowledged: number
  readonly lost: number
  readonly halves: number
}

async function killAgainAndAgain(victim: Victim, dataDir: string): Promise<KillResult> {
  await prepareDurability(dataDir)
  const acknowledged = new Set<string>()
  let lost = 0
  let halves = 0
  for (let cycle = 0; cycle < cyclesOfEach; cycle += 1) {
    const result = await killCycle(dataDir, victim, acknowledged)
    lost += result.lost
    halves += result.halves
  }
  return { acknowledged: acknowledged.size, lost, halves }
}
