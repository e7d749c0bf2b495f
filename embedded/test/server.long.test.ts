import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { EmbeddedError, type EmbeddedMode, type EmbeddedServer, startEmbedded } from '../index.ts'
import { livePostmaster } from '../postmaster.ts'
import { isAlive } from '../programs.ts'
import { type EmbeddedProcess, startProcess } from './process.ts'

const log = pino({ level: 'silent' })
const run = promisify(execFile)

/** A data directory with a finished cluster that is not running, created once; tests copy it. */
let finished: string
beforeAll(async () => {
  finished = await newFolder()
  const server = await startEmbedded({ dataDir: join(finished, 'data'), mode: 'own', log })
  await onUrl(server.url, (client) => client.query('create table pair (id bigint, side text)'))
  await server.close()
})
afterAll(() => rm(finished, { recursive: true }))

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-embedded-'))
  // PostgreSQL's user must be able to enter when the tests run as root.
  await chmod(folder, 0o711)
  return folder
}

/** A new data directory; its server is stopped at the end of the test. */
async function folderOfTest(): Promise<string> {
  const folder = await newFolder()
  const dataDir = join(folder, 'data')
  onTestFinished(async () => {
    await stopLeftOver(dataDir)
    await rm(folder, { recursive: true, force: true })
  })
  return dataDir
}

async function copyOfFinished(): Promise<string> {
  const dataDir = await folderOfTest()
  await run('cp', ['-a', join(finished, 'data'), dataDir])
  return dataDir
}

async function stopLeftOver(dataDir: string): Promise<void> {
  const running = await livePostmaster(join(dataDir, 'postgres')).catch(() => undefined)
  if (!running) return
  process.kill(running.pid, 'SIGQUIT')
  await expect.poll(() => isAlive(running.pid)).toBe(false)
}

function another(dataDir: string): EmbeddedProcess {
  const process = startProcess(new URL('program.ts', import.meta.url), [dataDir])
  onTestFinished(() => process.kill())
  return process
}

async function start(dataDir: string, mode: EmbeddedMode = 'own'): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, mode, log })
  onTestFinished(() => server.close())
  return server
}

async function onUrl<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  await client.connect()
  return work(client).finally(() => client.end())
}

async function postmasterPid(dataDir: string): Promise<number | undefined> {
  return (await livePostmaster(join(dataDir, 'postgres')))?.pid
}

test('the first start creates a durable database that only its owner can reach, and stopping leaves no process', async () => {
  const dataDir = await folderOfTest()
  const server = await startEmbedded({ dataDir, mode: 'own', log })
  const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses', 'TimeZone']
  const shown = await onUrl(server.url, async (client) => {
    const { rows } = await client.query<{ value: string }>(
      'select current_setting(n) as value from unnest($1::text[]) n',
      [settings],
    )
    return rows.map(({ value }) => value)
  })
  expect(shown).toEqual(['on', 'on', 'on', 'on', '', 'UTC'])
  const role = await onUrl(server.url, async (client) => {
    const { rows } = await client.query(
      `select rolsuper, rolcreaterole, pg_encoding_to_char(encoding) as encoding, datlocale, current_user = datdba::regrole::text as owner
         from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    )
    return rows
  })
  expect(role).toEqual([{ rolsuper: false, rolcreaterole: false, encoding: 'UTF8', datlocale: 'C.UTF-8', owner: true }])

  const modes = ['postgres', 'postgres-socket', 'postgres-password', 'postgres.log']
  const found = await Promise.all(
    modes.map(async (name) => ((await stat(join(dataDir, name))).mode & 0o777).toString(8)),
  )
  expect(found).toEqual(['700', '700', '600', '600'])
  expect((await readdir(dataDir)).sort()).toEqual([...modes].sort())

  const socket = await stat(join(dataDir, 'postgres-socket', '.s.PGSQL.5432'))
  expect((socket.mode & 0o777).toString(8)).toBe('700')

  const pid = await postmasterPid(dataDir)
  await server.close()
  await expect.poll(() => isAlive(pid ?? 0)).toBe(false)
})

test('fails with a sentence that names the process — a second service on the same directory; the first keeps running', async () => {
  const dataDir = await copyOfFinished()
  const first = another(dataDir)
  await first.heard(['ready'])
  const second = startEmbedded({ dataDir, mode: 'own', log })
  await expect(second).rejects.toBeInstanceOf(EmbeddedError)
  await expect(second).rejects.toThrow(`The data directory ${dataDir} is in use by process ${first.pid}`)
  const beside = await start(dataDir, 'join')
  await onUrl(beside.url, (client) => client.query('select 1'))
  await beside.close()
  await first.stop()
  expect(first.child.exitCode).toBe(0)
})

test('when several services start at once on a new directory, exactly one gets it', async () => {
  const dataDir = await folderOfTest()
  const all = [another(dataDir), another(dataDir)]
  const said = await Promise.all(all.map((one) => one.heard(['ready', 'refused'])))
  expect(said.filter((line) => line === 'ready')).toHaveLength(1)
  const owner = all[said.indexOf('ready')]
  for (const line of said) if (line !== 'ready') expect(line).toContain(`is in use by process ${owner?.pid}`)
  await owner?.stop()
  expect(await postmasterPid(dataDir)).toBeUndefined()
})

test('a command uses the running server and leaves it running', async () => {
  const dataDir = await copyOfFinished()
  const service = await start(dataDir)
  const command = await start(dataDir, 'join')
  await onUrl(command.url, (client) => client.query(`insert into pair values (1, 'left')`))
  await command.close()
  expect(await onUrl(service.url, async (client) => (await client.query('table pair')).rowCount)).toBe(1)
})

test('a single command starts and stops the server; of two commands the last one stops it', async () => {
  const dataDir = await copyOfFinished()
  const first = await start(dataDir, 'join')
  const second = await start(dataDir, 'join')
  await first.close()
  await onUrl(second.url, (client) => client.query('select 1'))
  await second.close()
  expect(await postmasterPid(dataDir)).toBeUndefined()
})

test('a server left by a killed service is adopted, not restarted, and stopped at the end', async () => {
  const dataDir = await copyOfFinished()
  const killed = another(dataDir)
  await killed.heard(['ready'])
  const pid = await postmasterPid(dataDir)
  await killed.kill()
  expect(isAlive(pid ?? 0)).toBe(true)

  const next = await start(dataDir)
  expect(await postmasterPid(dataDir)).toBe(pid)
  await onUrl(next.url, (client) => client.query('select 1'))
  await next.close()
  await expect.poll(() => isAlive(pid ?? 0)).toBe(false)
})

test('a server that dies is restarted at the same address', async () => {
  const dataDir = await copyOfFinished()
  const server = await start(dataDir)
  const pid = (await postmasterPid(dataDir)) ?? 0
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => postmasterPid(dataDir)).not.toBe(pid)
  const answer = () => onUrl(server.url, (client) => client.query('select 1 as n')).catch(() => undefined)
  await expect.poll(answer).toMatchObject({ rows: [{ n: 1 }] })
})

test('after a kill during creation, the next start repeats it and cleans up', async () => {
  const dataDir = await folderOfTest()
  const killed = another(dataDir)
  await expect.poll(() => unfinishedIn(dataDir), { interval: 5 }).toHaveLength(1)
  await killed.kill()
  expect(await readdir(dataDir)).not.toContain('postgres')
  const server = await start(dataDir)
  await onUrl(server.url, (client) => client.query('select 1'))
  expect(await unfinishedIn(dataDir)).toEqual([])
})

test('files that a running process is creating are left alone', async () => {
  const dataDir = await copyOfFinished()
  const foreign = join(dataDir, `postgres-unfinished-${process.ppid}-abc`)
  await mkdir(foreign)
  const server = await start(dataDir)
  await server.close()
  expect((await stat(foreign)).isDirectory()).toBe(true)
})

async function unfinishedIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir).catch(() => [])
  return entries.filter((name) => name.startsWith('postgres-unfinished-'))
}

test('the address works for a folder with any name', async () => {
  const folder = await folderOfTest()
  const dataDir = join(folder, 'a, "+%41%é&?#@:b')
  await mkdir(folder, { mode: 0o711 })
  await run('cp', ['-a', join(finished, 'data'), dataDir])
  onTestFinished(() => stopLeftOver(dataDir))
  const server = await startEmbedded({ dataDir, mode: 'own', log })
  expect((await onUrl(server.url, (client) => client.query('select 1 as n'))).rows).toEqual([{ n: 1 }])
  await server.close()
})

test('a path too long for a Unix socket means TCP on the loopback interface only', async () => {
  const folder = await folderOfTest()
  const dataDir = join(folder, 'x'.repeat(100))
  await mkdir(folder, { mode: 0o711 })
  await run('cp', ['-a', join(finished, 'data'), dataDir])
  onTestFinished(() => stopLeftOver(dataDir))
  const server = await startEmbedded({ dataDir, mode: 'own', log })
  const addresses = await onUrl(server.url, (client) => client.query('show listen_addresses'))
  expect(addresses.rows).toEqual([{ listen_addresses: '127.0.0.1' }])
  await server.close()
})

const sentences: readonly [string, (dataDir: string) => Promise<void>, RegExp][] = [
  [
    'content that is not a database',
    (dataDir) => pretended(dataDir, { 'letter.txt': 'mine' }),
    /postgres is not a complete PostgreSQL database .*: restore it from a backup, or move it away/,
  ],
  [
    'a database without global/pg_control',
    (dataDir) => pretended(dataDir, { PG_VERSION: '18\n' }),
    /postgres is not a complete PostgreSQL database .*: restore it from a backup, or move it away/,
  ],
  [
    'a database of another major version',
    (dataDir) => pretended(dataDir, { PG_VERSION: '16\n', 'global/pg_control': 'x' }),
    /was created by PostgreSQL 16, and this Muster contains PostgreSQL 18: with the release that created it run "muster backup muster.backup", or use its last daily backup in .*backups; then with this release run "MUSTER_DATA_DIR=<new folder> muster restore muster.backup"/,
  ],
  [
    'a lost password',
    async (dataDir) => {
      await pretended(dataDir, { PG_VERSION: '18\n', 'global/pg_control': 'x' })
      await rm(join(dataDir, 'postgres-password'))
    },
    /postgres-password, the password of the database in .*, is missing: restore it from a backup/,
  ],
  [
    'a wrong password',
    async (dataDir) => {
      await run('cp', ['-a', join(finished, 'data'), dataDir])
      await writeFile(join(dataDir, 'postgres-password'), 'another')
    },
    /rejected the password in .*postgres-password: restore that file/,
  ],
  [
    'a setting that PostgreSQL rejects',
    async (dataDir) => {
      await run('cp', ['-a', join(finished, 'data'), dataDir])
      await writeFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), `shared_buffers = 'much'\n`)
    },
    /did not start \(FATAL: {2}configuration file ".*postgresql.auto.conf" contains errors\): fix the cause/,
  ],
  ['a file instead of the directory', (dataDir) => writeFile(dataDir, ''), /is not a directory: fix it, or set/],
]

test('fails with a sentence that says what to do — an old lock whose process id another program of the same user has', async () => {
  const dataDir = await copyOfFinished()
  // PostgreSQL runs as this user if Muster is root, and checks whether a process of this user has the id.
  const isRoot = process.getuid?.() === 0
  const other = spawn('sleep', ['600'], {
    stdio: 'ignore',
    ...(isRoot && { uid: (await stat(join(dataDir, 'postgres'))).uid }),
  })
  onTestFinished(() => void other.kill('SIGKILL'))
  const lock = join(dataDir, 'postgres', 'postmaster.pid')
  await writeFile(lock, `${other.pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n\n\n\n`)
  await expect(startEmbedded({ dataDir, mode: 'own', log })).rejects.toThrow(
    `names process ${other.pid}, which is another program, perhaps since a reboot. If no PostgreSQL uses`,
  )
  await rm(lock)
  await start(dataDir)
})

/** A data directory with these files instead of the cluster. */
async function pretended(dataDir: string, files: Readonly<Record<string, string>>): Promise<void> {
  const cluster = join(dataDir, 'postgres')
  await mkdir(join(cluster, 'global'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(cluster, name), text)
  await writeFile(join(dataDir, 'postgres-password'), 'x')
  // Root's own cluster would fail for that reason; this test is about another one.
  if (process.getuid?.() === 0) await run('chown', ['-R', '65534', cluster])
}

for (const [what, make, sentence] of sentences) {
  test(`fails with a sentence that says what to do — ${what}`, async () => {
    const dataDir = await folderOfTest()
    await make(dataDir)
    const before = await listOf(dataDir)
    const started = startEmbedded({ dataDir, mode: 'own', log })
    await expect(started).rejects.toBeInstanceOf(EmbeddedError)
    await expect(started).rejects.toThrow(sentence)
    for (const name of before) expect(await listOf(dataDir)).toContain(name)
  })
}

async function listOf(dataDir: string): Promise<string[]> {
  return readdir(join(dataDir, 'postgres')).catch(() => [])
}
