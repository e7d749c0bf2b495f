import { accountTables } from '../identity/account.ts'
import type { Rows } from '../platform/database/database.ts'
import { etagOf } from '../platform/http/etag.ts'
import { refuse } from '../platform/problems.ts'
import type { CachedResponse } from './cache.ts'
import { userDataOf } from './query.ts'

/** `within` is the organisation of a service key: for it there are only the members, as members of this one. */
interface Asked {
  readonly userId: string
  readonly orgId: string | undefined
  readonly within: string | undefined
}

/** What this user would get. Problems: `user_unknown`, `user_disabled`, `organization_unknown`. */
export async function readDataOfUser(rows: Rows, { userId, orgId, within }: Asked): Promise<CachedResponse> {
  if (within !== undefined && orgId !== undefined && orgId !== within) refuse('organization_unknown')
  const row = await findData(rows, userId, { orgId: orgId ?? within })
  if (!row || (within !== undefined && row.not_a_member)) return refuse('user_unknown')
  if (row.disabled) refuse('user_disabled')
  if (row.not_a_member) refuse('organization_unknown')
  return { text: row.body, etag: etagOf(row.body) }
}

/** The same for an administrator who acts as the user, who may be gone since. Problems: `act_as_ended`, `organization_unknown`. */
export async function readDataAsUser(rows: Rows, userId: string, asked: AskedAsUser): Promise<string> {
  const row = await findData(rows, userId, asked)
  if (!row || row.disabled) return refuse('act_as_ended')
  if (row.not_a_member) refuse('organization_unknown')
  return row.body
}

interface AskedAsUser {
  readonly orgId: string | undefined
  /** The members that are not specified, too. */
  readonly hasDetails?: boolean | undefined
}

async function findData(
  rows: Rows,
  userId: string,
  { orgId, hasDetails = false }: AskedAsUser,
): Promise<DataRow | undefined> {
  const [row] = await rows.query<DataRow>(ofUserStatement, [userId, orgId ?? null, hasDetails])
  return row
}

interface DataRow {
  readonly disabled: boolean
  readonly not_a_member: boolean
  readonly body: string
}

/**
 * Other issuers keep their sessions to themselves: of their users it is false from the first session on. A session that an operator opened
 * is no login of the user.
 */
const firstLogin = `me.first_session is null or coalesce(me.first_session = (
             select s.id::text from session s where s.account_id = me.id and s.amr <> '{operator}'
             order by s.created_at desc, s.id desc limit 1), false)`

/** $1 and $2 of `accountTables`, $3 whether details are asked for. In a session with a second factor no permission waits for one. */
const ofUserStatement = {
  name: 'user_data_of_user',
  text: `
with ${accountTables}
select me.disabled, $2::uuid is not null and not exists (select from home) as not_a_member,
       ${userDataOf(firstLogin, 'case when $3 then false end')} as body
from me`,
}
