import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { databaseLimits } from '../../../src/platform/database/limits.ts'
import { openDatabase } from '../../../src/platform/database/open.ts'
import { pooledDatabase } from '../../../src/platform/database/pool.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { type FailoverPair, failoverPair } from '../../support/failover.ts'

/** A database whose URL has two hosts, opened like a node does. */
async function onPair() {
  const pair = await failoverPair()
  const database = pooledDatabase({
    link: { url: new Secret(pair.url) },
    limits: { ...databaseLimits, connectTimeoutMs: 20_000 },
    preparedStatements: true,
    log: pino({ level: 'silent' }),
    timings: { delayMinMs: 20, delayMaxMs: 100 },
  })
  onTestFinished(() => database.close())
  /** The host in use, or why there is none. */
  async function host(): Promise<keyof FailoverPair | string> {
    try {
      const [row] = await database.query<{ port: number }>(port, [])
      return row?.port === pair.primary.port ? 'primary' : 'standby'
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error)
    }
  }
  /** A lost connection makes the node look for the primary again. */
  const loseConnection = () => database.query(terminate, []).catch(() => undefined)
  return { ...pair, host, loseConnection, state: () => database.health().state }
}

const terminate = { name: 'terminate', text: 'select pg_terminate_backend(pg_backend_pid())' }
const port = { name: 'port', text: 'select inet_server_port() as port' }

test('uses a promoted standby instead of the old primary that still accepts writes, and never returns to the old one', async () => {
  const { standby, loseConnection, host, state } = await onPair()
  expect(await host()).toBe('primary')
  await standby.promote()
  await loseConnection()
  await expect.poll(host).toBe('standby')

  await standby.stop()
  await expect.poll(state).toBe('refused')
  expect(await host()).toBe('database_unavailable')
  await standby.start()
  await expect.poll(state).toBe('up')
  expect(await host()).toBe('standby')
})

test('serves nothing while no host is the primary, and never reads from a standby', async () => {
  const { primary, standby, url, loseConnection, host, state } = await onPair()
  expect(await host()).toBe('primary')
  await primary.stop()
  await expect.poll(state).toBe('refused')
  expect(await host()).toBe('database_unavailable')
  const log = pino({ level: 'silent' })
  const opened = openDatabase({ url: new Secret(url), dataDir: '/nonexistent', mode: 'own', log })
  await expect(opened).rejects.toThrow('No host in DATABASE_URL is the primary')

  await standby.promote()
  await expect.poll(state).toBe('up')
  expect(await host()).toBe('standby')
  await primary.start()
  await loseConnection()
  await expect.poll(host).toBe('standby')
})
