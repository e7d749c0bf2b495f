import type { Caller } from '../access/caller.ts'
import type { Database } from '../database/database.ts'
import { admit, type Standing } from './admission.ts'
import { callerTables } from './caller-sql.ts'
import type { Cursors } from './cursor.ts'
import { refusePermission, requirePermission } from './standing.ts'

/** `body` is JSON text of the contract's `Users`; `next` is absent on the last page. */
export interface UsersPage {
  readonly body: string
  readonly next?: string
}

export const listPermission = { resource: 'users', action: 'list' } as const

/**
 * One page of users, oldest first, and whether the caller may see it, by one statement. `limit` counts users.
 * Problems: those of `admit`, `permission_missing`, `cursor_invalid`.
 */
export async function readUsersPage(
  database: Database,
  cursors: Cursors,
  caller: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<UsersPage> {
  const [createdAt, id]: readonly [string, string] =
    cursor === undefined ? listStart : JSON.parse(cursors.open(cursor, listQuery))
  const values = [caller.issuer, caller.subject, caller.ownSessionId ?? null, null, createdAt, id, limit]
  const row = await admit(database, caller, async () => (await database.query<PageRow>(pageStatement, values))[0])
  if (!row.allowed) refusePermission(listPermission)
  return { body: row.body, ...(row.next !== null && { next: cursors.seal(row.next, listQuery) }) }
}

/**
 * Every user as pieces of the same JSON text, from one snapshot of the database and in constant memory.
 * The permission is asked for before the first piece. A failure later on throws out of the iteration, so that the
 * transfer breaks off and no short list looks whole.
 */
export async function streamUsers(
  database: Database,
  caller: Caller,
  signal: AbortSignal,
): Promise<AsyncIterable<string>> {
  await requirePermission(database, caller, listPermission)
  return joined(database.stream(allStatement, [], { signal }))
}

async function* joined(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let opening = '{"users":['
  for await (const batch of batches) {
    yield opening + batch.join(',')
    opening = ','
  }
  yield opening === ',' ? ']}' : `${opening}]}`
}

/** Which list a cursor belongs to. */
const listQuery = 'created'
const listStart = ['-infinity', '00000000-0000-0000-0000-000000000000'] as const

interface PageRow extends Standing {
  readonly allowed: boolean
  readonly body: string
  readonly next: string | null
}

/** One user of `found` as JSON, with the organisations by name. */
const userJson = `
json_strip_nulls(json_build_object(
  'id', p.id, 'email', p.email, 'role', p.role_id,
  'orgs', (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id), '[]')
           from membership m join organization o on o.id = m.organization_id
           where m.account_id = p.id)))`

/**
 * $1 to $4 as in `callerTables`, $5 and $6 the position (created_at, id), $7 the page size. One row more than asked for is
 * read, so that the last page is known. The position is made here as text: a JavaScript date would lose the microseconds.
 */
const pageStatement = {
  name: 'users_page',
  text: `
with ${callerTables}, caller as (
  select me.id as account_id, me.disabled, me.ended,
         exists (select from granted where resource = 'users' and action = 'list') as allowed
  from me
), found as (
  select a.id, a.email, a.role_id, a.created_at
  from account a
  where (a.created_at, a.id) > ($5::timestamptz, $6::uuid)
    and (select allowed and not disabled and not ended from caller)
  order by a.created_at, a.id
  limit $7::int + 1
), page as (
  select *, row_number() over (order by created_at, id) as n from found
)
select caller.account_id, caller.disabled, caller.ended, caller.allowed,
       (select json_build_object('users', coalesce(json_agg(${userJson} order by p.n), '[]'))::text
        from page p where p.n <= $7) as body,
       (select json_build_array(p.created_at, p.id)::text
        from page p where p.n = $7 and exists (select from page where n > $7)) as next
from caller`,
}

const allStatement = {
  name: 'users_all',
  text: `select ${userJson}::text from account p order by p.created_at, p.id`,
}
