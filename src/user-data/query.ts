import { type AccountRow, accountRead, callerReader, callerValues, requireAccount } from '../identity/account.ts'
import { isMfaRequired, permissionsOf, type Rules, withRules } from '../identity/permissions.ts'
import {
  inShownOrder,
  organizationSubscriptionData,
  type ShownSubscription,
  subscriptionData,
} from '../identity/subscriptions.ts'
import type { Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { Problem, refuse } from '../platform/problems.ts'
import type { UserData } from './contract.ts'

/**
 * `orgId`: the requested organization, by default the current one. `details`: adds the members that are only sent on
 * request.
 */
interface UserDataOptions {
  readonly orgId?: string | undefined
  readonly details?: boolean | undefined
}

/**
 * The caller's data as the JSON text of `UserData`.
 * Problems: those of `requireAccount`, and `organization_unknown` if the caller is not a member.
 */
type ReadUserData = (caller: UserCaller, options: UserDataOptions) => Promise<string>

export function createUserData(rows: Rows): ReadUserData {
  const find = callers.inBatches(rows)
  return async (caller, { orgId, details }) => {
    const values = callerValues(caller, orgId)
    const read = () => withRules(rows, () => requireAccount(rows, caller, () => find(values)))
    let found = await read()
    if (isUnused(found.row) && (await recordFirstSession(rows, found.row.account_id, caller))) found = await read()
    const { row, rules } = found
    if (orgId !== undefined && row.organization_id === null) refuse('organization_unknown')
    return bodyOf(row, rules, {
      isFirstLogin: isFirstLogin(row, caller),
      details: details ? { mfaRequired: isMfaRequired(row, rules) } : undefined,
    })
  }
}

/**
 * What this user would get. `within`: the organization of a service key, which sees only its members, in this
 * organization.
 * Problems: `user_unknown`, `user_disabled`, `organization_unknown`.
 */
export async function readDataOfUser(
  rows: Rows,
  userId: string,
  { orgId, within }: { readonly orgId: string | undefined; readonly within: string | undefined },
): Promise<string> {
  if (within !== undefined && orgId !== undefined && orgId !== within) refuse('organization_unknown')
  const { row, rules } = await withRules(rows, async () => {
    const found = await findUser(rows, userId, orgId ?? within)
    if (!found || (within !== undefined && found.organization_id === null)) return refuse('user_unknown')
    if (found.disabled) refuse('user_disabled')
    return found
  })
  if (orgId !== undefined && row.organization_id === null) refuse('organization_unknown')
  return bodyOf(row, rules, { isFirstLogin: row.is_first_login })
}

/**
 * The same for an administrator who acts as the user. The user may have been deleted in the meantime. Problems:
 * `act_as_ended`, `organization_unknown`.
 */
export async function readDataAsUser(rows: Rows, userId: string, { orgId, details }: UserDataOptions): Promise<string> {
  const { row, rules } = await withRules(rows, async () => {
    const found = await findUser(rows, userId, orgId)
    return !found || found.disabled ? refuse('act_as_ended') : found
  })
  if (orgId !== undefined && row.organization_id === null) refuse('organization_unknown')
  // `mfaRequired` is false: the data is that of a session with a second factor.
  return bodyOf(row, rules, { isFirstLogin: row.is_first_login, details: details ? { mfaRequired: false } : undefined })
}

async function findUser(rows: Rows, userId: string, orgId: string | undefined): Promise<OfUserRow | undefined> {
  return (await rows.query<OfUserRow>(ofUserStatement, [userId, orgId ?? null]))[0]
}

/** The members that are only sent on request, besides the user's id. */
type Details = Required<Pick<UserData, 'mfaRequired'>>

function bodyOf(
  row: UserDataRow,
  rules: Rules,
  { isFirstLogin, details }: { readonly isFirstLogin: boolean; readonly details?: Details | undefined },
): string {
  const subscription = subscriptionData(row.subscriptions, rules)
  const orgSubscription = organizationSubscriptionData(row.organization_id, row.organization_subscriptions, rules)
  const body: UserData = {
    ...(subscription && { subscription }),
    ...(orgSubscription && { orgSubscription }),
    permissions: permissionsOf(row, rules),
    ...(row.organization_id !== null && { orgId: row.organization_id }),
    isFirstLogin,
    mfaFactors: row.factors ?? [],
    ...(details && { userId: row.account_id, ...details, subscriptions: allSubscriptions(row, rules) }),
  }
  return JSON.stringify(body)
}

interface UserDataRow extends AccountRow {
  readonly factors: UserData['mfaFactors'] | null
}

/** Columns beyond those for permissions. To add a member that is stored with the account, add a column here. */
const memberColumns = `,
       (select json_agg(json_strip_nulls(json_build_object('id', f.id, 'friendlyName', f.friendly_name)) order by f.id)
        from directory_factor f where f.account_id = a.id) as factors`

interface CallerRow extends UserDataRow {
  readonly first_session: string | null
  /** true: the first token of the account names no session and has not expired. */
  readonly has_first_token: boolean
  readonly is_first_token_good: boolean | null
  readonly is_by_operator: boolean
}

const callers = callerReader<CallerRow>(
  'user_data',
  `${memberColumns},
       a.first_session, a.first_session_until is not null as has_first_token, a.first_session_until > now() as is_first_token_good,
       coalesce('operator' = any (s.amr), false) as is_by_operator`,
)

/** No session of the user has read the data before. Sessions opened by an operator do not count. */
function isUnused({ first_session, has_first_token, is_by_operator }: CallerRow): boolean {
  return first_session === null && !has_first_token && !is_by_operator
}

/**
 * Without a recorded first session, this one is the first. If no claim names the session, the first token stands for it
 * until the token expires.
 */
function isFirstLogin(row: CallerRow, { session }: UserCaller): boolean {
  if (isUnused(row)) return true
  if (row.has_first_token) return session === undefined && row.is_first_token_good === true
  return session !== undefined && row.first_session === session
}

/**
 * Records the first session of the account, once; every later read writes nothing. Of several concurrent sessions one
 * is recorded. Returns false on a read-only database, where the read still succeeds.
 */
async function recordFirstSession(
  rows: Rows,
  accountId: string,
  { session, tokenExpiresAtMs }: UserCaller,
): Promise<boolean> {
  const until = tokenExpiresAtMs === undefined ? null : new Date(tokenExpiresAtMs)
  try {
    await rows.query(firstSessionStatement, [accountId, session ?? null, until])
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'read_only') return false
    throw error
  }
}

/** $1 account, $2 session or null, $3 expiry of the first token or null. */
const firstSessionStatement = {
  name: 'first_session',
  text: `
update account set first_session = $2, first_session_until = $3
where id = $1 and first_session is null and first_session_until is null`,
}

interface OfUserRow extends UserDataRow {
  readonly is_first_login: boolean
}

/**
 * True before the first session and while the first session is the newest one. The sessions of other issuers are
 * unknown: their users get false from the first session on, or after the first token expires if no claim names the
 * session. Sessions opened by an operator do not count.
 */
const firstLogin = `case
         when a.first_session_until is not null then now() < a.first_session_until
         else a.first_session is null or coalesce(a.first_session = (
           select s.id::text from session s where s.account_id = a.id and s.amr <> '{operator}'
           order by s.created_at desc, s.id desc limit 1), false) end as is_first_login`

const ofUserStatement = {
  name: 'user_data_of_user',
  text: accountRead(`${memberColumns},
       ${firstLogin}`),
}

type OwnSubscriptions = NonNullable<UserData['subscriptions']>

/** The subscriptions of the account, then those of the current organization, each in the order in which they are shown. */
function allSubscriptions(row: AccountRow, rules: Rules): OwnSubscriptions {
  const { subscriptions, organization_subscriptions, organization_id: orgId } = row
  const ofOrganization = inShownOrder(organization_subscriptions, rules).map(detailsOf)
  return [
    ...inShownOrder(subscriptions, rules).map(detailsOf),
    ...ofOrganization.map((one) => ({ ...one, ...(orgId !== null && { orgId }) })),
  ]
}

function detailsOf(subscription: ShownSubscription): OwnSubscriptions[number] {
  const { id, status, plan, product_name, current_period_end, cancel_at_period_end, trial_end, quantity } = subscription
  return {
    id,
    ...(plan && { plan: { id: plan.id, name: plan.name } }),
    ...(product_name !== null && { productName: product_name }),
    status,
    ...(current_period_end !== null && { currentPeriodEnd: new Date(current_period_end).toISOString() }),
    ...(cancel_at_period_end !== null && { cancelAtPeriodEnd: cancel_at_period_end }),
    ...(trial_end !== null && { trialEnd: new Date(trial_end).toISOString() }),
    ...(quantity !== undefined && { quantity }),
  }
}
