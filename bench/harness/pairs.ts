import type { Load } from './load.ts'
import type { LoadReport } from './load-program.ts'
import { type Spread, spreadOf } from './spread.ts'

/** A server under measurement. */
export interface Measured {
  readonly url: string
  /** CPU is measured over this process and its descendants. */
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
  /** p50 of the candidate divided by that of the base in the same pair. */
  readonly p50Ratio: Spread
  /** Of the base, in the same pairs. */
  readonly base: { readonly requestsPerSecond: Spread; readonly cpuUs: Spread }
}

interface Slice {
  readonly cpuUs: number
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface PairsOptions {
  readonly pairs: number
  /** The measured time of each half of a pair. */
  readonly sliceMs: number
}

/** Shorter than a burst of background load, longer than the clock tick (10 ms) in which the system measures CPU. */
const turnMs = 250
const warmUpMs = 4_000

/**
 * The base and the candidate alternate, B C B C, and both keep running. The ratio is computed per pair of slices, so that background load
 * affects both. No third server runs in between: V8 returns most of its young generation to the system after eight idle seconds, and needs
 * some seconds of work to grow it again.
 */
export async function sideBySide(
  load: Load,
  base: Candidate,
  candidate: Candidate,
  { pairs, sliceMs }: PairsOptions,
): Promise<Compared> {
  for (const one of [base, candidate]) await turn(load, one, warmUpMs)
  const list: (readonly [Slice, Slice])[] = []
  while (list.length < pairs) list.push(await takePair(load, base, candidate, sliceMs))
  return compared(candidate.name, list)
}

async function takePair(load: Load, base: Candidate, candidate: Candidate, sliceMs: number): Promise<[Slice, Slice]> {
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
    p50Ratio: of((base, one) => one.p50Ms / base.p50Ms),
    base: { requestsPerSecond: of((base) => base.rate), cpuUs: of((base) => base.cpuUs) },
  }
}
