import type { readBillingStatus } from '../billing/status.ts'
import { type Config, openSignUpWarning } from '../config.ts'
import { clearTextWarnings } from '../settings/database.ts'
import type { Advice, SystemStatus } from '../status/system-contract.ts'

/** Facts for the findings that the state of the node does not contain. */
interface AdviceFacts {
  readonly schemaFault: string | undefined
  readonly administrators: boolean
  readonly weakAdministrators: number
  readonly takenEmails: number
  readonly expiringKeys: number
  readonly billing: Awaited<ReturnType<typeof readBillingStatus>>
}

type Read = Omit<SystemStatus, 'advice' | 'settings'>

/** The findings of `muster doctor` that need no further reads, the most severe first. */
export function adviceOf(config: Config, read: Read, facts: AdviceFacts): Advice[] {
  const all = [
    ...ofDatabase(config, read, facts),
    ...ofIssuers(read),
    ...ofMail(read),
    ...ofBilling(facts),
    ...ofAccounts(config, facts),
    ...ofNode(config, read),
  ]
  return [...all.filter(({ level }) => level === 'fail'), ...all.filter(({ level }) => level === 'warn')]
}

interface More {
  readonly level?: Advice['level']
  readonly values?: Advice['values']
  readonly command?: string
  readonly setting?: string
}

/** One finding if `isGiven`, otherwise none. */
function advise(isGiven: boolean, code: string, detail: string, { level = 'warn', values = {}, ...remedy }: More = {}) {
  return isGiven ? [{ code, level, detail, values, ...remedy }] : []
}

function ofDatabase(config: Config, { database, clock, schema, jobs }: Read, facts: AdviceFacts): Advice[] {
  const { state, cause = 'unknown' } = database
  const backup = jobs.find(({ name }) => name === 'backup')
  const seconds = clock.offsetSeconds.toFixed(1)
  const { schemaFault } = facts
  return [
    ...advise(state !== 'up', `database_${state}`, `The database is in the state ${state} (${cause}).`, {
      level: 'fail',
      values: { cause },
      command: 'muster doctor --only database',
    }),
    ...advise(schemaFault !== undefined, 'schema_unsupported', schemaFault ?? '', { level: 'fail' }),
    ...advise(
      schema.ahead.length > 0 && schemaFault === undefined,
      'schema_ahead',
      'A newer release has migrated the database. This release still works with it: update this node too.',
      { values: { migrations: schema.ahead.join(', ') } },
    ),
    ...advise(schema.pending.length > 0, 'schema_pending', 'Migrations of this release have not run.', {
      level: 'fail',
      values: { migrations: schema.pending.join(', ') },
      command: 'muster migrate',
    }),
    ...advise(
      clock.isFar,
      'clock_far',
      `The clocks of this node and the database differ by ${seconds} s: synchronize both with NTP.`,
      {
        values: { seconds },
      },
    ),
    ...clearTextWarnings(config).flatMap(({ setting, hosts, text }) =>
      advise(true, 'database_clear_text', `${text}.`, { values: { hosts: hosts.join(', ') }, setting }),
    ),
    ...advise(backup?.lastFailure !== undefined, 'backup_failed', `The daily backup failed (${backup?.lastFailure}).`, {
      level: 'fail',
      values: { cause: backup?.lastFailure ?? '' },
      command: 'muster backup',
    }),
  ]
}

function ofIssuers({ issuers }: Read): Advice[] {
  return issuers.flatMap(({ issuer, keys }) => {
    const more = { values: { issuer }, command: 'muster doctor --only issuers' }
    return [
      ...advise(keys === 'unavailable', 'issuer_unavailable', `Tokens of ${issuer} cannot be verified.`, {
        ...more,
        level: 'fail',
      }),
      ...advise(keys === 'stale', 'issuer_stale', `${issuer} is unreachable; its last keys are still used.`, more),
    ]
  })
}

/** As `muster doctor` shows it. */
const mailWaitsSeconds = 300

function ofMail({ mail: { oldestSeconds, givenUp } }: Read): Advice[] {
  const count = String(givenUp.reduce((sum, { mails }) => sum + mails, 0))
  const minutes = String(Math.round(oldestSeconds / 60))
  const command = 'muster mail status'
  return [
    ...advise(count !== '0', 'mail_given_up', `${count} emails could not be delivered in the last 7 days.`, {
      values: { count },
      command,
    }),
    ...advise(oldestSeconds > mailWaitsSeconds, 'mail_waits', `An email has been waiting for ${minutes} minutes.`, {
      values: { minutes },
      command,
    }),
  ]
}

function ofBilling({ billing: { processors, unmapped, waiting, unconfirmed } }: AdviceFacts): Advice[] {
  const countOf = (items: readonly unknown[], hasMore: boolean) => ({
    values: { count: `${items.length}${hasMore ? '+' : ''}` },
  })
  return [
    ...processors.flatMap(({ title, missingSettings, lastSyncAt = '', lastFailureAt = '', lastFailure = '' }) => [
      ...missingSettings.flatMap((name) =>
        advise(true, 'billing_setting_missing', `${name} is not set: ${title} works only partly.`, {
          values: { name, processor: title },
          setting: name,
        }),
      ),
      ...advise(lastFailureAt > lastSyncAt, 'reconciliation_failed', `The last reconciliation with ${title} failed.`, {
        values: { processor: title, cause: lastFailure },
        command: 'muster billing sync',
      }),
    ]),
    ...advise(
      unmapped.prices.length > 0,
      'prices_unmapped',
      'Subscriptions have prices that are not mapped to a plan.',
      {
        ...countOf(unmapped.prices, unmapped.hasMore),
        command: 'muster plans unmapped',
      },
    ),
    ...advise(waiting.customers.length > 0, 'customers_waiting', 'Customers have a subscription but no owner.', {
      ...countOf(waiting.customers, waiting.hasMore),
      command: 'muster billing waiting',
    }),
    ...advise(
      unconfirmed.customers.length > 0,
      'customers_unconfirmed',
      'Customers have an owner named only by the payer, which is not confirmed.',
      { ...countOf(unconfirmed.customers, unconfirmed.hasMore), command: 'muster billing confirm' },
    ),
  ]
}

function ofAccounts(
  config: Config,
  { administrators, weakAdministrators, takenEmails, expiringKeys }: AdviceFacts,
): Advice[] {
  const openSignUp = openSignUpWarning(config)
  return [
    ...advise(!administrators, 'administrator_missing', 'No administrator can sign in.', {
      command: 'muster users set-role <address> admin',
    }),
    ...advise(
      weakAdministrators > 0,
      'administrators_weak',
      'Administrators have no second factor. Set up second factors, then require them.',
      { values: { count: String(weakAdministrators) }, command: 'muster roles require-mfa admin' },
    ),
    ...advise(
      takenEmails > 0,
      'emails_taken',
      'Users have a verified email that belongs to another user of the same issuer.',
      { values: { count: String(takenEmails) }, command: 'muster audit --action account.email_taken' },
    ),
    ...advise(openSignUp !== undefined, 'sign_up_open', `${openSignUp}.`, { setting: 'MUSTER_SIGN_UP' }),
    ...advise(expiringKeys > 0, 'service_keys_expiring', 'Service keys expire within 14 days.', {
      values: { count: String(expiringKeys) },
      command: 'muster service-keys rotate <name>',
    }),
  ]
}

function ofNode({ publicUrl, trustedProxies }: Config, { limits }: Read): Advice[] {
  return [
    ...advise(
      publicUrl.startsWith('https:') && trustedProxies.length === 0,
      'proxies_untrusted',
      'MUSTER_PUBLIC_URL is https, but MUSTER_TRUSTED_PROXIES names no proxy: all clients appear with the address of the proxy, and sign-in attempts are not limited by network.',
      { setting: 'MUSTER_TRUSTED_PROXIES' },
    ),
    ...limits.flatMap(({ name, reached }) =>
      advise(reached > 0, 'limit_reached', `The limit “${name}” was reached ${reached} times since the start.`, {
        values: { name, count: String(reached) },
      }),
    ),
  ]
}
