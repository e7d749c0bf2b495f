import type { Rows } from '../platform/database/database.ts'
import { lockStatement } from '../platform/database/named-locks.ts'
import { refuse } from '../platform/problems.ts'

/**
 * Serialises changes of accounts by administrators in the whole database, until the transaction ends. Otherwise two administrators who
 * disable each other at the same moment would each still count the other one.
 */
export async function lockAdministration(rows: Rows): Promise<void> {
  await rows.query(administrationLock, [])
}

/**
 * Runs a change after which an account may no longer be an administrator, under the lock, and refuses it where none would be left. An
 * installation that has none, because another product manages its users, is not held up.
 * To be called in a transaction. Problem: `last_administrator`.
 */
export async function keepAdministrator<Result>(rows: Rows, change: () => Promise<Result>): Promise<Result> {
  await lockAdministration(rows)
  const had = await hasAdministrator(rows)
  const result = await change()
  if (had && !(await hasAdministrator(rows)))
    refuse('last_administrator', { detail: 'Make another user an administrator first.' })
  return result
}

/** Administrators are the enabled accounts whose role grants changing roles and enabling accounts: they can make another one. */
export async function hasAdministrator(rows: Rows): Promise<boolean> {
  const [left] = await rows.query<{ some: boolean }>(administratorsStatement, [])
  return left?.some === true
}

/** What the log and `muster doctor` say where there is none. */
export function administratorAdvice(hasBuiltInIssuer: boolean): string {
  const command = hasBuiltInIssuer
    ? 'run muster users create --email <address> --role admin --generate-password, or set MUSTER_FIRST_ADMIN_EMAIL and MUSTER_FIRST_ADMIN_PASSWORD'
    : 'let the person sign in once, and run muster users set-role <address> admin'
  return `no account is an administrator: ${command}`
}

/** Administrators who sign in with the password alone. Those of other issuers have their factors there. */
export async function countWeakAdministrators(rows: Rows): Promise<number> {
  const [found] = await rows.query<{ count: number }>(weakStatement, [])
  return found?.count ?? 0
}

const administrationLock = lockStatement('administration_lock', {
  name: `'administration'`,
  former: `hashtext('muster users change')`,
})

const administratorsStatement = {
  name: 'administrators_left',
  text: `
select exists (
  select from role_grant c
  join role_grant e on e.role_id = c.role_id and e.resource = 'users' and e.action = 'enable'
  join account a on a.role_id = c.role_id and not a.is_disabled
  where c.resource = 'users' and c.action = 'change_role') as some`,
}

const weakStatement = {
  name: 'administrators_weak',
  text: `
select count(*)::int as count
from role_grant c
join role_grant e on e.role_id = c.role_id and e.resource = 'users' and e.action = 'enable'
join account a on a.role_id = c.role_id and not a.is_disabled
join credential p on p.account_id = a.id
where c.resource = 'users' and c.action = 'change_role'
  and not exists (select from second_factor f where f.account_id = a.id)`,
}
