import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../../src/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { layoutOf } from '../../src/platform/database/layout.ts'
import { migrationsFolder, pendingMigrations } from '../../src/platform/database/migrate.ts'
import { readServerVersion } from '../../src/platform/database/server-version.ts'
import { StartError } from '../../src/platform/start-error.ts'
import { mendPending, openConfigured, roomLog } from '../with-database.ts'
import { examineBilling } from './billing.ts'
import { about, type Finding } from './finding.ts'
import { examineSigningKey } from './signing-key.ts'

const { ok, warn, fail } = about('database')

/** Kind, version and schema of the database, and what only the database tells. An embedded one that is not there is not made. */
export async function* examineDatabase(config: Config): AsyncGenerator<Finding, void, void> {
  if (!config.database.url && !existsSync(layoutOf(config.dataDir).cluster)) {
    yield examineAbsent(config.dataDir)
    return
  }
  const database = await openConfigured(config, roomLog()).catch((error: unknown) => {
    if (error instanceof StartError) return error
    throw error
  })
  if (database instanceof StartError) {
    yield fail(database.message)
    return
  }
  try {
    yield* examineOpen(database, config)
  } finally {
    await database.close()
  }
}

function examineAbsent(dataDir: string): Finding {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return warn(`There is none yet in ${dataDir}: muster serve makes it.`)
  } catch {
    return fail(`${folder} may not be written by this user: allow it, or set MUSTER_DATA_DIR to another.`)
  }
}

async function* examineOpen(database: Database, config: Config): AsyncGenerator<Finding, void, void> {
  const place = config.database.url ? 'by DATABASE_URL' : `embedded in ${config.dataDir}`
  yield ok(`PostgreSQL ${await readServerVersion(database)}, ${place}.`)
  const pending = await pendingMigrations(database, migrationsFolder())
  if (pending.length > 0) {
    yield about('schema').warn(`Not up to date (${pending.join(', ')}): ${mendPending}`)
    return
  }
  yield about('schema').ok('Up to date.')
  if (config.issuer.isEnabled) yield await examineSigningKey(database, config)
  yield* examineBilling(database, config)
}
