import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../../src/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { layoutOf } from '../../src/platform/database/layout.ts'
import { migrationsFolder, pendingMigrations } from '../../src/platform/database/migrate.ts'
import { readServerVersion } from '../../src/platform/database/server-version.ts'
import { StartError } from '../../src/platform/start-error.ts'
import { openConfigured, openLog, pendingAdvice } from '../with-database.ts'
import { checkBilling } from './billing.ts'
import { type CheckResult, resultsOf } from './check-result.ts'
import { checkIssuerKey } from './signing-key.ts'

const { ok, warn, fail } = resultsOf('database')

/** Checks kind, version and schema of the database, and the checks that need a database. Does not create an embedded database. */
export async function* checkDatabase(config: Config): AsyncGenerator<CheckResult, void, void> {
  if (!config.database.url && !existsSync(layoutOf(config.dataDir).cluster)) {
    yield checkAbsent(config.dataDir)
    return
  }
  const database = await openConfigured(config, openLog()).catch((error: unknown) => {
    if (error instanceof StartError) return error
    throw error
  })
  if (database instanceof StartError) {
    yield fail(database.message)
    return
  }
  try {
    yield* checkOpen(database, config)
  } finally {
    await database.close()
  }
}

function checkAbsent(dataDir: string): CheckResult {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return warn(`There is none yet in ${dataDir}: muster serve creates it.`)
  } catch {
    return fail(`This user cannot write ${folder}: change its permissions, or set MUSTER_DATA_DIR.`)
  }
}

async function* checkOpen(database: Database, config: Config): AsyncGenerator<CheckResult, void, void> {
  const place = config.database.url ? 'by DATABASE_URL' : `embedded in ${config.dataDir}`
  yield ok(`PostgreSQL ${await readServerVersion(database)}, ${place}.`)
  const pending = await pendingMigrations(database, migrationsFolder())
  if (pending.length > 0) {
    yield resultsOf('schema').warn(`Not up to date (${pending.join(', ')}): ${pendingAdvice}`)
    return
  }
  yield resultsOf('schema').ok('Up to date.')
  if (config.issuer.isEnabled) yield await checkIssuerKey(database, config)
  yield* checkBilling(database, config)
}
