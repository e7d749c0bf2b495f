import { faults, secondsOf, usualFaults } from './faults.ts'
import { expectedHitRate, type Fleet, type Product, products, type Rates, ratesOf } from './load.ts'
import { type Play, type Played, play } from './play.ts'
import type { Latency } from './random.ts'

export interface Range {
  readonly seed: number
  readonly nodes: readonly number[]
  readonly accounts: readonly number[]
  /** Calls that are played each second; of a larger fleet only a part. */
  readonly callsPerSecondMax: number
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly latency: Latency
  readonly entriesMax: number
}

/** A fleet in its busiest hour, without faults. */
export interface PlayedFleet {
  readonly product: string
  readonly fleet: Fleet
  /** The part of the accounts whose calls were played. */
  readonly sample: number
  readonly expected: number
  readonly played: Played
}

/** The hit rate by the formula and the one that was played may differ by so much. */
export const differenceMax = 0.03

/** So many nodes take minutes to play: less of them is played. */
const many = 100

/** Something to play: processes take them in turn. */
export type PlayOrder =
  | { readonly kind: 'fleet'; readonly product: string; readonly fleet: Fleet; readonly range: Range }
  | { readonly kind: 'faults'; readonly nodes: number; readonly range: Range }

export function orders(range: Range): readonly PlayOrder[] {
  return products.flatMap(({ id }) =>
    fleetsOf(range).map((fleet): PlayOrder => ({ kind: 'fleet', product: id, fleet, range })),
  )
}

/**
 * Each number of nodes with each number of accounts, where any node gets a call, but of many nodes only the most accounts; and of
 * several nodes one fleet with sticky routing.
 */
function fleetsOf({ nodes, accounts }: Range): readonly Fleet[] {
  return nodes.flatMap((count, index) => [
    ...(count < many ? accounts : accounts.slice(-1)).map((size) => ({
      nodes: count,
      accounts: size,
      routing: 'any' as const,
    })),
    ...(count === 1
      ? []
      : [{ nodes: count, accounts: accounts[index] ?? accounts[0] ?? 1, routing: 'sticky' as const }]),
  ])
}

export async function playFleet(product: Product, fleet: Fleet, range: Range): Promise<PlayedFleet> {
  const rates = ratesOf(product, fleet.accounts)
  const sample = Math.min(1, range.callsPerSecondMax / rates.callsPerSecond)
  // Calls of one caller that are so long apart rarely come to the same one of many nodes.
  const warmUpSeconds = range.warmUpSeconds / (fleet.nodes < many ? 1 : 2)
  const played = await play({ ...range, fleet, rates, sample, warmUpSeconds })
  return { product: product.id, fleet, sample, expected: expectedHitRate(fleet, rates, range.entriesMax), played }
}

/** The same fleet with other parts of its accounts: the hit rates must be the same. */
export function sampleOrders(range: Range): readonly PlayOrder[] {
  const { nodes, accounts, callsPerSecondMax } = range
  const fleet: Fleet = { nodes: Math.min(10, Math.max(...nodes)), accounts: Math.max(...accounts), routing: 'any' }
  return [1 / 2, 1 / 4].map((part) => ({
    kind: 'fleet',
    product: products[0].id,
    fleet,
    range: { ...range, callsPerSecondMax: callsPerSecondMax * part },
  }))
}

/** What was played with faults, all of them one after the other. */
export interface PlayedFaults {
  readonly nodes: number
  readonly seconds: number
  readonly played: Played
}

/** Few accounts that change often, so that calls, reads and changes of one account meet. */
export function restlessRates(callsPerSecond: number): Rates {
  const callsPerSession = 20
  return {
    sessionsPerSecond: callsPerSecond / callsPerSession,
    callsPerSession,
    secondsBetweenCalls: 5,
    callsPerSecond,
    changesPerSecond: 10,
    changesInSessions: 0.5,
    keyChecksPerSecond: 0,
  }
}

export async function playFaults(
  nodes: number,
  { seed, latency }: Pick<Range, 'seed' | 'latency'>,
): Promise<PlayedFaults> {
  const plan = { ...usualFaults, ...(nodes >= many && { longSleepSeconds: 60 }) }
  const seconds = secondsOf(plan)
  const options: Play = {
    fleet: { nodes, accounts: 1_000, routing: 'any' },
    rates: restlessRates(40),
    seed,
    latency,
    sample: 1,
    entriesMax: 500,
    warmUpSeconds: 10,
    seconds: seconds - 10,
    faults: plan,
  }
  return { nodes, seconds, played: await play(options) }
}

export const faultSentences: readonly string[] = Object.values(faults).map(({ sentence }) => sentence)

export function productOf(id: string): Product {
  const product = products.find((one) => one.id === id)
  if (!product) throw new Error(`there is no product ${id}`)
  return product
}
