import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { pino } from 'pino'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../../embedded/index.ts'
import { clientConfig } from '../../src/platform/database/link.ts'
import { Secret } from '../../src/platform/secret.ts'
import { freshDatabase } from '../support/database.ts'
import { installOldPostgres, startOldPostgres } from '../support/old-postgres.ts'
import { contentOf } from '../support/rows-and-schema.ts'
import { program, spawnMuster } from './run-muster.ts'

const encryptionKey = randomBytes(32).toString('base64')
const publicUrl = 'http://muster.test'

/** Programs of PostgreSQL 14, 15, 16 and 17. */
let binaries: readonly string[]
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-programs-'))
  await chmod(folder, 0o711)
  binaries = await installOldPostgres(folder)
  return () => rm(folder, { recursive: true, force: true })
})

async function folderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-moving-'))
  await chmod(folder, 0o711) // as root, PostgreSQL runs as another user
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The command, which must succeed. */
async function muster(args: readonly string[], env: Readonly<Record<string, string>>, input = ''): Promise<string> {
  const { code, stdout, stderr } = await spawnMuster(args, { env: { MUSTER_PUBLIC_URL: publicUrl, ...env }, input })
  expect(code, stderr).toBe(0)
  return stdout
}

async function contentByUrl(url: string): Promise<Record<string, string>> {
  const client = new Client(clientConfig({ url: new Secret(url) }))
  await client.connect()
  const sql = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows
  return contentOf(sql).finally(() => client.end())
}

/** Of the embedded database in this directory. */
async function embedded<T>(dataDir: string, work: (client: Client) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, mode: 'join', log: pino({ level: 'silent' }) })
  const client = new Client(clientConfig({ url: new Secret(server.url) }))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
    await server.close()
  }
}

function contentEmbedded(dataDir: string): Promise<Record<string, string>> {
  return embedded(dataDir, (client) =>
    contentOf(async <Row extends object>(text: string) => (await client.query<Row>(text)).rows),
  )
}

test('backups move all rows from the embedded database through PostgreSQL 14 to 17 and back, without superuser roles', async () => {
  const root = await folderForTest()
  const [first, last] = [join(root, 'first'), join(root, 'last')]
  await muster(['migrate'], { MUSTER_DATA_DIR: first })
  await muster(['seed'], { MUSTER_DATA_DIR: first })
  await muster(['users', 'create', '-e', 'ada@example.com'], { MUSTER_DATA_DIR: first }, 'correct horse battery')
  await muster(['token', '-e', 'ada@example.com'], { MUSTER_DATA_DIR: first })
  const content = await contentEmbedded(first)
  expect(content.account).toMatch(/^51 /)

  let from: Record<string, string> = { MUSTER_DATA_DIR: first }
  const keyFile = { MUSTER_ENCRYPTION_KEY_FILE: join(first, 'encryption-key') }
  const versions: string[] = []
  for (const bin of binaries) {
    const server = await startOldPostgres(bin)
    onTestFinished(() => server.stop())
    versions.push(server.version.split('.')[0] ?? '')
    const file = join(root, `to-${versions.at(-1)}.backup`)
    const to = { DATABASE_URL: server.url, ...keyFile }
    await muster(['backup', file], from)
    await muster(['restore', file], to)
    expect(await contentByUrl(server.url), server.version).toEqual(content)
    from = to
  }
  expect(versions).toEqual(['14', '15', '16', '17'])

  const file = join(root, 'back.backup')
  await muster(['backup', file], from)
  const env = { MUSTER_DATA_DIR: last }
  const refused = await spawnMuster(['restore', file], { env })
  expect(refused.stderr).toContain(
    `Copy the file encryption-key of the other data directory to ${join(last, 'encryption-key')}`,
  )
  expect((await contentEmbedded(last)).account).toMatch(/^0 /)
  await copyFile(join(first, 'encryption-key'), join(last, 'encryption-key'))
  await muster(['restore', file], env)
  expect(await contentEmbedded(last)).toEqual(content)
  await muster(['token', '-e', 'ada@example.com'], env)
})

test('a killed restore leaves no data and can be repeated', async () => {
  const root = await folderForTest()
  const [source, target] = [await freshDatabase(), await freshDatabase({ empty: true })]
  onTestFinished(async () => {
    await source.drop()
    await target.drop()
  })
  await source.sql(`insert into account (email) select n || '@example.com' from generate_series(1, 200000) n`)
  const env = { MUSTER_ENCRYPTION_KEY: encryptionKey, MUSTER_PUBLIC_URL: publicUrl }
  const file = join(root, 'many.backup')
  await muster(['backup', file], { ...env, DATABASE_URL: source.url })

  const loading = spawn(process.execPath, [program, 'restore', file], {
    env: { PATH: process.env.PATH, ...env, DATABASE_URL: target.url },
    stdio: 'ignore',
  })
  const ended = once(loading, 'exit')
  const copying = `select from pg_stat_activity where datname = current_database() and state = 'active' and query like 'copy "account"%'`
  await expect.poll(() => target.sql(copying), { interval: 5 }).toHaveLength(1)
  loading.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  await expect.poll(() => target.sql(copying)).toHaveLength(0)
  expect(await target.sql('select count(*)::int as n from account')).toEqual([{ n: 0 }])

  await muster(['restore', file], { ...env, DATABASE_URL: target.url })
  expect(await contentOf(target.sql)).toEqual(await contentOf(source.sql))
})

test('scripts/moving.ts moves many accounts although both commands are killed, and users can sign in afterwards', async () => {
  const [, programs = ''] = binaries
  const script = fileURLToPath(new URL('../../scripts/moving.ts', import.meta.url))
  const args = [script, '20000', '--programs', programs]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env.PATH } })
  expect(stdout).toMatch(/\nok {8}account: 20003 rows are equal\n/)
  expect(stdout).toMatch(/\n20000 accounts moved, 0 differences\n$/)
})

test('a backup of the embedded database has its key, and restore --end-sessions ends the sessions in it', async () => {
  const root = await folderForTest()
  const [from, to, file] = [join(root, 'from'), join(root, 'to'), join(root, 'muster.backup')]
  await muster(['migrate'], { MUSTER_DATA_DIR: from })
  await muster(['users', 'create', '-e', 'ada@example.com'], { MUSTER_DATA_DIR: from }, 'correct horse battery')
  await muster(['token', '-e', 'ada@example.com'], { MUSTER_DATA_DIR: from })
  await muster(['backup', file], { MUSTER_DATA_DIR: from })
  await muster(['restore', file, '--end-sessions'], { MUSTER_DATA_DIR: to })
  const open = (dataDir: string) =>
    embedded(dataDir, async (client) => {
      const { rowCount } = await client.query('select from session where ended_at is null')
      return rowCount
    })
  expect(await open(from)).toBe(1)
  expect(await open(to)).toBe(0)
  expect(await readFile(join(to, 'encryption-key'), 'utf8')).toBe(await readFile(join(from, 'encryption-key'), 'utf8'))
  await muster(['token', '-e', 'ada@example.com'], { MUSTER_DATA_DIR: to })
})
