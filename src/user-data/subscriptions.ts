import type { AccountRow } from '../identity/account.ts'
import type { Rules } from '../identity/rules.ts'
import { inShownOrder, type ShownSubscription } from '../identity/subscriptions.ts'
import type { UserData } from './contract.ts'

type OwnSubscriptions = NonNullable<UserData['subscriptions']>

/** The subscriptions of the account, then those of the current organization, each in the order in which they are shown. */
export function allSubscriptions(row: AccountRow, rules: Rules): OwnSubscriptions {
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
