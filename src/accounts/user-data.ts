import type { Caller } from '../access/caller.ts'
import type { Rows } from '../database/database.ts'
import { refuse } from '../problems.ts'
import { admit, type Standing } from './admission.ts'
import type { Answers, FreshAnswer, KeptAnswer } from './answers.ts'
import { callerTables, callerValues } from './caller-sql.ts'
import { openFirstSession } from './provisioning.ts'

/**
 * The caller's data as JSON text of the contract's `UserData`, kept until something that it depends on changes.
 * `orgId` asks for one of the caller's organisations; otherwise the first joined is the current one.
 * Problems: those of `admit`, and `organization_unknown` for one that is not the caller's.
 */
export function readUserData(rows: Rows, answers: Answers, caller: Caller, orgId?: string): Promise<KeptAnswer> {
  return answers.get(userDataKey(caller, orgId), () => queryUserData(rows, caller, orgId))
}

/** What one answer belongs to. Members cannot run into each other: JSON keeps them apart. */
export function userDataKey({ issuer, subject, session, ownSessionId }: Caller, orgId?: string): string {
  return JSON.stringify([issuer, subject, session, ownSessionId, orgId])
}

/** One statement. */
async function queryUserData(rows: Rows, caller: Caller, orgId: string | undefined): Promise<FreshAnswer> {
  const values = [...callerValues(caller, orgId), caller.session ?? null]
  const read = async () => (await rows.query<UserDataRow>(userDataStatement, values))[0]
  let row = await admit(rows, caller, read)
  if (row.unopened && caller.session !== undefined && caller.ownSessionId === undefined) {
    await openFirstSession(rows, row.account_id, caller.session)
    row = await admit(rows, caller, read)
  }
  if (row.not_a_member) refuse('organization_unknown')
  return {
    body: row.body,
    accountId: row.account_id,
    orgId: row.home_id ?? undefined,
    endsAtMs: row.session_ends_ms ?? Number.POSITIVE_INFINITY,
  }
}

interface UserDataRow extends Standing {
  /** Nobody has used this account before: it was imported, or made by an operator. */
  readonly unopened: boolean
  readonly not_a_member: boolean
  readonly home_id: string | null
  readonly session_ends_ms: number | null
  readonly body: string
}

/** $1 to $4 as in `callerTables`, $5 the session claim, or null. */
const userDataStatement = {
  name: 'user_data',
  text: `
with ${callerTables}
select me.id as account_id, me.disabled, me.ended, me.first_session is null as unopened,
       $4::uuid is not null and not exists (select from home) as not_a_member,
       (select organization_id from home) as home_id,
       (select extract(epoch from s.expires_at) * 1000 from session s where s.id = $3)::float8 as session_ends_ms,
       json_strip_nulls(json_build_object(
         'subscription', (
           select json_build_object('plan_id', plan_id, 'plan_name', plan_name, 'status', status,
                                    'billing_customer_id', billing_customer_id)
           from shown where own),
         'orgSubscription', (
           select json_build_object('plan_id', plan_id, 'plan_name', plan_name, 'status', status,
                                    'billing_customer_id', billing_customer_id, 'org_id', organization_id)
           from shown where not own),
         'permissions', coalesce((
           select json_object_agg(resource, actions order by resource)
           from (select resource, json_agg(action order by action) as actions from granted group by resource) r), '{}'),
         'orgId', (select organization_id from home),
         'isFirstLogin', $5::text is not null and me.first_session is not distinct from $5,
         'mfaFactors', coalesce((
           select json_agg(json_build_object('id', f.id, 'friendlyName', f.friendly_name) order by f.id)
           from directory.factor f where f.account_id = me.id), '[]')
       ))::text as body
from me`,
}
