import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createCallers } from './callers.ts'
import { countsOf } from './client.ts'
import { type Load, type LoadResult, startLoad } from './load.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import type { Finding, Section, Stage } from './stage.ts'
import { until } from './wait.ts'

const promised = 'no wrong 401, no short list, no acknowledged write lost, everything works again within 5 s'
const secondsMax = 5

export const databaseRestart = section('database-restart', 90, 'PostgreSQL is restarted (fast)', ({ postgres }) =>
  postgres.restart('fast'),
)

export const databaseCrash = section(
  'database-crash',
  90,
  'PostgreSQL is restarted without a shutdown (immediate)',
  ({ postgres }) => postgres.restart('immediate'),
)

export const databaseReadOnly = section('database-read-only', 90, 'PostgreSQL is read-only', async (scene) => {
  const { postgres } = scene
  await postgres.sql('alter system set default_transaction_read_only = on')
  await postgres.sql('select pg_reload_conf()')
  const seen = await whileWritesFail(scene.load)
  await postgres.sql('alter system reset default_transaction_read_only')
  await postgres.sql('select pg_reload_conf()')
  return seen
})

export const databaseFrozen = section(
  'database-frozen',
  120,
  'PostgreSQL is frozen for 20 s (SIGSTOP)',
  async (scene) => {
    await scene.postgres.freeze(true)
    await setTimeout(20_000)
    await scene.postgres.freeze(false)
  },
)

const diskBytes = 400 * 2 ** 20

export const databaseFull: Section = {
  name: 'database-full',
  secondsMax: 120,
  async run(stage) {
    const done = 'the disk of PostgreSQL is full, then it is freed'
    const folder = join(stage.folder, 'small')
    await mkdir(folder)
    const isMounted = await mountSmall(folder)
    if (!isMounted) return [{ done, promised, seen: 'only root can mount a small disk', isKept: undefined }]
    stage.onEnd(() => promisify(execFile)('umount', [folder]))
    const small = { max_wal_size: '48MB', min_wal_size: '32MB' }
    const postgres = await startPostgres(join(folder, 'data'), small)
    stage.onEnd(() => postgres.stop())
    return outage(stage, postgres, done, async ({ load }) => {
      const filler = join(folder, 'filler')
      await fill(filler)
      const seen = await whileWritesFail(load)
      await rm(filler)
      return seen
    })
  },
}

interface Scene {
  readonly postgres: Postgres
  readonly load: Load
}

/** Causes and ends the fault; may return what happened meanwhile. */
type Act = (scene: Scene) => Promise<unknown>

function section(name: string, sectionSecondsMax: number, done: string, act: Act): Section {
  return { name, secondsMax: sectionSecondsMax, run: async (stage) => outage(stage, await stage.postgres(), done, act) }
}

async function outage(stage: Stage, postgres: Postgres, done: string, act: Act): Promise<readonly Finding[]> {
  const databaseUrl = await postgres.newDatabase()
  const node = await stage.node({ databaseUrl })
  const load = startLoad({ url: node.url, callers: await createCallers(databaseUrl, 10) })
  await load.recovered(20)
  await until('the load runs', 30, () => load.since(0).filter(({ outcome }) => outcome === '201').length >= 100)
  const startedAt = performance.now()
  const meanwhile = await act({ postgres, load })
  const seconds = await load.recovered(30)
  const during = load.since(startedAt)
  const result = await load.stop(databaseUrl)
  const seen = `back after ${seconds.toFixed(1)} s, ${seenOf(result)}${typeof meanwhile === 'string' ? `; ${meanwhile}` : ''}`
  const isKept = isWhole(result) && seconds <= secondsMax && node.isRunning() && during.length > 0
  return [{ done, promised, seen, isKept }]
}

/** Waits for some failed writes, and reports the reads of that time. */
async function whileWritesFail(load: Load): Promise<string> {
  const from = performance.now()
  const failed = (kind: string) =>
    load.since(from).filter((each) => each.kind === kind && each.outcome.startsWith('503'))
  await until('writes fail', 30, () => failed('write').length >= 20)
  const first = failed('write')[0]?.atMs ?? from
  await until('reads go on', 20, () => load.since(first).filter(({ kind }) => kind === 'read').length >= 20)
  const of = (kind: string) => countsOf(load.since(first).flatMap((each) => (each.kind === kind ? [each.outcome] : [])))
  return `meanwhile reads ${of('read')}; lists ${of('list')}; writes ${of('write')}`
}

export function isWhole({ lost, wrong }: LoadResult): boolean {
  return lost === 0 && wrong.length === 0
}

export function seenOf({ acknowledged, lost, wrong }: LoadResult): string {
  return `${lost} of ${acknowledged} writes lost, ${wrong.length} wrong answers${wrong.length > 0 ? ` (${countsOf(wrong)})` : ''}`
}

/** False if that is impossible: only root can mount. */
async function mountSmall(folder: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  const options = ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=0711`, 'tmpfs', folder]
  return promisify(execFile)('mount', options).then(
    () => true,
    () => false,
  )
}

/** Writes until nothing more fits. */
async function fill(path: string): Promise<void> {
  const file = createWriteStream(path)
  const piece = Buffer.alloc(64 * 1_024)
  await new Promise<void>((resolve) => {
    file.on('error', () => resolve())
    const more = () => {
      while (file.write(piece));
      file.once('drain', more)
    }
    more()
  })
}
