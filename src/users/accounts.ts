import { lockAccount } from '../identity/lock-account.ts'
import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { normalizeEmail } from '../platform/email.ts'
import { uuidPattern } from '../platform/http/formats.ts'
import type { UserRecord } from './contract.ts'

export interface FoundAccount {
  readonly id: string
  readonly email: string | null
  readonly disabled: boolean
  readonly emailProved: boolean
  /** The issuers of its identities, named as in the table `identity`. */
  readonly issuers: readonly string[]
}

/** Finds accounts by id or by email (case-insensitive). A verified email comes first. At most 10. */
export async function findAccounts(rows: Rows, idOrEmail: string): Promise<FoundAccount[]> {
  const name = idOrEmail.trim()
  const id = name.toLowerCase()
  return rows.query<FoundAccount>(findStatement, uuidPattern.test(id) ? [id, null] : [null, normalizeEmail(name)])
}

/** Disables or enables an account and audits it. Returns false if nothing changed. Call it in a transaction. */
export async function setDisabled(
  rows: Rows,
  account: { readonly id: string; readonly disabled: boolean },
  by: AuditOrigin & { readonly actorId?: string } = {},
): Promise<boolean> {
  const { id, disabled } = account
  // A separate statement takes the lock, so that the next one sees a session that a concurrent sign-in created.
  await lockAccount(rows, id)
  const changed = await rows.query(setDisabledStatement, [id, disabled])
  if (changed.length === 0) return false
  const action = disabled ? 'account.disabled' : 'account.enabled'
  await recordAudit(rows, { action, target: { kind: 'account', id }, ...by })
  return true
}

export async function hasAccounts(rows: Rows): Promise<boolean> {
  return (await rows.query(anyStatement, [])).length > 0
}

/** SQL expression: the status of an account. */
export const statusOf = (account: string) =>
  `case when ${account}.erases_at is not null then 'erasing' when ${account}.disabled_at is not null then 'disabled' else 'active' end`

/** An account in the list of `muster users list`. */
export type ListedAccount = Omit<UserRecord, 'identities' | 'disabledAt' | 'erasesAt' | 'signInWaits'>

/** All accounts, oldest first, each as the JSON text of an `AccountRow`. Streams one snapshot in constant memory. */
export function streamAccounts(database: Database): AsyncIterable<readonly string[]> {
  return database.stream(streamStatement, [])
}

const findStatement = {
  name: 'accounts_find',
  text: `
select a.id, a.email, a.disabled_at is not null as disabled, a.is_email_proved as "emailProved",
       array(select i.issuer from identity i where i.account_id = a.id order by i.issuer) as issuers
from account a
where a.id = $1::uuid or a.email_key = $2
order by a.is_email_proved desc, a.created_at, a.id
limit 10`,
}

const setDisabledStatement = {
  name: 'account_set_disabled',
  // Ends every session and every unfinished sign-in: once enabled, the user must sign in again (ASVS 7.4.2).
  text: `
with changed as (
  update account set disabled_at = case when $2 then now() end, security_epoch = security_epoch + case when $2 then 1 else 0 end
  where id = $1 and (disabled_at is not null) <> $2
  returning id
), ended as (
  update session s set ended_at = now() from changed where $2 and s.account_id = changed.id and s.ended_at is null
), ended_challenges as (
  delete from sign_in_challenge h using changed where $2 and h.account_id = changed.id
)
select id from changed`,
}

const anyStatement = { name: 'accounts_any', text: 'select from account limit 1' }

const streamStatement = {
  name: 'accounts_all',
  text: `
select json_strip_nulls(json_build_object(
         'id', a.id, 'email', a.email, 'displayName', a.display_name, 'emailProved', a.is_email_proved, 'role', a.role_id,
         'status', ${statusOf('a')},
         'createdAt', ${utcText('a.created_at')},
         'orgs', (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role_id)
                                           order by o.name, o.id), '[]')
                  from membership m join organization o on o.id = m.organization_id
                  where m.account_id = a.id)
       ))::text
from account a
order by a.created_at, a.id`,
}
