import type { Load } from './load.ts'
import type { LoadReport } from './load-program.ts'
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
  /** Of the base, in the same pairs. */
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
  /** What is counted of each of the two in a pair. */
  readonly sliceMs: number
}

/** Short beside the time for which a neighbour of this machine is busy, long beside the hundredth of a second in which CPU is told. */
const turnMs = 250

/**
 * In every pair the base and a candidate take turns, B C B C, all servers staying up: the ratio is taken in each pair, so that what
 * the machine does meanwhile falls on both. Before it each is asked for a while that is not counted, for it may have idled: V8 gives
 * most of its young generation back, and takes some seconds of work to claim it again.
 */
export async function comparePairs(
  load: Load,
  base: Candidate,
  candidates: readonly Candidate[],
  { pairs, sliceMs }: PairsOptions,
): Promise<readonly Compared[]> {
  for (const candidate of [base, ...candidates]) await turn(load, candidate, warmUpMs)
  const taken = new Map(candidates.map(({ name }) => [name, [] as (readonly [Slice, Slice])[]]))
  for (let pair = 0; pair < pairs; pair += 1)
    for (const candidate of candidates) taken.get(candidate.name)?.push(await takePair(load, base, candidate, sliceMs))
  return [...taken].map(([name, list]) => compared(name, list))
}

const warmUpMs = 4_000

async function takePair(load: Load, base: Candidate, candidate: Candidate, sliceMs: number): Promise<[Slice, Slice]> {
  await turn(load, base, turnMs)
  await turn(load, candidate, sliceMs / 2)
  const turns: [LoadReport, LoadReport][] = []
  for (let ms = 0; ms < sliceMs; ms += turnMs)
    turns.push([await turn(load, base, turnMs), await turn(load, candidate, turnMs)])
  return [sliceOf(turns.map(([one]) => one)), sliceOf(turns.map(([, other]) => other))]
}

function turn(load: Load, { server, requests, ...more }: Candidate, ms: number): Promise<LoadReport> {
  return load.run(server, requests, { ...more, ms })
}

function sliceOf(turns: readonly LoadReport[]): Slice {
  const sum = (read: (report: LoadReport) => number) => turns.reduce((total, report) => total + read(report), 0)
  const middle = (read: (report: LoadReport) => number) => spreadOf(turns.map(read)).median
  const answers = sum((report) => report.answers)
  return {
    cpuUs: (sum(({ cpuMs }) => cpuMs) * 1_000) / answers,
    rate: answers / sum(({ seconds }) => seconds),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
  }
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
