import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import type { Rows } from '../platform/database/database.ts'
import type { EventOutcome } from './apply-event.ts'
import { isWithoutPlan } from './plans.ts'

interface BillingMetrics {
  countEvent(type: string, outcome: EventOutcome): void
}

/** Each scrape reads the gauges from the database. */
export function createBillingMetrics(rows: Rows, registry: Registry): BillingMetrics {
  const events = new Counter({
    name: 'muster_billing_events_total',
    help: 'Verified webhook events of payment processors.',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  })
  const gauge = (name: string, help: string, column: keyof Counts) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // Reports NaN while the database is down, so that the rest of the scrape succeeds.
        const [counts] = await rows.query<Counts>(countsStatement, []).catch(() => [])
        this.set(counts?.[column] ?? Number.NaN)
      },
    })
  gauge('muster_billing_unmapped_prices', 'Prices of subscriptions without a plan.', 'unmapped')
  gauge('muster_billing_waiting_customers', 'Customers with a subscription and no owner.', 'waiting')
  return {
    // Events are signed, so the processor's documentation bounds the number of types.
    countEvent: (type, outcome) => events.inc({ type, outcome }),
  }
}

interface Counts {
  readonly unmapped: number
  readonly waiting: number
}

const countsStatement = {
  name: 'billing_counts',
  text: `
select (select count(distinct price_id)::int from subscription s, unnest(s.price_ids) price_id
        where ${isWithoutPlan('s')}) as unmapped,
       (select count(*)::int from customer c
        where c.account_id is null and c.organization_id is null and c.erased_at is null
          and exists (select from subscription s where s.customer_id = c.id)) as waiting`,
}
