/** A row of the table `subscription` as JSON. Null members were not reported by the payment processor. */
export interface SubscriptionRow {
  readonly id: string
  readonly customer_id: string
  /** In the order of the items. */
  readonly price_ids: readonly string[]
  /** In the order of the items. */
  readonly quantities: readonly (number | null)[]
  /** Of the first price. */
  readonly product_name: string | null
  readonly status: string
  readonly current_period_end: string | null
  readonly cancel_at_period_end: boolean | null
  readonly trial_end: string | null
}

/** The rules that subscriptions are shown by. */
export interface Plans {
  readonly plans: ReadonlyMap<string, ShownPlan>
  /** Price id of the payment processor to plan id. */
  readonly planOfPrice: ReadonlyMap<string, string>
  /** Granted to every account, and shown for accounts that never had a subscription. */
  readonly defaultPlan: string | undefined
}

export interface ShownPlan {
  readonly name: string
  /** Of several subscriptions in force, the one whose plan has the highest rank is shown. */
  readonly rank: number
}

/** SQL expression: all subscriptions of the customers `c` that match, as a JSON array of `SubscriptionRow`, the newest first. Null for none. */
export const subscriptionsOf = (isCustomer: string) => `(
         select json_agg(json_build_object(
                  'id', s.id, 'customer_id', c.id, 'price_ids', s.price_ids, 'quantities', s.quantities, 'product_name', s.product_name,
                  'status', s.status, 'current_period_end', s.current_period_end, 'cancel_at_period_end', s.cancel_at_period_end,
                  'trial_end', s.trial_end)
                order by s.created_at desc, s.id)
         from customer c join subscription s on s.customer_id = c.id
         where ${isCustomer})`

/** Whether a subscription with this status grants its plans. The view `subscription_with_plan` has the same statuses. */
export function isInForce({ status }: SubscriptionRow): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due'
}

/** A subscription with the plan that it is shown with. */
export interface ShownSubscription extends SubscriptionRow {
  readonly plan: { readonly id: string; readonly name: string } | undefined
  readonly quantity: number | undefined
}

/**
 * The subscriptions of one payer in the order in which they are shown, from the newest first. User data are ordered here
 * and not in SQL, because the rules are in memory: joining the plans would cost half as much again as the whole read.
 */
export function inShownOrder(rows: readonly SubscriptionRow[] | null, plans: Plans): readonly ShownSubscription[] {
  if (rows === null) return []
  return rows
    .map((row) => withBestPlan(row, plans))
    .sort(({ order: [a1, a2, a3] }, { order: [b1, b2, b3] }) => b1 - a1 || b2 - a2 || b3 - a3)
}

/** Of the plans of its prices the one with the highest rank, then the one of the first item. */
function withBestPlan(row: SubscriptionRow, { planOfPrice, plans }: Plans) {
  let at = -1
  let best: { readonly id: string; readonly name: string; readonly rank: number } | undefined
  for (const [index, price] of row.price_ids.entries()) {
    const id = planOfPrice.get(price)
    const plan = id === undefined ? undefined : plans.get(id)
    if (id === undefined || !plan || (best && plan.rank <= best.rank)) continue
    best = { id, name: plan.name, rank: plan.rank }
    at = index
  }
  const order: readonly [number, number, number] = [
    Number(isInForce(row)),
    Number(best !== undefined),
    isInForce(row) ? (best?.rank ?? 0) : endedStatuses.indexOf(row.status),
  ]
  return { ...row, plan: best, quantity: row.quantities[Math.max(at, 0)] ?? undefined, order }
}

/** Statuses of subscriptions that are not in force; the last one is shown first, and an unknown one last. */
const endedStatuses = ['incomplete_expired', 'canceled', 'incomplete', 'paused', 'unpaid']

/** A subscription in user data, with the contract's member names. */
interface SubscriptionData {
  readonly plan_id?: string
  readonly plan_name?: string
  readonly status: string
  readonly billing_customer_id?: string
}

/** The subscription of the account that is shown, or the default plan if the account never had a subscription. */
export function subscriptionData(
  subscriptions: readonly SubscriptionRow[] | null,
  plans: Plans,
): SubscriptionData | undefined {
  const [shown] = inShownOrder(subscriptions, plans)
  if (shown) return dataOf(shown)
  const { defaultPlan } = plans
  const name = defaultPlan === undefined ? undefined : plans.plans.get(defaultPlan)?.name
  if (defaultPlan === undefined || name === undefined) return undefined
  return { plan_id: defaultPlan, plan_name: name, status: 'active' }
}

export function organizationSubscriptionData(
  orgId: string | null,
  subscriptions: readonly SubscriptionRow[] | null,
  plans: Plans,
): (SubscriptionData & { readonly org_id: string }) | undefined {
  const [shown] = inShownOrder(subscriptions, plans)
  return shown && orgId !== null ? { ...dataOf(shown), org_id: orgId } : undefined
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

/** The order of `inShownOrder` in SQL, for rows `s` of `subscription_with_plan`. docs/billing.md has the table of cases. */
export const shownFirst = `s.is_in_force desc, s.plan_id is null, case when s.is_in_force then s.plan_rank end desc,
           case when not s.is_in_force then array_position(array['unpaid', 'paused', 'incomplete', 'canceled', 'incomplete_expired'], s.status) end,
           s.created_at desc, s.id`

/**
 * SQL expression: the id of an account's plan. That is the plan of the subscription that is shown while that is in
 * force, or the default plan if the account never had a subscription. Otherwise null.
 */
export const planIdOf = (accountId: string) => `nullif(coalesce(
  ${paidPlanIdOf(`c.account_id = ${accountId}`)},
  (select d.id from plan d where d.is_default)), '')`

/** SQL expression: the id of an organization's plan, or null. Organizations have no default plan. */
export const planIdOfOrganization = (id: string) => `nullif(${paidPlanIdOf(`c.organization_id = ${id}`)}, '')`

/** Empty if the subscription that is shown is not in force; null without a subscription. */
const paidPlanIdOf = (isCustomer: string) => `(
  select case when s.is_in_force then coalesce(s.plan_id, s.price_ids[1], '') else '' end
  from customer c join subscription_with_plan s on s.customer_id = c.id
  where ${isCustomer} order by ${shownFirst} limit 1)`
