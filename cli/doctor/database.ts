import { accessSync, constants, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pino } from 'pino'
import { lastDailyBackup, layoutOf } from '../../embedded/index.ts'
import type { Config } from '../../src/config.ts'
import { administratorAdvice, countWeakAdministrators, hasAdministrator } from '../../src/identity/administrators.ts'
import { countTakenEmails } from '../../src/identity/provisioning.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { connectionBudget } from '../../src/platform/database/budget.ts'
import { poolerAdvice } from '../../src/platform/database/check-server.ts'
import { measureClockOffset } from '../../src/platform/database/clock-offset.ts'
import { databaseLimits } from '../../src/platform/database/limits.ts'
import { schemaOf } from '../../src/platform/database/migrate.ts'
import type { OpenedDatabase } from '../../src/platform/database/open.ts'
import { migrationsFolder, type SchemaState } from '../../src/platform/database/schema.ts'
import { StartError } from '../../src/platform/start-error.ts'
import { clearTextWarnings } from '../../src/settings/environment.ts'
import { acceptedIssuersOf } from '../../src/sign-in/settings.ts'
import { openConfigured, openLog, pendingAdvice } from '../with-database.ts'
import { checkBilling } from './billing.ts'
import { type CheckResult, resultsOf } from './check-result.ts'
import { checkOutbox } from './mail.ts'
import { checkIssuerKey } from './signing-key.ts'

const { ok, warn, fail } = resultsOf('database')

/**
 * Checks kind, version, clock and schema of the database, and the checks that need a database. Does not create an embedded database.
 * `now` is the clock of this node.
 */
export async function* checkDatabase(config: Config, now: Clock): AsyncGenerator<CheckResult, void, void> {
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
    yield* checkOpen(database, config, now)
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

async function* checkOpen(
  database: OpenedDatabase,
  config: Config,
  now: Clock,
): AsyncGenerator<CheckResult, void, void> {
  const place = config.database.url ? 'by DATABASE_URL' : `embedded in ${config.dataDir}`
  const { versionText, isPooled, isReadOnly } = database.server
  yield ok(`PostgreSQL ${versionText}, ${place}.`)
  for (const { text } of clearTextWarnings(config)) yield warn(`${text}.`)
  if (isReadOnly) yield warn('It is read-only: nothing can be changed. Set DATABASE_URL to the primary.')
  if (isPooled) yield resultsOf('pooler').warn(sentenceOf(poolerAdvice))
  yield* checkConnections(database, config)
  if (!config.database.url && config.backups.kept > 0) yield await checkDailyBackup(config, now)
  yield await checkClock(database, now)
  const schema = await schemaOf(database, migrationsFolder())
  yield checkSchema(schema)
  if (schema.fault !== undefined) return
  if (schema.pending.length > 0) return
  if (config.issuer.isEnabled) yield await checkIssuerKey(database, config)
  if (!(await hasAdministrator(database, acceptedIssuersOf(config))))
    yield resultsOf('administrator').warn(sentenceOf(administratorAdvice(config.issuer.isEnabled)))
  if (config.issuer.isEnabled) yield* checkFactors(await countWeakAdministrators(database))
  yield* checkTakenEmails(await countTakenEmails(database))
  if (config.mail) yield* checkOutbox(database)
  yield* checkBilling(database, config)
}

function* checkFactors(weak: number): Generator<CheckResult, void, void> {
  if (weak === 0) return
  const who = weak === 1 ? 'One administrator signs' : `${weak} administrators sign`
  yield resultsOf('second factors').warn(
    `${who} in with a password alone. Set up a second factor, then require it: muster roles require-mfa admin.`,
  )
}

function* checkTakenEmails(count: number): Generator<CheckResult, void, void> {
  if (count === 0) return
  const who = count === 1 ? 'One user has' : `${count} users have`
  yield resultsOf('addresses').warn(
    `${who} a verified address that belongs to another account of the same issuer: muster audit --action account.email_taken.`,
  )
}

async function checkDailyBackup({ dataDir }: Config, now: Clock): Promise<CheckResult> {
  const { ok, warn } = resultsOf('backup')
  const last = await lastDailyBackup(dataDir)
  const since = last?.at.getTime() ?? (await stat(layoutOf(dataDir).passwordFile)).mtimeMs
  const isOld = now() - since > 2 * 86_400_000
  const found = last
    ? `The last daily backup is of ${last.at.toISOString().slice(0, 16)}Z (${Math.ceil(last.bytes / 2 ** 20)} MiB): ${last.path}.`
    : 'There is no daily backup yet.'
  if (isOld) return warn(`${found} The service makes one each day while it runs; its log says why it did not.`)
  return ok(last ? found : `${found} The service makes the first one a minute after its start.`)
}

/** Tokens, sessions and limits depend on both clocks. */
async function checkClock(database: OpenedDatabase, now: Clock): Promise<CheckResult> {
  const { ok, warn } = resultsOf('clock')
  const offset = await measureClockOffset(database, { now, log: pino({ level: 'silent' }) })
  const seconds = offset.seconds()
  const direction = seconds < 0 ? 'behind' : 'ahead of'
  const sentence = `The clock of this node is ${Math.abs(seconds).toFixed(1)} s ${direction} that of the database`
  if (!offset.isFar()) return ok(`${sentence}.`)
  return warn(`${sentence}: set both by NTP. Tokens more than 60 s in the future of a node are refused there.`)
}

function sentenceOf(advice: string): string {
  return `${advice[0]?.toUpperCase()}${advice.slice(1)}.`
}

function checkSchema({ pending, ahead, fault, version }: SchemaState): CheckResult {
  const { ok, warn, fail } = resultsOf('schema')
  if (fault !== undefined) return fail(fault)
  if (pending.length > 0) return warn(`Not up to date (${pending.join(', ')}): ${pendingAdvice}`)
  if (ahead.length > 0)
    return warn(
      `A newer release has migrated the database (${ahead.join(', ')}), and this one works with it: update this node too.`,
    )
  return ok(`Up to date (${version}).`)
}

/** What this node may take of the server's connections, and what is left. A service that runs already is among those in use. */
function* checkConnections({ server }: OpenedDatabase, config: Config): Generator<CheckResult, void, void> {
  if (server.isPooled) return
  const { ok, warn } = resultsOf('connections')
  const { max, reserved, used } = server.connections
  const { connectionsMax } = config.database
  const wished = { ...databaseLimits, connectionsMax, streamsMax: config.limits.exportsMax }
  const { wanted, available, left, isShort } = connectionBudget(server.connections, wished)
  const numbers = `max_connections is ${max}, ${reserved} are reserved, ${used} are in use`
  if (isShort)
    yield warn(
      `This node wants ${wanted} and may take ${available} (${numbers}): it starts with smaller pools. Raise max_connections, or lower MUSTER_DATABASE_CONNECTIONS.`,
    )
  else yield ok(`This node takes ${wanted} at most, and ${left} are left (${numbers}).`)
}
