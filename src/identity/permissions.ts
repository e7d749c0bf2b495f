import { type AccountRow, type Subscription, statusesInForce } from './account.ts'
import type { GrantSet, Rules } from './rules.ts'

/** A role or a plan that grants permissions to the caller. */
export interface Source {
  readonly grants: GrantSet
  /**
   * true: the grants do not count until the session has a second factor, which the role or the organization requires.
   */
  readonly isWithheld: boolean
  readonly isMembership: boolean
}

/** A subscription in user data, with the contract's member names. */
interface SubscriptionData {
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

/** The id of the plan, if the subscription is in force. */
function grantingPlan(subscription: Subscription | null, rules: Rules): string | undefined {
  if (!subscription || !statusesInForce.includes(subscription.status)) return undefined
  return rules.planOfPrice.get(subscription.price_id)
}

function planGrants({ plans }: Rules, id: string | undefined, holder: 'ofAccount' | 'ofMember'): GrantSet {
  return (id === undefined ? undefined : plans.get(id)?.[holder]) ?? none
}

/** Resource to actions, both sorted. */
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

/** Whether some grants do not count until the session has a second factor. */
export function isMfaRequired(row: AccountRow, rules: Rules): boolean {
  return sourcesOf(row, rules).some(({ isWithheld }) => isWithheld)
}

/** The account's subscription, or the default plan if the account never had a subscription. */
export function subscriptionData(row: AccountRow, rules: Rules): SubscriptionData | undefined {
  if (row.subscription) return dataOf(row.subscription, rules)
  const { defaultPlan } = rules
  const name = defaultPlan === undefined ? undefined : rules.plans.get(defaultPlan)?.name
  if (defaultPlan === undefined || name === undefined) return undefined
  return { plan_id: defaultPlan, plan_name: name, status: 'active' }
}

export function organizationSubscriptionData(
  row: AccountRow,
  rules: Rules,
): (SubscriptionData & { readonly org_id: string }) | undefined {
  if (!row.organization_subscription || row.organization_id === null) return undefined
  return { ...dataOf(row.organization_subscription, rules), org_id: row.organization_id }
}

/** A price without a plan appears under the price id and the product name. */
function dataOf({ price_id, product_name, status, customer_id }: Subscription, rules: Rules): SubscriptionData {
  const planId = rules.planOfPrice.get(price_id)
  const name = planId === undefined ? product_name : rules.plans.get(planId)?.name
  return {
    plan_id: planId ?? price_id,
    ...(name !== null && name !== undefined && { plan_name: name }),
    status,
    billing_customer_id: customer_id,
  }
}
