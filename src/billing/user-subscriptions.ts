import { shownFirst } from '../identity/subscriptions.ts'
import type { Rows } from '../platform/database/database.ts'
import { utcSecondsText } from '../platform/database/utc-text.ts'
import { refuse } from '../platform/problems.ts'
import { claimRanks } from './events.ts'
import { userSubscriptionsMax } from './user-subscriptions-contract.ts'

/** As JSON text of the contract's `UserSubscriptions`. Throws `user_unknown`. */
export async function readUserSubscriptions(rows: Rows, userId: string): Promise<string> {
  const [row] = await rows.query<{ body: string }>(subscriptionsStatement, [userId])
  return (row ?? refuse('user_unknown')).body
}

/** $1 user. Finds customers by owner first, because a user has few and the table is large. */
const subscriptionsStatement = {
  name: 'billing_user_subscriptions',
  text: `
with payer as (
  select c.id, c.processor, coalesce(c.claim_rank, ${claimRanks.operator}) <> ${claimRanks.reference} as confirmed, null::uuid as organization_id
  from customer c where c.account_id = $1
  union all
  select c.id, c.processor, coalesce(c.claim_rank, ${claimRanks.operator}) <> ${claimRanks.reference}, c.organization_id
  from membership m join customer c on c.organization_id = m.organization_id where m.account_id = $1
), listed as (
  select s.*, c.processor, c.confirmed, c.organization_id, o.name as organization_name,
         row_number() over (order by c.organization_id is not null, ${shownFirst}) as n
  from payer c
  join subscription_with_plan s on s.customer_id = c.id
  left join organization o on o.id = c.organization_id
  order by n
  limit ${userSubscriptionsMax}
)
select json_strip_nulls(json_build_object(
         'subscriptions', (
           select coalesce(json_agg(json_strip_nulls(json_build_object(
                    'id', l.id, 'status', l.status,
                    'isInForce', l.plan_id is not null and l.is_in_force,
                    'plan', case when l.plan_id is not null then json_build_object('id', l.plan_id, 'name', l.plan_name) end,
                    'priceIds', l.price_ids,
                    'productName', l.product_name, 'customerId', l.customer_id, 'processor', l.processor,
                    'isConfirmed', l.confirmed,
                    'organization', case when l.organization_id is not null
                                      then json_build_object('id', l.organization_id, 'name', l.organization_name) end,
                    'currentPeriodEnd', ${utcSecondsText('l.current_period_end')}, 'cancelAtPeriodEnd', l.cancel_at_period_end,
                    'trialEnd', ${utcSecondsText('l.trial_end')}, 'quantity', l.quantity,
                    'createdAt', ${utcSecondsText('l.created_at')}, 'asOf', ${utcSecondsText('l.seen_at')}))
                    order by l.n), '[]')
           from listed l),
         'defaultPlan', (
           select json_build_object('id', d.id, 'name', d.name) from plan d
           where d.is_default and not exists (select from listed l where l.organization_id is null))))::text as body
from account a
where a.id = $1`,
}
