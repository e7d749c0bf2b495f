import { parseArgs } from 'node:util'
import { type BackgroundLoad, describeBackgroundLoad, watchBackgroundLoad } from './harness/background-load.ts'
import { populatedDatabase, startBenchServer } from './harness/databases.ts'
import { psqlMissing, type Race, raceExports } from './harness/export-race.ts'
import { takeTurns } from './harness/latency.ts'
import { deepPages, deepSorts, depthName, depths, firstPage, searches } from './harness/listing-questions.ts'
import { loadBefore } from './harness/report.ts'
import { type BenchService, startBenchService } from './harness/service.ts'
import { type Spread, spreadOf } from './harness/spread.ts'
import { conclude, met, printVerdicts, type Verdict } from './harness/verdicts.ts'

/**
 * Measures the list of users at several sizes in one run: first pages, pages at any depth, searches, and the full
 * export next to psql's COPY.
 * npm run bench -- listing [--sizes 1000,100000,1000000] [--rounds 60] [--exports 4]
 * The databases are kept in MUSTER_BENCH_DIR. Exits with 1 if a target is missed.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    rounds: { type: 'string', default: '60' },
    exports: { type: 'string', default: '4' },
  },
  allowPositionals: true,
})

const targets = { deepRatio: 1.5, sizeRatio: 1.3, searchMs: 15, copyRatio: 0.9, aboveIdleMiB: 120 } as const

const sizes = values.sizes.split(',').map(Number)
const largest = Math.max(...sizes)
const rounds = Number(values.rounds)
const many = new Intl.NumberFormat('en')

const load = loadBefore()
const server = await startBenchServer()
const services: BenchService[] = []
try {
  const urls = new Map<number, string>()
  const bySize = new Map<number, BenchService>()
  for (const size of sizes) urls.set(size, await populatedDatabase(server, size))
  for (const [size, url] of urls) {
    const service = await startBenchService(url)
    services.push(service)
    bySize.set(size, service)
  }
  const big = bySize.get(largest)
  if (!big) throw new Error('there is no size')

  const pages = await measured(async () => {
    const first = [...bySize].map(([size, service]) => firstPage(service, firstName(size)))
    return takeTurns([...first, ...(await deepPages(big, largest))], rounds)
  })
  const found = await measured(() => takeTurns(searches(big), Math.ceil(rounds / 3)))
  // A new service, so that its memory is only that of the lists.
  const url = urls.get(largest) ?? ''
  const fresh = await startBenchService(url)
  services.push(fresh)
  const race = await raceExports(fresh, url, Number(values.exports))

  const tables: readonly (readonly [string, readonly Verdict[], string])[] = [
    ['page of 100 over HTTP, median ms', judgePages(pages.result), describeBackgroundLoad(pages.backgroundLoad)],
    [
      `search among ${many.format(largest)}, median ms over HTTP`,
      judgeSearches(found.result),
      describeBackgroundLoad(found.backgroundLoad),
    ],
    [
      `full export of ${many.format(largest)}, medians`,
      judgeExports(race),
      race.laps.map(({ backgroundLoad }) => describeBackgroundLoad(backgroundLoad)).join('\n'),
    ],
  ]
  for (const [title, verdicts, note] of tables) printVerdicts(title, verdicts, note)
  process.stdout.write(`\nLoad before: ${load.join(' ')}.\n`)
  conclude(tables.flatMap(([, verdicts]) => verdicts))
} finally {
  for (const service of services) await service.stop()
  await server.close()
}

interface Measured<Result> {
  readonly result: Result
  readonly backgroundLoad: BackgroundLoad
}

async function measured<Result>(work: () => Promise<Result>): Promise<Measured<Result>> {
  const measureBackgroundLoad = watchBackgroundLoad()
  return { result: await work(), backgroundLoad: measureBackgroundLoad() }
}

function firstName(size: number): string {
  return `first of ${many.format(size)}`
}

function judgePages(spreads: ReadonlyMap<string, Spread>): readonly Verdict[] {
  const smallest = Math.min(...sizes)
  const first = sizes.map((size) =>
    compared(spreads, firstName(size), size === smallest ? undefined : firstName(smallest), targets.sizeRatio),
  )
  const deep = deepSorts.flatMap((sort) =>
    depths.map((depth) =>
      compared(spreads, depthName(sort, depth), depth === 0 ? undefined : depthName(sort, 0), targets.deepRatio),
    ),
  )
  return [...first, ...deep]
}

/** A median, and its ratio to that of `base`. */
function compared(
  spreads: ReadonlyMap<string, Spread>,
  name: string,
  base: string | undefined,
  ratioMax: number,
): Verdict {
  const spread = spreads.get(name) ?? spreadOf([])
  const reported = { what: name, ...figures(spread) }
  if (base === undefined) return reported
  const ratio = spread.median / (spreads.get(base)?.median ?? Number.NaN)
  return { ...reported, target: `${ratio.toFixed(2)} × ${base} (≤ ${ratioMax})`, outcome: met(ratio <= ratioMax) }
}

function judgeSearches(spreads: ReadonlyMap<string, Spread>): readonly Verdict[] {
  return [...spreads].map(([what, spread]) => ({
    what,
    ...figures(spread),
    target: `≤ ${targets.searchMs} ms`,
    outcome: met(spread.median <= targets.searchMs),
  }))
}

function judgeExports({ laps, idleMiB, peakMiB }: Race): readonly Verdict[] {
  const ours = spreadOf(laps.map(({ ourSeconds }) => ourSeconds))
  const copied = laps.flatMap(({ copySeconds, ourSeconds }) =>
    copySeconds === undefined ? [] : [{ copySeconds, ourSeconds }],
  )
  const ratio = spreadOf(copied.map(({ copySeconds, ourSeconds }) => copySeconds / ourSeconds))
  const target = `≥ ${targets.copyRatio}`
  const race: readonly Verdict[] =
    copied.length === 0
      ? [{ what: 'rate beside psql COPY', measured: psqlMissing, target, outcome: 'skipped' }]
      : [
          { what: 'psql COPY of the same rows, s', ...figures(spreadOf(copied.map(({ copySeconds }) => copySeconds))) },
          { what: 'rate beside psql COPY', ...figures(ratio), target, outcome: met(ratio.median >= targets.copyRatio) },
        ]
  const above = peakMiB - idleMiB
  return [
    { what: `over HTTP, s (${many.format(laps[0]?.bytes ?? 0)} bytes)`, ...figures(ours) },
    ...race,
    {
      what: 'peak memory above idle, MiB',
      measured: String(above),
      range: `${idleMiB}–${peakMiB}`,
      target: `≤ ${targets.aboveIdleMiB} MiB`,
      outcome: met(above <= targets.aboveIdleMiB),
    },
  ]
}

function figures({ median, min, max }: Spread) {
  return { measured: median.toFixed(2), range: `${min.toFixed(2)}–${max.toFixed(2)}` }
}
