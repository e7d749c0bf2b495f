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
  const [row] = await rows.query<DataRow>(ofUserStatement, [userId, orgId ?? within ?? null])
  if (!row || (within !== undefined && row.not_a_member)) return refuse('user_unknown')
  if (row.disabled) refuse('user_disabled')
  if (row.not_a_member) refuse('organization_unknown')
  return { text: row.body, etag: etagOf(row.body) }
}

interface DataRow {
  readonly disabled: boolean
  readonly not_a_member: boolean
  readonly body: string
}

/** Other issuers keep their sessions to themselves. A session that an operator opened is no login of the user. */
const firstLogin = `me.first_session is null or me.first_session = (
             select s.id::text from session s where s.account_id = me.id and s.amr <> '{operator}'
             order by s.created_at desc, s.id desc limit 1)`

const ofUserStatement = {
  name: 'user_data_of_user',
  text: `
with ${accountTables}
select me.disabled, $2::uuid is not null and not exists (select from home) as not_a_member,
       ${userDataOf(firstLogin)} as body
from me`,
}
