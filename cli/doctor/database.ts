import { accessSync, constants, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pino } from 'pino'
import { lastDailyBackup, layoutOf } from '../../embedded/index.ts'
import { listWaitingCustomers } from '../../src/billing/customers.ts'
import { listUnmappedPrices } from '../../src/billing/plans.ts'
import { isConfigured } from '../../src/billing/processor.ts'
import type { SecretSetting } from '../../src/billing/processor-settings.ts'
import type { Config } from '../../src/config.ts'
import { administratorAdvice, countWeakAdministrators, hasAdministrator } from '../../src/identity/administrators.ts'
import { countTakenEmails } from '../../src/identity/provisioning.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { measureClockOffset } from '../../src/platform/database/clock-offset.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { connectionBudget, databaseLimits } from '../../src/platform/database/limits.ts'
import type { OpenedDatabase } from '../../src/platform/database/open.ts'
import { migrationsFolder, type SchemaState, schemaOf } from '../../src/platform/database/schema.ts'
import { poolerAdvice } from '../../src/platform/database/server-facts.ts'
import { readMailStatus } from '../../src/platform/mail/mail-status.ts'
import { StartError } from '../../src/platform/start-error.ts'
import { clearTextWarnings } from '../../src/settings/database.ts'
import { encryptionKeyPath, findEncryption } from '../../src/sign-in/keys/encryption.ts'
import { checkSigningKey } from '../../src/sign-in/keys/signing-keys.ts'
import { acceptedIssuersOf, encryptionKeysOf } from '../../src/sign-in/settings.ts'
import { openConfigured, openLog, pendingAdvice } from '../with-database.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

const { ok, warn, fail } = resultsOf('database')

/** Checks the database, and everything that needs it. Does not create an embedded database. `now` is the clock of this node. */
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
    return warn(`There is no database in ${dataDir} yet. muster serve creates it.`)
  } catch {
    return fail(`This user cannot write to ${folder}. Change its permissions, or set MUSTER_DATA_DIR.`)
  }
}

async function* checkOpen(
  database: OpenedDatabase,
  config: Config,
  now: Clock,
): AsyncGenerator<CheckResult, void, void> {
  const place = config.database.url ? 'from DATABASE_URL' : `embedded in ${config.dataDir}`
  const { versionText, isPooled, isReadOnly } = database.server
  yield ok(`PostgreSQL ${versionText}, ${place}.`)
  for (const { text } of clearTextWarnings(config)) yield warn(`${text}.`)
  if (isReadOnly) yield warn('The database is read-only. Set DATABASE_URL to the primary.')
  if (isPooled) yield resultsOf('pooler').warn(sentenceOf(poolerAdvice))
  yield* checkConnections(database, config)
  if (!config.database.url && config.backups.kept > 0) yield await checkDailyBackup(config, now)
  yield await checkClock(database, now)
  const schema = await schemaOf(database, migrationsFolder())
  yield checkSchema(schema)
  if (schema.fault !== undefined || schema.pending.length > 0) return
  if (config.issuer.isEnabled) yield await checkIssuerKey(database, config)
  if (!(await hasAdministrator(database, acceptedIssuersOf(config))))
    yield resultsOf('administrator').warn(sentenceOf(administratorAdvice(config.issuer.isEnabled)))
  const weak = config.issuer.isEnabled ? await countWeakAdministrators(database) : 0
  if (weak > 0)
    yield resultsOf('second factors').warn(
      `${counted(weak, 'administrator')} without a second factor. Set up a second factor, then require it: muster roles require-mfa admin`,
    )
  const taken = await countTakenEmails(database)
  if (taken > 0)
    yield resultsOf('emails').warn(
      `${counted(taken, 'user')} with a verified email that belongs to another account of the same issuer. List them: muster audit --action account.email_taken`,
    )
  if (config.mail) yield* checkOutbox(database)
  yield* checkBilling(database, config)
}

async function checkDailyBackup({ dataDir }: Config, now: Clock): Promise<CheckResult> {
  const { ok, warn } = resultsOf('backup')
  const last = await lastDailyBackup(dataDir)
  const since = last?.at.getTime() ?? (await stat(layoutOf(dataDir).passwordFile)).mtimeMs
  const isOld = now() - since > 2 * 86_400_000
  const found = last
    ? `Last daily backup: ${last.at.toISOString().slice(0, 16)}Z, ${Math.ceil(last.bytes / 2 ** 20)} MiB, ${last.path}.`
    : 'There is no daily backup yet.'
  if (isOld) return warn(`${found} The service creates one each day while it runs. Its log says why it did not.`)
  return ok(last ? found : `${found} The service creates the first one a minute after it starts.`)
}

/** Tokens, sessions and rate limits depend on both clocks. */
async function checkClock(database: OpenedDatabase, now: Clock): Promise<CheckResult> {
  const { ok, warn } = resultsOf('clock')
  const offset = await measureClockOffset(database, { now, log: pino({ level: 'silent' }) })
  const seconds = offset.seconds()
  const direction = seconds < 0 ? 'behind' : 'ahead of'
  const sentence = `The clock of this node is ${Math.abs(seconds).toFixed(1)} s ${direction} the clock of the database`
  if (!offset.isTooLarge()) return ok(`${sentence}.`)
  return warn(`${sentence}. Synchronize both with NTP. A node rejects tokens that are more than 60 s in its future.`)
}

function sentenceOf(advice: string): string {
  return `${advice[0]?.toUpperCase()}${advice.slice(1)}.`
}

function checkSchema({ pending, ahead, fault, version }: SchemaState): CheckResult {
  const { ok, warn, fail } = resultsOf('schema')
  if (fault !== undefined) return fail(fault)
  if (pending.length > 0) return warn(`Pending migrations: ${pending.join(', ')}. ${pendingAdvice}`)
  if (ahead.length > 0)
    return warn(
      `A newer release has migrated the database (${ahead.join(', ')}). This release works with it, but update this node too.`,
    )
  return ok(`Up to date (${version}).`)
}

/** Compares the connections that this node wants with those that are left. A running service counts as in use. */
function* checkConnections({ server }: OpenedDatabase, config: Config): Generator<CheckResult, void, void> {
  if (server.isPooled) return
  const { ok, warn } = resultsOf('connections')
  const { max, reserved, used } = server.connections
  const { connectionsMax } = config.database
  const wished = { ...databaseLimits, connectionsMax, streamsMax: config.limits.exportsMax }
  const { wanted, available, left, isShort } = connectionBudget(server.connections, wished)
  const numbers = `max_connections ${max}, reserved ${reserved}, in use ${used}`
  if (isShort)
    yield warn(
      `This node wants ${wanted} connections but can use only ${available} (${numbers}), so it starts with smaller pools. Raise max_connections, or lower MUSTER_DATABASE_CONNECTIONS.`,
    )
  else yield ok(`This node uses up to ${wanted}, which leaves ${left} (${numbers}).`)
}

/** Checks that the built-in issuer can decrypt its signing key. */
async function checkIssuerKey(rows: Rows, config: Config): Promise<CheckResult> {
  const { ok, fail } = resultsOf('signing key')
  const path = encryptionKeyPath(config)
  const encryption = findEncryption(encryptionKeysOf(config))
  const found = await checkSigningKey(rows, encryption)
  if (found === 'none') return ok('There is no signing key yet. muster serve creates it.')
  if (found === 'usable') return ok('The built-in issuer can use its signing key.')
  if (!encryption)
    return fail(`The file ${path}, which encrypts the signing key, is missing. Restore it from a backup.`)
  return fail(
    config.issuer.encryptionKey
      ? 'Another key encrypted the signing key. Set MUSTER_ENCRYPTION_KEY to that key.'
      : `Another key than the one in ${path} encrypted the signing key. Restore that file from a backup.`,
  )
}

/** Warns of incomplete settings of a processor, prices without a plan and customers without an owner. */
async function* checkBilling(rows: Rows, { billing: { processors } }: Config): AsyncGenerator<CheckResult, void, void> {
  const { ok, warn } = resultsOf('billing')
  const [prices, customers] = [await listUnmappedPrices(rows), await listWaitingCustomers(rows)]
  const configured = processors.filter(isConfigured)
  if (configured.length + prices.length + customers.length === 0) return
  for (const { kind, name, isSet } of configured.flatMap(({ secrets }) => secrets))
    if (!isSet) yield warn(`${name} is not set, so ${missingSecrets[kind]}.`)
  for (const { price_id, subscriptions } of prices)
    yield warn(
      `The price ${price_id} of ${counted(subscriptions, 'subscription')} has no plan. Map it: muster plans map`,
    )
  if (customers.length > 0)
    yield warn(
      `${counted(customers.length, 'customer')} of the payment processor without an owner. List them: muster billing waiting`,
    )
  if (prices.length + customers.length === 0) yield ok('Every price has a plan, and every customer has an owner.')
}

const missingSecrets: Readonly<Record<SecretSetting['kind'], string>> = {
  'webhook-secrets': 'Muster rejects all webhook events. Set it to the signing secret of the endpoint',
  'api-key': 'checkout is unavailable and Muster cannot detect lost events',
}

function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}

async function* checkOutbox(rows: Rows): AsyncGenerator<CheckResult, void, void> {
  const { warn } = resultsOf('mail')
  const { givenUp, oldestSeconds } = await readMailStatus(rows)
  const mails = givenUp.reduce((sum, one) => sum + one.mails, 0)
  if (mails > 0)
    yield warn(`Could not deliver ${counted(mails, 'email')} in the last 7 days. Details: muster mail status`)
  if (oldestSeconds > 300)
    yield warn(
      `The oldest email has been in the queue for ${Math.round(oldestSeconds / 60)} minutes. Details: muster mail status`,
    )
}
