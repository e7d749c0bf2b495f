import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { killServer } from '../../../embedded/test/process.ts'
import { openDatabase } from '../../../src/platform/database/open.ts'

/** The embedded database in a new data directory. */
async function openEmbedded() {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-embedded-'))
  // Gives PostgreSQL's user access when the tests run as root.
  await chmod(dataDir, 0o711)
  const log = pino({ level: 'silent' })
  const database = await openDatabase({ dataDir, mode: 'own', log, limits: { connectTimeoutMs: 20_000 } })
  onTestFinished(async () => {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { dataDir, database }
}

test('the pool recovers by itself after the server died, and requests meanwhile get database_unavailable', async () => {
  const { dataDir, database } = await openEmbedded()
  await database.ping()
  await killServer(dataDir)
  const ping = () => database.ping().catch((error: unknown) => error)
  await expect.poll(ping).toMatchObject({ code: 'database_unavailable' })
  await expect.poll(ping).toEqual(expect.any(Number))
})

test('the log of the server contains no values of a failed statement', async () => {
  const { dataDir, database } = await openEmbedded()
  await database.query({ name: 'schema', text: 'create schema muster' }, [])
  await database.query({ name: 'unique', text: 'create table person (email text unique)' }, [])
  const insert = { name: 'insert', text: 'insert into person values ($1)' }
  await database.query(insert, ['ann@example.org'])
  await expect(database.query(insert, ['ann@example.org'])).rejects.toMatchObject({ code: '23505' })
  expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('ann@example.org')
})
