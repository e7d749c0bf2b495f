import type { Logger } from 'pino'
import { layoutOf, livePostmaster } from '../../embedded/index.ts'
import { type KeyChecks, keyChecks } from '../../key-check/index.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { keyCheckOptions } from '../../src/key-checks/options.ts'
import { sharedFailureCounts } from '../../src/key-checks/shared-failures.ts'
import { readSharedKey } from '../../src/platform/database/keyring.ts'
import { schemaOf } from '../../src/platform/database/migrate.ts'
import type { OpenedDatabase } from '../../src/platform/database/open.ts'
import { migrationsFolder } from '../../src/platform/database/schema.ts'
import { StartError } from '../../src/platform/start-error.ts'
import { note } from '../print.ts'
import { openConfigured, openLog, pendingAdvice } from '../with-database.ts'

/**
 * Runs `work` with key checks for many keys and closes it, also after an error. Where there is a database of the service, their wrong keys
 * are counted together with those of the service; the check does not depend on it.
 */
export async function withKeyChecks<Result>(
  work: (checks: KeyChecks, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env)
  const log = openLog()
  const database = await openDatabaseOfService(config, log)
  try {
    const options = keyCheckOptions(config.providers)
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

/** The database of the URL, or the embedded one of a service that runs. */
async function openDatabaseOfService(config: Config, log: Logger): Promise<OpenedDatabase | undefined> {
  const isThere =
    config.database.url !== undefined || (await livePostmaster(layoutOf(config.dataDir).cluster)) !== undefined
  if (!isThere) return undefined
  try {
    const database = await openConfigured(config, log)
    const { fault, pending } = await schemaOf(database, migrationsFolder())
    if (fault === undefined && pending.length === 0) return database
    await database.close()
    noteApart(fault ?? `Its schema is behind: ${pendingAdvice}`)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    noteApart(error.message)
  }
  return undefined
}

function noteApart(reason: string): void {
  note(`Wrong keys are counted for this command alone, without those of the service. ${reason}`)
}
