import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { describeBackgroundLoad, watchBackgroundLoad } from './harness/background-load.ts'
import { migratedDatabase, startBenchServer } from './harness/databases.ts'
import { type Expected, writeImportFile } from './harness/import-file.ts'
import { type ImportedState, type ImportRun, importedState, rejectedOf, runImport } from './harness/import-run.ts'
import { loadBefore } from './harness/report.ts'
import { conclude, met, printVerdicts, type Verdict } from './harness/verdicts.ts'

/**
 * `muster import` of a large file with one invalid line in a hundred: once without interruption, and once killed at
 * random positions and restarted.
 * npm run bench -- import [--rows 1000000] [--kills 3]
 * Exits with 1 if users are missing, an invalid line is not reported, memory grows, or the two databases differ.
 */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, kills: { type: 'string', default: '3' } },
})
const rows = Number(values.rows)
const kills = Number(values.kills)
/** How much resident memory may grow after the first tenth of the file. */
const growthMaxMiB = 64
const many = new Intl.NumberFormat('en')

const load = loadBefore()
const path = join(process.env.MUSTER_BENCH_DIR ?? tmpdir(), `import-${rows}.jsonl`)
const server = await startBenchServer()
try {
  const expected = await writeImportFile(path, rows)
  const measureBackgroundLoad = watchBackgroundLoad()
  const whole = await imported('bench_import_whole', [])
  const backgroundLoad = measureBackgroundLoad()
  const places = Array.from({ length: kills }, () => 0.05 + 0.9 * Math.random())
  const broken = await imported('bench_import_killed', places)

  const verdicts = [...judgeRun(whole, expected), ...judgeMemory(whole.last), ...judgeKilled(broken, whole, expected)]
  printVerdicts(`import of ${many.format(rows)} lines`, verdicts, describeBackgroundLoad(backgroundLoad))
  process.stdout.write(`\nLoad before: ${load.join(' ')}.\n`)
  conclude(verdicts)
} finally {
  await server.close()
  for (const file of [path, `${path}.rejected.jsonl`]) await rm(file, { force: true })
}

interface Imported {
  /** How many users the database had at each kill. */
  readonly atKill: readonly number[]
  readonly last: ImportRun
  readonly state: ImportedState
  readonly rejected: Expected['bad']
}

/** Into a new database: one killed run per position, and one complete run. */
async function imported(name: string, places: readonly number[]): Promise<Imported> {
  const url = await migratedDatabase(server, name)
  const client = new Client(url)
  await client.connect()
  const atKill: number[] = []
  for (const place of places) {
    const { isKilled } = await runImport(path, url, place)
    if (!isKilled) throw new Error('the import ended before the kill: use more rows')
    atKill.push((await importedState(client)).users)
  }
  const last = await runImport(path, url)
  const state = await importedState(client)
  await client.end()
  // 1: lines were rejected.
  if (last.code !== 1) throw new Error(`the import ended with ${last.code}: ${last.stderr}`)
  return { atKill, last, state, rejected: await rejectedOf(path) }
}

function judgeRun({ last, state, rejected }: Imported, expected: Expected): readonly Verdict[] {
  const { good, sum, bad } = expected
  return [
    { what: 'lines per second', measured: many.format(Math.round(expected.lines / last.seconds)) },
    {
      what: 'valid users in the database',
      measured: many.format(state.users),
      target: `exactly ${many.format(good)}`,
      outcome: met(state.users === good && state.accounts === good),
    },
    {
      what: 'each equal to the file, by checksum',
      measured: String(state.sum),
      target: String(sum),
      outcome: met(state.sum === sum),
    },
    {
      what: 'rejected lines, by number and reason',
      measured: many.format(rejected.length),
      target: `the ${many.format(bad.length)} invalid ones`,
      outcome: met(JSON.stringify(rejected) === JSON.stringify(bad)),
    },
  ]
}

function judgeMemory({ samples }: ImportRun): readonly Verdict[] {
  const at = (share: number) => samples.find((sample) => sample.share >= share)?.rssMiB ?? Number.NaN
  const peak = Math.max(...samples.map(({ rssMiB }) => rssMiB))
  const growth = peak - at(0.1)
  return [
    {
      what: 'memory at 10, 50 and 100 % of the file, MiB',
      measured: [at(0.1), at(0.5), samples.at(-1)?.rssMiB ?? Number.NaN].map(Math.round).join(', '),
    },
    {
      what: 'peak above 10 %, MiB',
      measured: growth.toFixed(0),
      range: `peak ${peak.toFixed(0)}`,
      target: `≤ ${growthMaxMiB}`,
      outcome: met(growth <= growthMaxMiB),
    },
  ]
}

function judgeKilled(broken: Imported, whole: Imported, { bad }: Expected): readonly Verdict[] {
  return [
    { what: 'users at each kill', measured: broken.atKill.map((count) => many.format(count)).join(', ') },
    {
      what: 'killed and restarted: the same rows, by hash',
      measured: broken.state.hash.slice(0, 12),
      target: whole.state.hash.slice(0, 12),
      outcome: met(broken.state.hash === whole.state.hash && broken.state.identities === whole.state.identities),
    },
    {
      what: 'killed and restarted: the same rejected lines',
      measured: many.format(broken.rejected.length),
      target: many.format(bad.length),
      outcome: met(JSON.stringify(broken.rejected) === JSON.stringify(bad)),
    },
  ]
}
