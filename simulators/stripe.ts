import { parseArgs } from 'node:util'
import { deliverAll } from './stripe/deliver.ts'
import { type StripeSimulator, simulatedKey, startStripeSimulator } from './stripe/server.ts'
import type { SimulatedEvent } from './stripe/state.ts'

/**
 * Simulates Stripe, so that billing works without an account:
 * npm run simulator -- stripe [--port 4710 --account <id>]. Changes subscriptions and sends their signed events late,
 * twice, out of order and in parallel. Loopback only.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4710' },
    webhook: { type: 'string', default: 'http://127.0.0.1:4600/webhooks/stripe' },
    secret: { type: 'string', default: 'whsec_simulated' },
    account: { type: 'string' },
    subscriptions: { type: 'string', default: '3' },
  },
})
const port = wholeNumber('--port', values.port)
const count = wholeNumber('--subscriptions', values.subscriptions)
const simulator = await startStripeSimulator({ port })

console.log(`Stripe simulator on ${simulator.url}

Start Muster with

  STRIPE_SECRET_KEY=${simulatedKey} STRIPE_WEBHOOK_SECRET=${values.secret} MUSTER_STRIPE_URL=${simulator.url}
`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void simulator.close().then(() => process.exit(0)))

const events = liveThrough(simulator, count, values.account)
const copies = [...events, ...events.slice(0, Math.ceil(events.length / 2))].sort(() => Math.random() - 0.5)
console.log(
  `Sending ${copies.length} deliveries of ${events.length} events to ${values.webhook}, shuffled and four at once …`,
)
try {
  const failed = await deliverAll(copies, { url: values.webhook, secret: values.secret }, { parallel: 4 })
  console.log(
    failed.length === 0
      ? 'Every event was accepted.'
      : `${failed.length} were rejected, the first with ${JSON.stringify(failed[0])}`,
  )
} catch {
  console.log('The address does not answer. Start Muster, then start the simulator again.')
}
console.log('\nThe subscriptions, to compare with GET /api/v1/user/data and muster billing sync:')
for (const { id, customerId, status, priceIds } of simulator.state.subscriptions.values())
  console.log(`  ${id}  ${customerId}  ${status.padEnd(10)}  ${priceIds.join(', ')}`)

/** Created, paid, failed, paid again; every third ends. The first belongs to the `--account`, if given. */
function liveThrough({ state }: StripeSimulator, subscriptions: number, account: string | undefined): SimulatedEvent[] {
  for (let n = 0; n < subscriptions; n += 1) {
    const metadata = n === 0 && account !== undefined ? { muster_account_id: account } : {}
    const customer = state.addCustomer({ metadata })
    const { id } = state.subscribe(customer.id, { status: 'incomplete', priceIds: ['price_basic'] })
    state.change(id, { status: 'active' })
    state.change(id, { status: 'past_due' })
    state.change(id, { status: 'active', priceIds: ['price_pro'] })
    if (n % 3 === 2) state.cancel(id)
  }
  return [...state.events]
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  console.error(`${name} must be a whole number up to 65535, not ${JSON.stringify(text)}`)
  process.exit(1)
}
