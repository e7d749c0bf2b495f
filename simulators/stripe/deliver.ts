import { createHmac } from 'node:crypto'

/** The header Stripe-Signature: HMAC-SHA-256 over the time, a dot and the bytes. Source: docs.stripe.com/webhooks/signature. */
export function sign(body: string, secret: string, atSeconds: number): string {
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${signature}`
}

interface Endpoint {
  readonly url: string
  readonly secret: string
  /** The receiver's clock, milliseconds since 1970; the machine's clock by default. */
  readonly now?: () => number
}

export interface Delivery {
  readonly status: number
  readonly body: unknown
}

/** Sends an event once, freshly signed. */
export async function deliver(event: unknown, { url, secret, now = Date.now }: Endpoint): Promise<Delivery> {
  const body = JSON.stringify(event)
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': sign(body, secret, Math.floor(now() / 1_000)),
    },
    body,
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

export interface DeliveryOrder {
  /** Concurrent deliveries. */
  readonly parallel?: number
  /** How often a rejected event is sent, like Stripe does over three days. */
  readonly attempts?: number
}

/** Sends events in the given order, including repetitions; returns the deliveries that never got a 2xx. */
export async function deliverAll(
  events: readonly unknown[],
  endpoint: Endpoint,
  { parallel = 1, attempts = 5 }: DeliveryOrder = {},
): Promise<Delivery[]> {
  const failed: Delivery[] = []
  const queue = events.values()
  const work = async () => {
    for (const event of queue) {
      let delivery = await deliver(event, endpoint)
      for (let attempt = 1; delivery.status >= 300 && attempt < attempts; attempt += 1)
        delivery = await deliver(event, endpoint)
      if (delivery.status >= 300) failed.push(delivery)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return failed
}
