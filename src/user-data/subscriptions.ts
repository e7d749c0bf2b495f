import type { AccountRow } from '../identity/account.ts'
import type { Rules } from '../identity/rules.ts'
import type { Subscription } from '../identity/subscriptions.ts'
import type { UserData } from './contract.ts'

type OwnSubscriptions = NonNullable<UserData['subscriptions']>

/** The subscriptions of the account, then those of the current organization, each in the order of `shownFirst`. */
export function allSubscriptions(row: AccountRow, rules: Rules): OwnSubscriptions {
  const { subscriptions, organization_subscriptions, organization_id: orgId } = row
  const ofOrganization = (organization_subscriptions ?? []).map((one) => detailsOf(one, rules))
  return [
    ...(subscriptions ?? []).map((one) => detailsOf(one, rules)),
    ...ofOrganization.map((one) => ({ ...one, ...(orgId !== null && { orgId }) })),
  ]
}

function detailsOf(subscription: Subscription, { plans }: Rules): OwnSubscriptions[number] {
  const { id, status, plan_id, product_name, current_period_end, cancel_at_period_end, trial_end, quantity } =
    subscription
  const plan = plan_id === null ? undefined : plans.get(plan_id)
  return {
    id,
    ...(plan_id !== null && plan && { plan: { id: plan_id, name: plan.name } }),
    ...(product_name !== null && { productName: product_name }),
    status,
    ...(current_period_end !== null && { currentPeriodEnd: new Date(current_period_end).toISOString() }),
    ...(cancel_at_period_end !== null && { cancelAtPeriodEnd: cancel_at_period_end }),
    ...(trial_end !== null && { trialEnd: new Date(trial_end).toISOString() }),
    ...(quantity !== null && { quantity }),
  }
}
