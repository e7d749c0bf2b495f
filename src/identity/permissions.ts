import type { AccountRow } from './account.ts'
import type { GrantSet, Rules } from './rules.ts'
import { inShownOrder, isInForce, type ShownSubscription, type SubscriptionRow } from './subscriptions.ts'

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

/**
 * The role of the account and the role in the current organization, then the plans: the default plan, and those of all
 * subscriptions in force.
 */
export function sourcesOf(row: AccountRow, rules: Rules): readonly Source[] {
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

/** The subscription of the account that is shown, or the default plan if the account never had a subscription. */
export function subscriptionData(row: AccountRow, rules: Rules): SubscriptionData | undefined {
  const [shown] = inShownOrder(row.subscriptions, rules)
  if (shown) return dataOf(shown)
  const { defaultPlan } = rules
  const name = defaultPlan === undefined ? undefined : rules.plans.get(defaultPlan)?.name
  if (defaultPlan === undefined || name === undefined) return undefined
  return { plan_id: defaultPlan, plan_name: name, status: 'active' }
}

export function organizationSubscriptionData(
  row: AccountRow,
  rules: Rules,
): (SubscriptionData & { readonly org_id: string }) | undefined {
  const [shown] = inShownOrder(row.organization_subscriptions, rules)
  if (!shown || row.organization_id === null) return undefined
  return { ...dataOf(shown), org_id: row.organization_id }
}

/** Without a plan, a subscription appears under its first price and the product name. */
function dataOf({ plan, price_ids, product_name, status, customer_id }: ShownSubscription): SubscriptionData {
  const id = plan?.id ?? price_ids[0]
  const name = plan ? plan.name : product_name
  return {
    ...(id !== undefined && { plan_id: id }),
    ...(name !== null && { plan_name: name }),
    status,
    billing_customer_id: customer_id,
  }
}
