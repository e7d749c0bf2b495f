import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/platform/package-root.ts'
import type { Latency } from './random.ts'

/** A file of bench/results, and the commit that it was measured at. */
export interface ResultFile {
  readonly file: string
  readonly commit: string
  readonly date: string
  /** Load average of the machine before the measurement. */
  readonly load: number
}

/** One measured figure, and where it is from. */
export interface MeasuredFigure {
  readonly value: number
  readonly file: string
}

/** Figures with which a simulation is played, and with which it is computed what fleets need. All were measured on this code. */
export interface Measurements {
  readonly files: readonly ResultFile[]
  readonly figures: Readonly<Record<FigureName, MeasuredFigure>>
  readonly latency: Latency
}

/** By the name that the simulation uses: the file, and what the figure is called there. */
const sources = {
  warmCpuUs: ['user-data', 'warm, 1000000 accounts: CPU a request'],
  coldCpuUs: ['user-data', 'cold, 1000000 accounts: CPU a request'],
  coldP50Ms: ['user-data', 'cold, 1000000 accounts: p50'],
  coldP99Ms: ['user-data', 'cold, 1000000 accounts: p99'],
  nodeCpuUsPerEvent: ['invalidations', 'CPU of a node for an event, changes one by one'],
  nodeCpuUsPerEventTogether: ['invalidations', 'CPU of a node for an event, many in one look'],
  postgresCpuUsPerLook: ['invalidations', '100 nodes: CPU of PostgreSQL for a look that finds nothing'],
  postgresCpuUsPerChange: ['invalidations', '0 nodes: CPU of PostgreSQL for a commit with events'],
  changesPerSecondMeasured: ['invalidations', '100 nodes: 16 writers, commits/s with events'],
  residentMiB: ['memory', 'highest'],
  bytesPerAccount: ['database-cost', 'whole database, for each account'],
  postgresCpuUsPerRead: ['database-cost', 'CPU of PostgreSQL for a read of user data, 16 at once'],
  postgresCpuUsPerPage: ['database-cost', 'CPU of PostgreSQL for a page of 100 users'],
  walBytesPerChange: ['database-cost', 'write-ahead log for a change, after a checkpoint'],
  bytesPerEvent: ['database-cost', 'event of a change'],
} as const

export type FigureName =
  | keyof typeof sources
  /** Of the 64 MiB that were measured. */
  | 'entriesPerMiB'
  | 'keyCheckCpuUs'

export function readMeasurements(): Measurements {
  const results = new Map<string, Result>()
  const resultOf = (file: string) => {
    const result = results.get(file) ?? readResult(file)
    results.set(file, result)
    return result
  }
  const named = Object.entries(sources).map(([name, [file, what]]) => [
    name,
    { file, value: figureOf(resultOf(file), what) },
  ])
  // Trust boundary: `sources` has all names but the two below.
  const figures = {
    ...Object.fromEntries(named),
    entriesPerMiB: { file: 'memory', value: entriesPerMiB(resultOf('memory')) },
    keyCheckCpuUs: { file: 'validate', value: keyCheckCpuUs(resultOf('validate')) },
  } as Record<FigureName, MeasuredFigure>
  const files = [...results].map(([file, { commit, date, load = [] }]) => ({
    file,
    commit,
    date: date.slice(0, 10),
    load: load[0] ?? Number.NaN,
  }))
  return { files, figures, latency: { p50: figures.coldP50Ms.value, p99: figures.coldP99Ms.value } }
}

/** What the measurements have written that is used here (bench/harness/result.ts, bench/harness/report.ts). */
interface Result {
  readonly name: string
  readonly commit: string
  readonly date: string
  readonly load?: readonly number[]
  readonly figures?: readonly {
    readonly what: string
    readonly is: number | { readonly median: number }
    readonly unit?: string
  }[]
  readonly [detail: string]: unknown
}

export function readResult(file: string): Result {
  return JSON.parse(readFileSync(join(packageRoot(), 'bench', 'results', `${file}.json`), 'utf8'))
}

function figureOf({ name, figures = [] }: Result, what: string): number {
  const found = figures.find((figure) => figure.what === what)
  if (!found) throw new Error(`bench/results/${name}.json has no figure “${what}”: run \`npm run bench -- ${name}\``)
  return typeof found.is === 'number' ? found.is : found.is.median
}

/** The last sample of `bench -- memory`, when the cache is full. */
function entriesPerMiB({ name, samples, taken }: Result): number {
  const rows = samples ?? taken
  const last: unknown = Array.isArray(rows) ? rows.at(-1) : undefined
  const number = (member: string) =>
    typeof last === 'object' && last !== null ? Number(Reflect.get(last, member)) : Number.NaN
  // Results of an earlier release of the measurement have other names.
  const found = samples ? number('entries') / number('cachedMiB') : number('kept') / number('keptMiB')
  if (Number.isNaN(found)) throw new Error(`bench/results/${name}.json has no samples`)
  return found
}

/** Over HTTP, 128 at once, with a provider that answers at once. */
function keyCheckCpuUs({ name, rows }: Result): number {
  const all: readonly KeyCheckRow[] = Array.isArray(rows) ? rows : []
  const found = all.find((row) => row.what === 'over HTTP' && row.delayMs === 0 && row.atOnce === 128)
  if (!found) throw new Error(`bench/results/${name}.json has no key checks over HTTP`)
  return found.ours.cpuUs.median
}

interface KeyCheckRow {
  readonly what: string
  readonly delayMs: number
  readonly atOnce: number
  readonly ours: { readonly cpuUs: { readonly median: number } }
}
