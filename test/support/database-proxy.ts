import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { Database } from '../../src/platform/database/database.ts'
import { type DatabaseLimits, databaseLimits } from '../../src/platform/database/limits.ts'
import { pooledDatabase } from '../../src/platform/database/pool.ts'
import { Secret } from '../../src/platform/secret.ts'
import type { FreshDatabase } from './database.ts'
import { type FreezableProxy, startFreezableProxy } from './freezable-proxy.ts'

export interface DatabaseProxy extends FreezableProxy {
  /** The same database, through the proxy. */
  readonly database: Database
}

/** A TCP proxy in front of a database, until the end of the test. */
export async function startDatabaseProxy(
  { url: directUrl }: FreshDatabase,
  limits: Partial<DatabaseLimits> = {},
): Promise<DatabaseProxy> {
  const proxy = await startFreezableProxy(directUrl)
  const database = pooledDatabase({
    link: { url: new Secret(proxy.url) },
    limits: { ...databaseLimits, connectTimeoutMs: 500, ...limits },
    preparedStatements: true,
    log: pino({ level: 'silent' }),
  })
  onTestFinished(async () => {
    await database.close()
    proxy.close()
  })
  return { ...proxy, database }
}
