import type { Database, Rows } from '../platform/database/database.ts'
import { lockStatement } from '../platform/database/named-locks.ts'
import { refuse } from '../platform/problems.ts'
import { reservedPrefix } from './issuers/names.ts'

/**
 * The issuers whose tokens are accepted: the built-in issuer if it is enabled, and those of MUSTER_ISSUERS. Named as in
 * the table `identity`.
 */
export type AcceptedIssuers = readonly string[]

/** Parameters of every change that could remove the last administrator. */
export interface Administration {
  readonly database: Database
  readonly acceptedIssuers: AcceptedIssuers
}

/**
 * Runs administrative changes of accounts one after the other, until the transaction ends. Otherwise two administrators
 * who disable each other at the same time would each still count the other.
 */
export async function lockAdministration(rows: Rows): Promise<void> {
  await rows.query(administrationLock, [])
}

/**
 * Runs a change that could leave no administrator who can sign in, and rejects it if it does. If there was none before,
 * because another product manages the users, every change is allowed. Call it in a transaction: it takes the lock.
 * Problem: `last_administrator`.
 */
export async function keepAdministrator<Result>(
  rows: Rows,
  acceptedIssuers: AcceptedIssuers,
  change: () => Promise<Result>,
): Promise<Result> {
  await lockAdministration(rows)
  const had = await hasAdministrator(rows, acceptedIssuers)
  const result = await change()
  if (had && !(await hasAdministrator(rows, acceptedIssuers)))
    refuse('last_administrator', {
      detail: 'Make another user an administrator first. Only administrators who can sign in count.',
    })
  return result
}

/**
 * Whether an administrator can sign in at one of these issuers. Without `acceptedIssuers`: whether there is an
 * administrator.
 */
export async function hasAdministrator(rows: Rows, acceptedIssuers?: AcceptedIssuers): Promise<boolean> {
  const [found] = await rows.query<{ some: boolean }>(administratorStatement, [acceptedIssuers ?? null, reservedPrefix])
  return found?.some === true
}

/** The warning in the log and in `muster doctor` when no administrator can sign in. */
export function administratorAdvice(hasBuiltInIssuer: boolean): string {
  const command = hasBuiltInIssuer
    ? 'run muster users create --email <address> --role admin --generate-password, or set MUSTER_FIRST_ADMIN_EMAIL and MUSTER_FIRST_ADMIN_PASSWORD'
    : 'let the user sign in once, and run muster users set-role <address> admin'
  return `no administrator can sign in: ${command}`
}

/** Counts administrators without a second factor. Administrators of other issuers are not counted. */
export async function countWeakAdministrators(rows: Rows): Promise<number> {
  const [found] = await rows.query<{ count: number }>(weakStatement, [])
  return found?.count ?? 0
}

/**
 * SQL condition for an administrator: enabled, with a role that can change roles and enable accounts, and therefore can
 * appoint another administrator. Plans and roles in organizations cannot grant these permissions.
 */
export const isAdministrator = (account: string) => `(not ${account}.is_disabled and ${account}.role_id in (
  select c.role_id from role_grant c join role_grant e on e.role_id = c.role_id
  where c.resource = 'users' and c.action = 'change_role' and e.resource = 'users' and e.action = 'enable'))`

const administrationLock = lockStatement('administration_lock', `'administration'`)

/**
 * $1 accepted issuers or null, $2 prefix of the built-in issuer's names. Users of the built-in issuer need a passkey or
 * a password that has not expired. Materializing the administrators first avoids a scan of all identities, which takes
 * seconds with a million accounts.
 */
const administratorStatement = {
  name: 'administrator_exists',
  text: `
with administrator as materialized (select a.id from account a where ${isAdministrator('a')})
select exists (
  select from administrator a
  where ($1::text[] is null or exists (
    select from identity i
    where i.account_id = a.id and i.issuer = any ($1)
      and (not starts_with(i.issuer, $2) or exists (
        select from credential p
        where p.account_id = a.id
          and (p.initial_until is null or p.initial_until > now()
               or exists (select from passkey k where k.account_id = a.id))))))) as some`,
}

const weakStatement = {
  name: 'administrators_weak',
  text: `
select count(*)::int as count
from account a join credential p on p.account_id = a.id
where ${isAdministrator('a')} and not exists (select from second_factor f where f.account_id = a.id)`,
}
