import { Counter, Gauge, type Registry } from 'prom-client'
import type { Rows } from '../platform/database/database.ts'
import type { EventOutcome } from './settle.ts'

export interface BillingMetrics {
  countEvent(type: string, outcome: EventOutcome): void
}

/** Gauges ask the database when they are read. */
export function createBillingMetrics(rows: Rows, registry: Registry): BillingMetrics {
  const events = new Counter({
    name: 'muster_billing_events_total',
    help: 'Genuine events of the payment processor, by what became of them.',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  })
  const gauge = (name: string, help: string, column: keyof Counts) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      // Read from the database, so every worker would tell the same.
      aggregator: 'first',
      async collect() {
        // Without a database there is nothing to count, and the other metrics are wanted all the more.
        const [counts] = await rows.query<Counts>(countsStatement, []).catch(() => [])
        this.set(counts?.[column] ?? Number.NaN)
      },
    })
  gauge('muster_billing_unmapped_prices', 'Prices of subscriptions that belong to no plan.', 'unmapped')
  gauge('muster_billing_waiting_customers', 'Customers with a subscription and without an owner.', 'waiting')
  return {
    // Types come signed from the processor, so their number is bounded by its documentation.
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
select (select count(distinct s.price_id)::int from subscription s
        where not exists (select from plan_price p where p.price_id = s.price_id)) as unmapped,
       (select count(*)::int from customer c
        where c.account_id is null and c.organization_id is null
          and exists (select from subscription s where s.customer_id = c.id)) as waiting`,
}
