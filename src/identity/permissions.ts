import { type AccountRow, type Subscription, statusesInForce } from './account.ts'
import type { GrantSet, Rules } from './rules.ts'

/** One place that permissions come from. */
export interface Source {
  readonly grants: GrantSet
  /** The role or the organization requires a second factor, and the session has shown none: nothing counts from here. */
  readonly isWithheld: boolean
  readonly isMembership: boolean
}

/** A subscription as user data show it. Members are named as in the contract. */
export interface ShownSubscription {
  readonly plan_id?: string
  readonly plan_name?: string
  readonly status: string
  readonly billing_customer_id?: string
}

/** The role of the account and the role in the current organization, then the plans of both. */
export function sourcesOf(row: AccountRow, rules: Rules): readonly Source[] {
  const role = rules.roles.get(row.role_id)
  const memberRole = row.member_role_id === null ? undefined : rules.roles.get(row.member_role_id)
  const isWeak = row.aal < 2
  const isOrganizationWithheld = isWeak && row.organization_requires_mfa === true
  const plan = grantingPlan(row.subscription, rules) ?? (row.subscription ? undefined : rules.defaultPlan)
  const organizationPlan = grantingPlan(row.organization_subscription, rules)
  return [
    { grants: role?.ofAccount ?? none, isWithheld: isWeak && role?.requiresMfa === true, isMembership: false },
    {
      grants: memberRole?.ofMember ?? none,
      isWithheld: isOrganizationWithheld || (isWeak && memberRole?.requiresMfa === true),
      isMembership: true,
    },
    { grants: planGrants(rules, plan, 'ofAccount'), isWithheld: false, isMembership: false },
    {
      grants: planGrants(rules, organizationPlan, 'ofMember'),
      isWithheld: isOrganizationWithheld,
      isMembership: false,
    },
  ]
}

const none: GrantSet = new Set()

/** The id of the plan, if the subscription grants anything. */
function grantingPlan(subscription: Subscription | null, rules: Rules): string | undefined {
  if (!subscription || !statusesInForce.includes(subscription.status)) return undefined
  return rules.planOfPrice.get(subscription.price_id)
}

function planGrants({ plans }: Rules, id: string | undefined, holder: 'ofAccount' | 'ofMember'): GrantSet {
  return (id === undefined ? undefined : plans.get(id)?.[holder]) ?? none
}

/** From resource to actions, both in alphabetical order. */
export function permissionsOf(row: AccountRow, rules: Rules): Record<string, string[]> {
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

/** Whether permissions are missing until the session shows a second factor. */
export function isMfaRequired(row: AccountRow, rules: Rules): boolean {
  return sourcesOf(row, rules).some(({ isWithheld }) => isWithheld)
}

/** The account's own subscription, or the default plan if it never had one. */
export function shownSubscription(row: AccountRow, rules: Rules): ShownSubscription | undefined {
  if (row.subscription) return shown(row.subscription, rules)
  const { defaultPlan } = rules
  const name = defaultPlan === undefined ? undefined : rules.plans.get(defaultPlan)?.name
  if (defaultPlan === undefined || name === undefined) return undefined
  return { plan_id: defaultPlan, plan_name: name, status: 'active' }
}

export function shownOrganizationSubscription(
  row: AccountRow,
  rules: Rules,
): (ShownSubscription & { readonly org_id: string }) | undefined {
  if (!row.organization_subscription || row.organization_id === null) return undefined
  return { ...shown(row.organization_subscription, rules), org_id: row.organization_id }
}

/** A price without a plan is shown under its own id and the name of its product. */
function shown({ price_id, product_name, status, customer_id }: Subscription, rules: Rules): ShownSubscription {
  const planId = rules.planOfPrice.get(price_id)
  const name = planId === undefined ? product_name : rules.plans.get(planId)?.name
  return {
    plan_id: planId ?? price_id,
    ...(name !== null && name !== undefined && { plan_name: name }),
    status,
    billing_customer_id: customer_id,
  }
}
