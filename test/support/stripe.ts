import { onTestFinished } from 'vitest'
import { type Delivery, type DeliveryOrder, deliver, deliverAll } from '../../simulators/stripe/deliver.ts'
import { type StripeSimulator, simulatedKey, startStripeSimulator } from '../../simulators/stripe/server.ts'
import { type Service, startService } from './service.ts'

export const webhookSecret = 'whsec_test_1'

/** The service with a simulated Stripe, whose clock stands still until it is moved: consecutive events have the same second. */
export interface Billed {
  readonly service: Service
  readonly stripe: StripeSimulator
  readonly advanceSeconds: (seconds: number) => void
  readonly deliver: (event: unknown) => Promise<Delivery>
  /** Answers the deliveries that never got a 2xx. */
  readonly deliverAll: (events: readonly unknown[], order?: DeliveryOrder) => Promise<Delivery[]>
  stop(): Promise<void>
}

export interface BilledOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Without a key of Stripe's API. */
  readonly isWebhookOnly?: boolean
}

export async function startBilled({ env = {}, isWebhookOnly = false }: BilledOptions = {}): Promise<Billed> {
  let nowMs = Date.parse('2026-05-01T12:00:00Z')
  const stripe = await startStripeSimulator({ now: () => nowMs })
  const service = await startService({
    env: {
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      MUSTER_STRIPE_URL: stripe.url,
      ...(!isWebhookOnly && { STRIPE_SECRET_KEY: simulatedKey }),
      ...env,
    },
  })
  const endpoint = { url: `${service.url}/webhooks/stripe`, secret: webhookSecret, now: service.clock.now }
  return {
    service,
    stripe,
    advanceSeconds(seconds) {
      nowMs += seconds * 1_000
    },
    deliver: (event) => deliver(event, endpoint),
    deliverAll: (events, order) => deliverAll(events, endpoint, order),
    async stop() {
      await service.stop()
      await stripe.close()
    },
  }
}

export async function billedForTest(options?: BilledOptions): Promise<Billed> {
  const billed = await startBilled(options)
  onTestFinished(() => billed.stop())
  return billed
}

export interface StoredSubscription {
  readonly id: string
  readonly customer_id: string
  readonly status: string
  readonly price_ids: readonly string[]
  readonly product_name: string | null
}

export async function stored(service: Service, id: string): Promise<StoredSubscription | undefined> {
  const [row] = await service.sql<StoredSubscription>(
    'select id, customer_id, status, price_ids, product_name from subscription where id = $1',
    [id],
  )
  return row
}

/** What should be stored, from the simulator's truth. */
export function truth({ state }: StripeSimulator, id: string): Omit<StoredSubscription, 'product_name'> | undefined {
  const found = state.subscriptions.get(id)
  return found && { id, customer_id: found.customerId, status: found.status, price_ids: found.priceIds }
}
