import type { Database, Rows } from '../platform/database/database.ts'
import { lockStatement } from '../platform/database/named-locks.ts'
import { refuse } from '../platform/problems.ts'
import { reservedPrefix } from './issuers/entries.ts'

/** The issuers whose tokens are accepted, by their names in the table `identity`: the built-in issuer if enabled, and MUSTER_ISSUERS. */
export type AcceptedIssuers = readonly string[]

/** What a change needs that may leave no administrator. */
export interface Administration {
  readonly database: Database
  readonly acceptedIssuers: AcceptedIssuers
}

/**
 * Serialises changes of accounts by administrators in the whole database, until the transaction ends. Otherwise two administrators who
 * disable each other at the same moment would each still count the other one.
 */
export async function lockAdministration(rows: Rows): Promise<void> {
  await rows.query(administrationLock, [])
}

/**
 * Runs a change that may leave the installation without an administrator who can sign in. Takes the lock, and refuses the change if it
 * removes the last one. An installation without any, because another product manages its users, is never refused.
 * Call it in a transaction. Problem: `last_administrator`.
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

/** Whether there is an administrator who can sign in at one of these issuers; without them, whether there is any. */
export async function hasAdministrator(rows: Rows, acceptedIssuers?: AcceptedIssuers): Promise<boolean> {
  const [found] = await rows.query<{ some: boolean }>(administratorStatement, [acceptedIssuers ?? null, reservedPrefix])
  return found?.some === true
}

/** The warning of the log and of `muster doctor` if there is none. */
export function administratorAdvice(hasBuiltInIssuer: boolean): string {
  const command = hasBuiltInIssuer
    ? 'run muster users create --email <address> --role admin --generate-password, or set MUSTER_FIRST_ADMIN_EMAIL and MUSTER_FIRST_ADMIN_PASSWORD'
    : 'let the user sign in once, and run muster users set-role <address> admin'
  return `no administrator can sign in: ${command}`
}

/** Administrators who sign in with a password alone. Other issuers manage the factors of their users themselves. */
export async function countWeakAdministrators(rows: Rows): Promise<number> {
  const [found] = await rows.query<{ count: number }>(weakStatement, [])
  return found?.count ?? 0
}

/**
 * Whether an account is an administrator, as SQL: enabled, with a role that grants changing roles and enabling accounts, so that it can
 * make another administrator. The only definition: plans and roles in organizations cannot grant these permissions.
 */
export const isAdministrator = (account: string) => `(not ${account}.is_disabled and ${account}.role_id in (
  select c.role_id from role_grant c join role_grant e on e.role_id = c.role_id
  where c.resource = 'users' and c.action = 'change_role' and e.resource = 'users' and e.action = 'enable'))`

const administrationLock = lockStatement('administration_lock', `'administration'`)

/**
 * $1 accepted issuers or null, $2 how the names of the built-in issuer begin. Its users need a password or a passkey; an initial password
 * stops working after some days. Administrators come first: from the side of the issuers a million accounts would take seconds.
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
