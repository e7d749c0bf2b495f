import { LRUCache } from 'lru-cache'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { PermissionScope } from './permission-scope.ts'

/** What roles, plans and prices say. It is the same for every account, changes rarely, and is kept in memory by its version. */
export interface Rules {
  readonly version: string
  readonly roles: ReadonlyMap<string, Role>
  readonly plans: ReadonlyMap<string, Plan>
  /** From the price of a payment processor to the id of a plan. */
  readonly planOfPrice: ReadonlyMap<string, string>
  /** The plan of accounts that never had a subscription. */
  readonly defaultPlan: string | undefined
}

interface Role {
  readonly requiresMfa: boolean
  /** What it grants as the role of an account. */
  readonly ofAccount: GrantSet
  /** What it grants as the role of a member, in that organization. */
  readonly ofMember: GrantSet
}

interface Plan {
  readonly name: string
  /** What it grants to the account that has it. */
  readonly ofAccount: GrantSet
  /** What it grants to the members of the organization that has it. */
  readonly ofMember: GrantSet
}

/** Texts `resource:action`. */
export type GrantSet = ReadonlySet<string>

/** A row that names the version of the rules in force when it was read. */
export interface VersionedRow {
  readonly rules_version: string
}

/**
 * What `read` finds, with the rules that were in force at that moment. If the rules change between the two reads, both are read again.
 * Problem: `overloaded` if they change again and again.
 */
export async function withRules<Row extends VersionedRow>(
  rows: Rows,
  read: () => Promise<Row>,
): Promise<{ readonly row: Row; readonly rules: Rules }> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const row = await read()
    const rules = known.get(row.rules_version) ?? (await loadOnce(rows, row.rules_version))
    if (rules.version === row.rules_version) return { row, rules }
  }
  return refuse('overloaded')
}

const attemptsMax = 10

/** By version, which is random: two databases never share one. */
const known = new LRUCache<string, Rules>({ max: 8 })
const loading = new Map<string, Promise<Rules>>()

/** Callers who miss the same version wait for one statement. */
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
      found.plans.map(({ id, name, grants }) => [
        id,
        { name, ofAccount: grantSet(grants, ['account', 'product']), ofMember: grantSet(grants, ['product']) },
      ]),
    ),
    planOfPrice: new Map(found.prices.map(({ price_id, plan_id }) => [price_id, plan_id])),
    defaultPlan: found.plans.find(({ is_default }) => is_default)?.id,
  }
  known.set(rules.version, rules)
  return rules
}

/** Constraints of the database already refuse grants of other scopes. */
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
    readonly grants: readonly ScopedGrant[]
  }[]
  readonly prices: readonly { readonly price_id: string; readonly plan_id: string }[]
}

const grantsOf = (table: string, isOfHolder: string) => `coalesce((
    select json_agg(json_build_object('permission', g.resource || ':' || g.action, 'scope', permission_scope(g.resource, g.action)))
    from ${table} g where ${isOfHolder}), '[]')`

/** One statement, so that all of it is of one moment. */
const rulesStatement = {
  name: 'rules',
  text: `
select v.version,
  (select coalesce(json_agg(json_build_object('id', r.id, 'requires_mfa', r.requires_mfa,
                                              'grants', ${grantsOf('role_grant', 'g.role_id = r.id')})), '[]') from role r) as roles,
  (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'is_default', p.is_default,
                                              'grants', ${grantsOf('plan_grant', 'g.plan_id = p.id')})), '[]') from plan p) as plans,
  (select coalesce(json_agg(json_build_object('price_id', price_id, 'plan_id', plan_id)), '[]') from plan_price) as prices
from rules_version v`,
}
