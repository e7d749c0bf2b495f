import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'undici'
import { packageRoot } from '../src/platform/package-root.ts'
import { populatedDatabase, startBenchServer } from './harness/databases.ts'
import { loadBefore } from './harness/report.ts'
import { encryptionKey, freePort } from './harness/service.ts'
import { round, type Spread, spreadOf } from './harness/spread.ts'

/**
 * From spawning the process to the first 200 of /readyz, which requires the database. The kinds of start alternate with
 * `node -e 0`, so that background load affects all of them.
 * npm run bench -- start [--rounds 9]
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } })
const rounds = Number(values.rounds)
const program = join(packageRoot(), 'dist', 'bundle', 'main.cjs')

interface Start {
  readonly name: string
  readonly target: string
  readonly isMet: (spreads: Spreads) => boolean
  /** The time in milliseconds. */
  readonly take: () => Promise<number>
}
interface Spreads {
  readonly wall: Spread
  readonly empty: Spread
}

const load = loadBefore()
const server = await startBenchServer()
const databaseUrl = await populatedDatabase(server, 1_000)
const folder = mkdtempSync(join(tmpdir(), 'muster-start-'))
let made = 0

const starts: readonly Start[] = [
  { name: 'node -e 0', target: '', isMet: () => true, take: emptyProgram },
  {
    name: 'DATABASE_URL, migrated',
    target: '4 x node -e 0',
    isMet: ({ wall, empty }) => wall.median <= 4 * empty.median,
    take: () => service({ DATABASE_URL: databaseUrl, MUSTER_ENCRYPTION_KEY: encryptionKey }),
  },
  {
    name: 'embedded, first start',
    target: '5 s',
    isMet: ({ wall }) => wall.median <= 5_000,
    take: () => service({ MUSTER_DATA_DIR: join(folder, String(++made)) }),
  },
  {
    name: 'embedded, later start',
    target: '2 s',
    isMet: ({ wall }) => wall.median <= 2_000,
    take: () => service({ MUSTER_DATA_DIR: join(folder, String(made)) }),
  },
]

const times = new Map<Start, number[]>(starts.map((start) => [start, []]))
for (let turn = -1; turn < rounds; turn += 1)
  for (const start of starts) {
    const ms = await start.take()
    // The first turn fills the caches of the file system.
    if (turn >= 0) times.get(start)?.push(ms)
  }
await server.close()
rmSync(folder, { recursive: true })
report()

function report(): void {
  const spreads = starts.map((start) => ({ start, wall: spreadOf(times.get(start) ?? []) }))
  const empty = spreads[0]?.wall ?? spreadOf([])
  const rows = spreads.map(({ start, wall }) => ({
    name: start.name,
    ...wall,
    ratio: round(wall.median / empty.median),
    target: start.target,
    isMet: start.isMet({ wall, empty }),
  }))
  console.log(`${'start'.padEnd(26)}${'ms'.padStart(8)}  ${'range'.padEnd(14)}${'x empty'.padStart(8)}  target`)
  for (const { name, median, min, max, ratio, target, isMet } of rows)
    console.log(
      `${name.padEnd(26)}${median.toFixed(0).padStart(8)}  ${`${min.toFixed(0)}–${max.toFixed(0)}`.padEnd(14)}${ratio.toFixed(1).padStart(8)}  ${target && `${target}: ${isMet ? 'met' : 'MISSED'}`}`,
    )
  console.log(
    `Node ${process.version}; load before ${load.join(' ')}; the time of the first contains the database's answers.`,
  )
  if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1
}

async function emptyProgram(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'exit')
  return performance.now() - startedAt
}

async function service(env: Readonly<Record<string, string>>): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, MUSTER_PORT: String(port), MUSTER_LAME_DUCK_SECONDS: '0', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await firstAnswer(port, child)
  const ms = performance.now() - startedAt
  child.kill('SIGTERM')
  await once(child, 'exit')
  return ms
}

/** Polls on a new connection every few milliseconds, so that no retry delay counts. */
async function firstAnswer(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('the service did not start')
    const client = new Client(`http://127.0.0.1:${port}`)
    const status = await client.request({ path: '/readyz', method: 'GET' }).then(
      async ({ statusCode, body }) => {
        await body.dump()
        return statusCode
      },
      () => 0,
    )
    await client.destroy()
    if (status === 200) return
    await setTimeout(2)
  }
}
