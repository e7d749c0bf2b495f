import type { Load } from './load.ts'
import { type Spread, spreadOf } from './measure.ts'

/** A server under measurement. */
export interface Measured {
  readonly url: string
  /** CPU is counted over it and all that it started. */
  readonly pid: number
}

/** One thing to measure: requests to a server. */
export interface Candidate {
  readonly name: string
  readonly server: Measured
  readonly requests: readonly string[]
  readonly expected?: string
  readonly connections?: number
}

export interface Compared {
  readonly name: string
  readonly requestsPerSecond: Spread
  readonly cpuUs: Spread
  readonly p50Ms: Spread
  readonly p99Ms: Spread
  /** CPU per request of the base in the same pair, divided by the candidate's: 1 is the base. */
  readonly cpuRatio: Spread
  readonly rateRatio: Spread
  /** Of the base, in the slices before those of the candidate. */
  readonly base: { readonly requestsPerSecond: Spread; readonly cpuUs: Spread }
}

interface Slice {
  readonly cpuUs: number
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface PairsOptions {
  readonly pairs: number
  readonly sliceMs: number
}

/**
 * A slice of the base before every slice of a candidate, all servers staying up: the ratio is taken in each pair, so that what
 * the machine does meanwhile falls on both.
 */
export async function comparePairs(
  load: Load,
  base: Candidate,
  candidates: readonly Candidate[],
  { pairs, sliceMs }: PairsOptions,
): Promise<readonly Compared[]> {
  const take = (candidate: Candidate) => slice(load, candidate, sliceMs)
  for (const candidate of [base, ...candidates]) for (let warming = 0; warming < 2; warming += 1) await take(candidate)
  const taken = new Map(candidates.map(({ name }) => [name, [] as [Slice, Slice][]]))
  for (let pair = 0; pair < pairs; pair += 1)
    for (const candidate of candidates) taken.get(candidate.name)?.push([await take(base), await take(candidate)])
  return [...taken].map(([name, list]) => compared(name, list))
}

async function slice(load: Load, { server, requests, ...more }: Candidate, ms: number): Promise<Slice> {
  const { answers, seconds, cpuMs, p50Ms, p99Ms } = await load.run(server, requests, { ...more, ms })
  return { cpuUs: (cpuMs * 1_000) / answers, rate: answers / seconds, p50Ms, p99Ms }
}

function compared(name: string, list: readonly (readonly [Slice, Slice])[]): Compared {
  const of = (read: (base: Slice, candidate: Slice) => number) => spreadOf(list.map(([base, one]) => read(base, one)))
  return {
    name,
    requestsPerSecond: of((_, one) => one.rate),
    cpuUs: of((_, one) => one.cpuUs),
    p50Ms: of((_, one) => one.p50Ms),
    p99Ms: of((_, one) => one.p99Ms),
    cpuRatio: of((base, one) => base.cpuUs / one.cpuUs),
    rateRatio: of((base, one) => one.rate / base.rate),
    base: { requestsPerSecond: of((base) => base.rate), cpuUs: of((base) => base.cpuUs) },
  }
}
