import type { Logger } from 'pino'
import { layoutOf, livePostmaster } from '../../embedded/index.ts'
import { type KeyChecks, keyChecks } from '../../key-check/index.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { keyCheckOptions } from '../../src/key-checks/options.ts'
import { sharedFailureCounts } from '../../src/key-checks/shared-failures.ts'
import { readSharedKey } from '../../src/platform/database/keyring.ts'
import type { OpenedDatabase } from '../../src/platform/database/open.ts'
import { migrationsFolder, schemaOf } from '../../src/platform/database/schema.ts'
import { StartError } from '../../src/platform/start-error.ts'
import { note } from '../print.ts'
import { openConfigured, openLog, pendingAdvice } from '../with-database.ts'

/**
 * Runs `work` with checks for many keys and closes them afterwards. If the database of a service is reachable, shares the count of failed
 * checks with the service, so that both together stay below the lock-out of a provider.
 */
export async function withKeyChecks<Result>(
  work: (checks: KeyChecks, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env)
  const log = openLog()
  const database = await openDatabaseOfService(config, log)
  try {
    const options = keyCheckOptions(config)
    const shared = database && {
      failureCounts: sharedFailureCounts(database, Date.now),
      digestKey: await readSharedKey(database, 'fingerprint'),
    }
    const checks = await keyChecks({ ...options, log, ...shared })
    try {
      return await work(checks, config)
    } finally {
      await checks.close()
    }
  } finally {
    await database?.close()
  }
}

/** Opens the database of DATABASE_URL, or the embedded database if a service is running. */
async function openDatabaseOfService(config: Config, log: Logger): Promise<OpenedDatabase | undefined> {
  const isThere =
    config.database.url !== undefined || (await livePostmaster(layoutOf(config.dataDir).cluster)) !== undefined
  if (!isThere) return undefined
  try {
    const database = await openConfigured(config, log)
    const { fault, pending } = await schemaOf(database, migrationsFolder())
    if (fault === undefined && pending.length === 0) return database
    await database.close()
    noteUnshared(fault ?? `Its schema has pending migrations. ${pendingAdvice}`)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    noteUnshared(error.message)
  }
  return undefined
}

function noteUnshared(reason: string): void {
  note(`This command cannot share the count of failed checks with the service. ${reason}`)
}
