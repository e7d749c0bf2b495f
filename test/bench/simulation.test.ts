import { expect, test } from 'vitest'
import { products } from '../../bench/simulation/load.ts'
import { readMeasurements, readResult } from '../../bench/simulation/measured.ts'
import { differenceMax, playFaults, playFleet, type Range } from '../../bench/simulation/plays.ts'

const latency = { p50: 7, p99: 30 }

test('with every fault, no answer is older than the lease, and each node reads every change once', async () => {
  const { played } = await playFaults(2, { seed: 1, latency })
  expect(played.firstViolations).toEqual([])
  // The play was one: answers lacked changes for a moment, calls failed, and lists were read on the replica and on the primary.
  expect(played.answers).toBeGreaterThan(30_000)
  expect(played.changesRead).toBeGreaterThan(30_000)
  expect(played.staleShare).toBeGreaterThan(0)
  expect(played.hitRate).toBeGreaterThan(0.3)
  expect(played.failures).toBeGreaterThan(0)
  expect(played.replica.share).toBeGreaterThan(0.5)
  expect(played.replica.share).toBeLessThan(1)
})

const small: Range = {
  seed: 3,
  nodes: [2],
  accounts: [1_000_000],
  callsPerSecondMax: 20,
  warmUpSeconds: 10,
  seconds: 40,
  latency,
  entriesMax: 10_000,
}
const fleet = { nodes: 2, accounts: 1_000_000, routing: 'any' } as const

test('the same seed plays the same, and another one something else', async () => {
  const hits = async (seed: number) => (await playFleet(products[0], fleet, { ...small, seed })).played
  const first = await hits(3)
  expect(await hits(3)).toEqual(first)
  expect(await hits(4)).not.toEqual(first)
})

test('bench/results/simulation.json was played with the results that are there, and everything held', () => {
  const { measured, fleets, samples, withFaults } = readResult('simulation')
  expect(measured).toEqual(JSON.parse(JSON.stringify(readMeasurements())))
  // Trust boundary: bench/simulation/main.ts has written it.
  const plays = [fleets, samples, withFaults].flat() as {
    played: { violations: number; hitRate: number }
    expected?: number
  }[]
  expect(plays.length).toBeGreaterThan(15)
  for (const { played, expected } of plays) {
    expect(played.violations).toBe(0)
    if (expected !== undefined) expect(Math.abs(played.hitRate - expected)).toBeLessThan(differenceMax)
  }
})
