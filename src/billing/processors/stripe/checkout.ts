import type { Logger } from 'pino'
import { Stripe } from 'stripe'
import { refuse } from '../../../platform/problems.ts'
import type { CheckoutApi } from '../../processor.ts'
import { isMissing, logStripe, refuseStripe } from './client.ts'

/** Stripe Checkout and the customer portal. */
export function stripeCheckout(client: Stripe, log: Logger): CheckoutApi {
  return {
    async openCheckout({ payer, priceId, quantity = 1, successUrl, cancelUrl, sameAs }) {
      const owner = payer.organizationId ?? payer.accountId
      // On both objects, so that the customer has its owner whichever event arrives first.
      const metadata =
        payer.organizationId === undefined
          ? { muster_account_id: payer.accountId }
          : { muster_org_id: payer.organizationId }
      const session = await client.checkout.sessions
        .create(
          {
            mode: 'subscription',
            line_items: [{ price: priceId, quantity }],
            client_reference_id: owner,
            metadata,
            subscription_data: { metadata },
            success_url: successUrl,
            ...(cancelUrl !== undefined && { cancel_url: cancelUrl }),
            ...customerOf(payer),
          },
          { idempotencyKey: sameAs },
        )
        .catch((error: unknown) => refuseCheckout(error, log))
      return { url: session.url ?? refuse('processor_refused') }
    },
    openChange: (order) => openChange(client, log, order),
    async openPortal(customerId, returnUrl) {
      const session = await client.billingPortal.sessions
        .create({ customer: customerId, return_url: returnUrl })
        .catch((error: unknown) => refuseCheckout(error, log))
      return { url: session.url }
    },
  }
}

/** A page of the portal that changes the only item of a subscription. */
async function openChange(
  client: Stripe,
  log: Logger,
  { subscription, priceId, quantity: wanted, successUrl, cancelUrl, sameAs }: Parameters<CheckoutApi['openChange']>[0],
): ReturnType<CheckoutApi['openChange']> {
  const { id, customerId } = subscription
  const { status, items } = await client.subscriptions.retrieve(id).catch((error: unknown) => {
    return isMissing(error) ? refuse('customer_unknown') : refuseStripe(error, log)
  })
  if (endedStatuses.includes(status)) return undefined
  const [item, another] = items.data
  if (!item || another || items.has_more) return refuse('subscription_exists', { detail: severalPrices })
  const quantity = wanted ?? item.quantity
  if (item.price.id === priceId && quantity === item.quantity)
    return refuse('subscription_exists', { detail: samePrice })
  const changed = { id: item.id, price: priceId, ...(quantity !== undefined && { quantity }) }
  const session = await client.billingPortal.sessions
    .create(
      {
        customer: customerId,
        return_url: cancelUrl ?? successUrl,
        flow_data: {
          type: 'subscription_update_confirm',
          subscription_update_confirm: { subscription: id, items: [changed] },
          after_completion: { type: 'redirect', redirect: { return_url: successUrl } },
        },
      },
      { idempotencyKey: sameAs },
    )
    .catch((error: unknown) => refuseChange(error, log))
  return { url: session.url }
}

/** Without a customer, Stripe creates one when the purchase is complete. An organization's customer does not get the buyer's email. */
function customerOf({ customerId, email, organizationId }: Parameters<CheckoutApi['openCheckout']>[0]['payer']) {
  if (customerId !== undefined) return { customer: customerId }
  return email !== undefined && organizationId === undefined ? { customer_email: email } : {}
}

const endedStatuses: readonly string[] = ['canceled', 'incomplete_expired']
const severalPrices = 'Stripe’s portal does not change a subscription with several prices to another one.'
const samePrice = 'The subscription already has this price.'
const notOffered = 'The settings of Stripe’s portal do not offer this change.'

/** If the settings of the portal do not allow the change, Stripe answers 400 without a code. */
function refuseChange(error: unknown, log: Logger): never {
  const isNotOffered = error instanceof Stripe.errors.StripeInvalidRequestError && !error.code
  if (!isNotOffered) return refuseCheckout(error, log)
  logStripe(error, log)
  return refuse('subscription_exists', { detail: notOffered })
}

/** Stripe names the parameter that it rejected. */
function refuseCheckout(error: unknown, log: Logger): never {
  const param = error instanceof Stripe.errors.StripeInvalidRequestError ? error.param : undefined
  if (param?.startsWith('line_items') || param?.endsWith('[price]')) return refuse('price_unknown')
  if (param === 'customer' && isMissing(error)) return refuse('customer_unknown')
  return refuseStripe(error, log)
}
