import { once } from 'node:events'
import { createServer } from 'node:net'

import { Client } from 'pg'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'

import { openDatabase } from '../../../src/platform/database/open.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { StartError } from '../../../src/platform/start-error.ts'
import { freshDatabase } from '../../support/database.ts'

const log = pino({ level: 'silent' })
const limits = { connectTimeoutMs: 20_000 }

function openUrl(url: string, more: { connectTimeoutMs?: number } = {}) {
  return openDatabase({
    url: new Secret(url),
    dataDir: '/nonexistent',
    mode: 'own',
    limits: { ...limits, ...more },
    log,
  })
}

test('openDatabase opens, uses and closes the database of a URL', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const database = await openUrl(fresh.url)
  await database.ping()
  expect(await database.query<{ n: number }>({ name: 'one', text: 'select 1 as n' }, [])).toEqual([{ n: 1 }])
  await database.close()

  const admin = new Client(fresh.adminUrl)
  await admin.connect()
  const left = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'muster'`
  await expect.poll(async () => (await admin.query(left)).rowCount).toBe(0)
  await admin.end()
})

test('openDatabase counts the other connections of the database, the role and the server', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  for (const client of [new Client(fresh.url), new Client(fresh.url)]) {
    await client.connect()
    onTestFinished(() => client.end())
  }
  const { server, close } = await openUrl(fresh.url)
  await close()
  const { databaseUsed, roleUsed, used } = server.connections
  expect(databaseUsed).toBe(2)
  expect(roleUsed).toBeGreaterThanOrEqual(databaseUsed)
  expect(used).toBeGreaterThanOrEqual(roleUsed)
})

test('the server applies the timeouts of Muster, unless the URL sets others', async () => {
  const fresh = await freshDatabase({ limits: { statementTimeoutMs: 1_234, lockTimeoutMs: 567 } })
  onTestFinished(() => fresh.drop())
  const text = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
                       current_setting('idle_in_transaction_session_timeout') as idle`
  const shown = await fresh.database.query({ name: 'limits', text }, [])
  expect(shown).toEqual([{ statement: '1234ms', lock: '567ms', idle: '10s' }])
})

async function refusal(url: string, more: { connectTimeoutMs?: number } = {}): Promise<string> {
  const error = await openUrl(url, more).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof StartError)) throw new Error('it was not refused with a sentence', { cause: error })
  return error.message
}

test('one sentence without the password — a wrong password', async () => {
  const url = new URL(inject('testServer').userUrl)
  url.password = 'canary-of-the-password'
  const message = await refusal(url.href)
  expect(message).toBe(
    'The database rejected the user or the password (28P01): check DATABASE_URL, and whether the server is running.',
  )
})

test('one sentence — an unknown database', async () => {
  const url = new URL(inject('testServer').userUrl)
  url.pathname = '/nowhere'
  expect(await refusal(url.href)).toContain('no database with this name (3D000): check DATABASE_URL')
})

test('one sentence — a port on which nothing listens', async () => {
  const port = await closedPort()
  const message = await refusal(`postgres://u:canary-of-the-password@127.0.0.1:${port}/d`)
  expect(message).toContain('The database cannot be reached (ECONNREFUSED): check DATABASE_URL')
  expect(message).not.toContain('canary')
})

test('one sentence — a server that accepts connections and never answers', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const message = await refusal(`postgres://u:p@127.0.0.1:${portOf(silent.address())}/d`, { connectTimeoutMs: 50 })
  expect(message).toContain('The database cannot be reached')
})

test.each(['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])(
  'one sentence, and nothing sent in clear text — sslmode=%s and a server without TLS',
  async (mode) => {
    const heard: number[] = []
    // PostgreSQL's response to a TLS request if TLS is off.
    const plain = createServer((socket) =>
      socket.on('data', (data) => {
        heard.push(data.length)
        socket.write('N')
      }),
    ).listen(0, '127.0.0.1')
    onTestFinished(() => void plain.close())
    await once(plain, 'listening')
    const message = await refusal(`postgres://u:p@127.0.0.1:${portOf(plain.address())}/d?sslmode=${mode}`)
    expect(message).toContain('The database cannot be reached')
    expect(heard).toEqual([8])
  },
)

test('one sentence — a malformed URL, or one that names a missing file', async () => {
  expect(await refusal('postgres://u:canary@h:99999/d')).toContain('The URL must look like postgres://')
  expect(await refusal('postgres://u:canary@h:99999/d')).not.toContain('canary')
  expect(await refusal('postgres://u:p@h/d?sslrootcert=/nonexistent')).toContain('does not exist (ENOENT)')
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server.address())
  server.close()
  await once(server, 'close')
  return port
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return address.port
}
