import { LRUCache } from 'lru-cache'
import type { Rows } from '../platform/database/database.ts'
import type { Aal } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import type { PermissionScope } from './permission-scope.ts'
import { isInForce, type Plans, type ShownPlan, type SubscriptionRow } from './subscriptions.ts'

/** The columns that permissions are computed from, and the version of the rules that they were read with. */
export interface PermissionRow {
  readonly rules_version: string
  readonly role_id: string
  readonly aal: Aal
  /** The requested organization, otherwise the current one. Null without an organization. */
  readonly organization_id: string | null
  readonly member_role_id: string | null
  readonly organization_requires_mfa: boolean | null
  /** The subscriptions that the account itself pays for, the newest first. Null for none. */
  readonly subscriptions: readonly SubscriptionRow[] | null
  /** The subscriptions of the organization. */
  readonly organization_subscriptions: readonly SubscriptionRow[] | null
}

/** A role or a plan that grants permissions to the caller. */
export interface Source {
  readonly grants: GrantSet
  /**
   * true: the grants do not count until the session has a second factor, which the role or the organization requires.
   */
  readonly isWithheld: boolean
  readonly isMembership: boolean
}

/**
 * The role of the account and the role in the current organization, then the plans: the default plan, and those of all
 * subscriptions in force.
 */
export function sourcesOf(row: PermissionRow, rules: Rules): readonly Source[] {
  const role = rules.roles.get(row.role_id)
  const memberRole = row.member_role_id === null ? undefined : rules.roles.get(row.member_role_id)
  const isWeak = row.aal < 2
  const isOrganizationWithheld = isWeak && row.organization_requires_mfa === true
  return [
    { grants: role?.ofAccount ?? none, isWithheld: isWeak && role?.requiresMfa === true, isMembership: false },
    {
      grants: memberRole?.ofMember ?? none,
      isWithheld: isOrganizationWithheld || (isWeak && memberRole?.requiresMfa === true),
      isMembership: true,
    },
    ...plansOf(row.subscriptions, rules, rules.defaultPlan).map((plan) => ({
      grants: planGrants(rules, plan, 'ofAccount'),
      isWithheld: false,
      isMembership: false,
    })),
    ...plansOf(row.organization_subscriptions, rules).map((plan) => ({
      grants: planGrants(rules, plan, 'ofMember'),
      isWithheld: isOrganizationWithheld,
      isMembership: false,
    })),
  ]
}

const none: GrantSet = new Set()

/** The ids of the plans of all prices of all subscriptions in force, and one more. */
function plansOf(subscriptions: readonly SubscriptionRow[] | null, { planOfPrice }: Rules, another?: string): string[] {
  const prices = (subscriptions ?? []).filter(isInForce).flatMap(({ price_ids }) => price_ids)
  const plans = [another, ...prices.map((price) => planOfPrice.get(price))]
  return [...new Set(plans.filter((plan) => plan !== undefined))]
}

function planGrants({ plans }: Rules, id: string, holder: 'ofAccount' | 'ofMember'): GrantSet {
  return plans.get(id)?.[holder] ?? none
}

/** Resource to actions, both sorted. */
export function permissionsOf(row: PermissionRow, rules: Rules): Record<string, string[]> {
  const granted = new Set<string>()
  for (const { grants, isWithheld } of sourcesOf(row, rules))
    if (!isWithheld) for (const one of grants) granted.add(one)
  const permissions: Record<string, string[]> = {}
  for (const permission of [...granted].sort()) {
    const [resource = '', action = ''] = permission.split(':')
    const actions = permissions[resource]
    if (actions) actions.push(action)
    else permissions[resource] = [action]
  }
  return permissions
}

/** Whether some grants do not count until the session has a second factor. */
export function isMfaRequired(row: PermissionRow, rules: Rules): boolean {
  return sourcesOf(row, rules).some(({ isWithheld }) => isWithheld)
}

/**
 * Roles, plans and prices. They are the same for every account and change rarely, so they are cached in memory by
 * version.
 */
export interface Rules extends Plans {
  readonly version: string
  readonly roles: ReadonlyMap<string, Role>
  readonly plans: ReadonlyMap<string, Plan>
}

interface Role {
  readonly requiresMfa: boolean
  /** Grants as the role of an account. */
  readonly ofAccount: GrantSet
  /** Grants as the role of a member, in that organization. */
  readonly ofMember: GrantSet
}

interface Plan extends ShownPlan {
  /** Grants to the account that has the plan. */
  readonly ofAccount: GrantSet
  /** Grants to the members of the organization that has the plan. */
  readonly ofMember: GrantSet
}

/** Permissions as `resource:action`. */
type GrantSet = ReadonlySet<string>

/**
 * The row that `read` returns, with the rules of the same version. Repeats both reads if the rules change in between.
 * Problem: `overloaded` after 10 attempts.
 */
export async function withRules<Row extends Pick<PermissionRow, 'rules_version'>>(
  rows: Rows,
  read: () => Promise<Row>,
): Promise<{ readonly row: Row; readonly rules: Rules }> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const row = await read()
    const rules = cachedRules.get(row.rules_version) ?? (await loadOnce(rows, row.rules_version))
    if (rules.version === row.rules_version) return { row, rules }
  }
  return refuse('overloaded')
}

const attemptsMax = 10

/** By version. Versions are random, so two databases never share one. */
const cachedRules = new LRUCache<string, Rules>({ max: 8 })
const loading = new Map<string, Promise<Rules>>()

/** Concurrent callers that miss the same version share one query. */
function loadOnce(rows: Rows, version: string): Promise<Rules> {
  const running = loading.get(version)
  if (running) return running
  const started = load(rows).finally(() => loading.delete(version))
  loading.set(version, started)
  return started
}

async function load(rows: Rows): Promise<Rules> {
  const [found] = await rows.query<RulesRow>(rulesStatement, [])
  if (!found) throw new Error('The table rules_version has no row.')
  const rules: Rules = {
    version: found.version,
    roles: new Map(
      found.roles.map(({ id, requires_mfa, grants }) => [
        id,
        {
          requiresMfa: requires_mfa,
          ofAccount: grantSet(grants, ['service', 'account', 'product']),
          ofMember: grantSet(grants, ['organization', 'product']),
        },
      ]),
    ),
    plans: new Map(
      found.plans.map(({ id, name, rank, grants }) => [
        id,
        { name, rank, ofAccount: grantSet(grants, ['account', 'product']), ofMember: grantSet(grants, ['product']) },
      ]),
    ),
    planOfPrice: new Map(found.prices.map(({ price_id, plan_id }) => [price_id, plan_id])),
    defaultPlan: found.plans.find(({ is_default }) => is_default)?.id,
  }
  cachedRules.set(rules.version, rules)
  return rules
}

/** Database constraints already reject grants of other scopes. */
function grantSet(grants: readonly ScopedGrant[], scopes: readonly PermissionScope[]): GrantSet {
  return new Set(grants.filter(({ scope }) => scopes.includes(scope)).map(({ permission }) => permission))
}

interface ScopedGrant {
  readonly permission: string
  readonly scope: PermissionScope
}

interface RulesRow {
  readonly version: string
  readonly roles: readonly {
    readonly id: string
    readonly requires_mfa: boolean
    readonly grants: readonly ScopedGrant[]
  }[]
  readonly plans: readonly {
    readonly id: string
    readonly name: string
    readonly is_default: boolean
    readonly rank: number
    readonly grants: readonly ScopedGrant[]
  }[]
  readonly prices: readonly { readonly price_id: string; readonly plan_id: string }[]
}

const grantsOf = (table: string, isOfHolder: string) => `coalesce((
    select json_agg(json_build_object('permission', g.resource || ':' || g.action, 'scope', permission_scope(g.resource, g.action)))
    from ${table} g where ${isOfHolder}), '[]')`

/** One statement, so that the result is consistent. */
const rulesStatement = {
  name: 'rules',
  text: `
select v.version,
  (select coalesce(json_agg(json_build_object('id', r.id, 'requires_mfa', r.requires_mfa,
                                              'grants', ${grantsOf('role_grant', 'g.role_id = r.id')})), '[]') from role r) as roles,
  (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'is_default', p.is_default, 'rank', p.rank,
                                              'grants', ${grantsOf('plan_grant', 'g.plan_id = p.id')})), '[]') from plan p) as plans,
  (select coalesce(json_agg(json_build_object('price_id', price_id, 'plan_id', plan_id)), '[]') from plan_price) as prices
from rules_version v`,
}
