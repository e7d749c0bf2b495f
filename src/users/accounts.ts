import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { uuidPattern } from '../platform/http/formats.ts'

/** An account as an operator names it. */
export interface FoundAccount {
  readonly id: string
  readonly email: string | null
  readonly disabled: boolean
  /** Where it signs in, by the names in the table `identity`. */
  readonly issuers: readonly string[]
}

/** The accounts with this id or this e-mail address, in any spelling of upper and lower case. At most ten. */
export async function findAccounts(rows: Rows, who: string): Promise<FoundAccount[]> {
  const name = who.trim()
  const id = name.toLowerCase()
  return rows.query<FoundAccount>(findStatement, uuidPattern.test(id) ? [id, null] : [null, name])
}

/** Locks an account out, or lets it in again, and notes it; answers whether that changed anything. */
export async function setDisabled(database: Database, id: string, disabled: boolean): Promise<boolean> {
  return database.transaction(async (rows) => {
    const changed = await rows.query(disableStatement, [id, disabled])
    if (changed.length === 0) return false
    const action = disabled ? 'account.disabled' : 'account.enabled'
    await recordAudit(rows, { action, target: { kind: 'account', id } })
    return true
  })
}

export async function hasAccounts(rows: Rows): Promise<boolean> {
  return (await rows.query(anyStatement, [])).length > 0
}

/** The ids of all roles, in the order of the alphabet. */
export async function listRoles(rows: Rows): Promise<string[]> {
  return (await rows.query<{ id: string }>(rolesStatement, [])).map(({ id }) => id)
}

/** What an operator sees of one person. */
export interface PersonRow {
  readonly id: string
  readonly email?: string
  readonly role: string
  readonly status: 'active' | 'disabled'
  /** RFC 3339, in UTC. */
  readonly createdAt: string
  readonly orgs: readonly { readonly id: string; readonly name: string; readonly role: string }[]
}

/** Everybody, oldest first, each as JSON text of a `PersonRow`, from one snapshot and in constant memory. */
export function streamPeople(database: Database): AsyncIterable<readonly string[]> {
  return database.stream(peopleStatement, [])
}

const findStatement = {
  name: 'accounts_find',
  text: `
select a.id, a.email, a.disabled_at is not null as disabled,
       array(select i.issuer from identity i where i.account_id = a.id order by i.issuer) as issuers
from account a
where a.id = $1::uuid or a.email_key = lower($2::text collate "C")
order by a.created_at, a.id
limit 10`,
}

const disableStatement = {
  name: 'account_disable',
  // Whoever is disabled signs in again when enabled: no session outlives it (ASVS 7.4.2).
  text: `
with changed as (
  update account set disabled_at = case when $2 then now() end
  where id = $1 and (disabled_at is not null) <> $2
  returning id
), ended as (
  update session s set ended_at = now() from changed where $2 and s.account_id = changed.id and s.ended_at is null
)
select id from changed`,
}

const anyStatement = { name: 'accounts_any', text: 'select from account limit 1' }

const rolesStatement = { name: 'roles', text: 'select id from role order by id limit 1000' }

const peopleStatement = {
  name: 'people_all',
  text: `
select json_strip_nulls(json_build_object(
         'id', a.id, 'email', a.email, 'role', a.role_id,
         'status', case when a.disabled_at is null then 'active' else 'disabled' end,
         'createdAt', ${utcText('a.created_at')},
         'orgs', (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role_id)
                                           order by o.name, o.id), '[]')
                  from membership m join organization o on o.id = m.organization_id
                  where m.account_id = a.id)
       ))::text
from account a
order by a.created_at, a.id`,
}
