/** A row of the view `subscription_with_plan` as JSON. Null members were not reported by the payment processor. */
export interface Subscription {
  readonly id: string
  readonly customer_id: string
  /** In the order of the items. */
  readonly price_ids: readonly string[]
  /** Of the first price. */
  readonly product_name: string | null
  readonly status: string
  /** Only a subscription in force grants its plans. */
  readonly is_in_force: boolean
  /** The plan that it is shown with; null if none of its prices has one. */
  readonly plan_id: string | null
  readonly quantity: number | null
  readonly current_period_end: string | null
  readonly cancel_at_period_end: boolean | null
  readonly trial_end: string | null
}

/**
 * SQL order of rows `s` of `subscription_with_plan`; the first one is shown. In force before not in force, with a plan
 * before without one. In force, the higher rank of the plan comes first; otherwise the order of the statuses counts.
 * Then the newest. docs/billing.md has the table.
 */
export const shownFirst = `s.is_in_force desc, s.plan_id is null, case when s.is_in_force then s.plan_rank end desc,
           case when not s.is_in_force then array_position(array['unpaid', 'paused', 'incomplete', 'canceled', 'incomplete_expired'], s.status) end,
           s.created_at desc, s.id`

/** SQL expression: all subscriptions of the customers `c` that match, as a JSON array of `Subscription`. Null for none. */
export const subscriptionsOf = (isCustomer: string) => `(
         select json_agg(json_build_object(
                  'id', s.id, 'customer_id', c.id, 'price_ids', s.price_ids, 'product_name', s.product_name, 'status', s.status,
                  'is_in_force', s.is_in_force, 'plan_id', s.plan_id, 'quantity', s.quantity,
                  'current_period_end', s.current_period_end, 'cancel_at_period_end', s.cancel_at_period_end, 'trial_end', s.trial_end)
                order by ${shownFirst})
         from customer c join subscription_with_plan s on s.customer_id = c.id
         where ${isCustomer})`

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
