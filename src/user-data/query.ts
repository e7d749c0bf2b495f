import { type AccountState, callerTablesOf, callerValues, requireAccount } from '../identity/account.ts'
import { type Caller, sessionKeyOf } from '../identity/caller.ts'
import type { Aal } from '../identity/level.ts'
import { openFirstSession } from '../identity/provisioning.ts'
import { createBatches, itemsOf } from '../platform/database/batches.ts'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { CachedResponse, LoadedBody, ResponseCache } from './cache.ts'

/**
 * The caller's data as JSON text of the contract's `UserData`: at once where it is cached.
 * `orgId` asks for one of the caller's organisations; otherwise the first joined is the current one. `hasDetails` asks for the members that
 * are not specified.
 * Problems: those of `requireAccount`, and `organization_unknown` for one that is not the caller's.
 */
export type ReadUserData = (
  caller: Caller,
  orgId?: string,
  hasDetails?: boolean,
) => CachedResponse | Promise<CachedResponse>

export function createUserData(rows: Rows, cache: ResponseCache): ReadUserData {
  const find = createBatches((questions: readonly Question[]) => findAll(rows, questions), batches)
  return (caller, orgId, hasDetails = false) => {
    const key = cacheKey(caller, orgId, hasDetails)
    const question = () => questionOf(caller, orgId, hasDetails)
    return cache.get(key) ?? cache.getOrLoad(key, () => load(rows, () => find(question()), caller))
  }
}

/** Everything that a response belongs to. */
function cacheKey(caller: Caller, orgId: string | undefined, hasDetails: boolean): string {
  const key = sessionKeyOf(caller)
  return orgId === undefined && !hasDetails ? key : `${key} ${orgId ?? ''}${hasDetails ? ' details' : ''}`
}

async function load(rows: Rows, read: () => Promise<UserDataRow | undefined>, caller: Caller): Promise<LoadedBody> {
  let row = await requireAccount(rows, caller, read)
  if (row.unopened && caller.session !== undefined && caller.ownSessionId === undefined) {
    await openFirstSession(rows, row.account_id, caller.session)
    row = await requireAccount(rows, caller, read)
  }
  if (row.not_a_member) refuse('organization_unknown')
  return {
    body: row.body,
    accountId: row.account_id,
    orgId: row.home_id ?? undefined,
    expiresAtMs: row.session_ends_ms ?? Number.POSITIVE_INFINITY,
  }
}

/** Issuer, subject, own session id, organisation, level of a session of another issuer, session claim, whether details are asked for. */
type Question = readonly [string, string, string | null, string | null, Aal, string | null, boolean]

function questionOf(caller: Caller, orgId: string | undefined, hasDetails: boolean): Question {
  return [...callerValues(caller, orgId), caller.session ?? null, hasDetails]
}

/** Callers of concurrent requests are read by one statement. No request waits for others to arrive, nor for a statement under way. */
const batches = { itemsMax: 100, isOneAtATime: false }

async function findAll(rows: Rows, questions: readonly Question[]): Promise<readonly (UserDataRow | undefined)[]> {
  const columns = [0, 1, 2, 3, 4, 5, 6].map((column) => questions.map((question) => question[column]))
  const found: (UserDataRow | undefined)[] = questions.map(() => undefined)
  for (const row of await rows.query<UserDataRow>(userDataStatement, columns)) found[row.asked] = row
  return found
}

interface UserDataRow extends AccountState {
  /** The place of its question. */
  readonly asked: number
  /** The account was imported or created by an operator, and has never been used. */
  readonly unopened: boolean
  readonly not_a_member: boolean
  readonly home_id: string | null
  readonly session_ends_ms: number | null
  readonly body: string
}

/**
 * JSON text of the contract's `UserData`, from `callerTables` or `accountTables`. `isFirstLogin` is a condition on `me`;
 * `mfaRequired` is null where it is not asked for.
 */
export const userDataOf = (isFirstLogin: string, mfaRequired: string) => `json_strip_nulls(json_build_object(
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
           'isFirstLogin', ${isFirstLogin},
           'mfaFactors', coalesce((
             select json_agg(json_build_object('id', f.id, 'friendlyName', f.friendly_name) order by f.id)
             from directory.factor f where f.account_id = me.id), '[]'),
           'mfaRequired', ${mfaRequired}
         ))::text`

const mfaRequired = `
  case when asked.has_details then me.is_withheld or coalesce((select is_withheld from home), false) end`

/** Members of `Question`, each as the list of all callers. */
export const userDataStatement = {
  name: 'user_data',
  text: `
select (asked.place - 1)::int as asked, found.*
from ${itemsOf('text', 'text', 'uuid', 'uuid', 'smallint', 'text', 'boolean')}
     with ordinality as asked (issuer, subject, session_id, organization_id, foreign_aal, session, has_details, place)
cross join lateral (
  with ${callerTablesOf({
    issuer: 'asked.issuer',
    subject: 'asked.subject',
    sessionId: 'asked.session_id',
    organizationId: 'asked.organization_id',
    foreignAal: 'asked.foreign_aal',
  })}
  select me.id as account_id, me.disabled, me.ended, me.must_change_password, me.first_session is null as unopened,
         asked.organization_id is not null and not exists (select from home) as not_a_member,
         (select organization_id from home) as home_id,
         (select extract(epoch from s.expires_at) * 1000 from session s where s.id = asked.session_id)::float8 as session_ends_ms,
         ${userDataOf(`asked.session is not null and me.first_session is not distinct from asked.session`, mfaRequired)} as body
  from me
) found`,
}
