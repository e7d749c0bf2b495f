import { LRUCache } from 'lru-cache'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { PermissionScope } from './permission-scope.ts'

/**
 * Roles, plans and prices. They are the same for every account and change rarely, so they are cached in memory by
 * version.
 */
export interface Rules {
  readonly version: string
  readonly roles: ReadonlyMap<string, Role>
  readonly plans: ReadonlyMap<string, Plan>
  /** Price id of the payment processor to plan id. */
  readonly planOfPrice: ReadonlyMap<string, string>
  /** Granted to every account, and shown for accounts that never had a subscription. */
  readonly defaultPlan: string | undefined
}

interface Role {
  readonly requiresMfa: boolean
  /** Grants as the role of an account. */
  readonly ofAccount: GrantSet
  /** Grants as the role of a member, in that organization. */
  readonly ofMember: GrantSet
}

interface Plan {
  readonly name: string
  /** Of several subscriptions in force, the one whose plan has the highest rank is shown. */
  readonly rank: number
  /** Grants to the account that has the plan. */
  readonly ofAccount: GrantSet
  /** Grants to the members of the organization that has the plan. */
  readonly ofMember: GrantSet
}

/** Permissions as `resource:action`. */
export type GrantSet = ReadonlySet<string>

/** A row that names the version of the rules at the time of the read. */
export interface VersionedRow {
  readonly rules_version: string
}

/**
 * The row that `read` returns, with the rules of the same version. Repeats both reads if the rules change in between.
 * Problem: `overloaded` after 10 attempts.
 */
export async function withRules<Row extends VersionedRow>(
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
