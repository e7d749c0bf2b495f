import type { Service } from './service.ts'

let subscriptions = 0

export interface SubscriptionRow {
  readonly customer: string
  readonly accountId?: string
  readonly orgId?: string
  readonly price: string
  readonly status: string
  readonly product?: string
}

/** A subscription as a webhook event would have stored it; each is newer than the one before. */
export async function subscribe(service: Service, row: SubscriptionRow): Promise<void> {
  const { customer, accountId = null, orgId = null, price, status, product = null } = row
  subscriptions += 1
  await service.sql(
    'insert into customer (id, account_id, organization_id) values ($1, $2, $3) on conflict (id) do nothing',
    [customer, accountId, orgId],
  )
  await service.sql(
    `insert into subscription (id, customer_id, price_ids, product_name, status, created_at, seen_at, seen_rank)
     values ($1, $2, array[$3], $4, $5, now() + make_interval(secs => $6), now(), 0)`,
    [`sub_${customer}_${subscriptions}`, customer, price, product, status, subscriptions],
  )
}
