import type { Logger } from 'pino'
import { Stripe } from 'stripe'
import { refuse } from '../../../platform/problems.ts'
import type { CheckoutApi } from '../../processor.ts'
import { isMissing, refuseStripe } from './client.ts'

/** Stripe Checkout and the customer portal. */
export function stripeCheckout(client: Stripe, log: Logger): CheckoutApi {
  return {
    async openCheckout({ payer, priceId, quantity, successUrl, cancelUrl }) {
      const owner = payer.organizationId ?? payer.accountId
      // On both objects, so that the customer has its owner whichever event arrives first.
      const metadata =
        payer.organizationId === undefined
          ? { muster_account_id: payer.accountId }
          : { muster_org_id: payer.organizationId }
      const session = await client.checkout.sessions
        .create({
          mode: 'subscription',
          line_items: [{ price: priceId, quantity }],
          client_reference_id: owner,
          metadata,
          subscription_data: { metadata },
          success_url: successUrl,
          ...(cancelUrl !== undefined && { cancel_url: cancelUrl }),
          ...customerOf(payer),
        })
        .catch((error: unknown) => refuseCheckout(error, log))
      return { url: session.url ?? refuse('processor_refused') }
    },
    async openPortal(customerId, returnUrl) {
      const session = await client.billingPortal.sessions
        .create({ customer: customerId, return_url: returnUrl })
        .catch((error: unknown) => refuseCheckout(error, log))
      return { url: session.url }
    },
  }
}

/** Without a customer, Stripe creates one when the purchase is complete. An organization's customer does not get the buyer's email. */
function customerOf({ customerId, email, organizationId }: Parameters<CheckoutApi['openCheckout']>[0]['payer']) {
  if (customerId !== undefined) return { customer: customerId }
  return email !== undefined && organizationId === undefined ? { customer_email: email } : {}
}

/** Stripe names the parameter that it rejected. */
function refuseCheckout(error: unknown, log: Logger): never {
  const param = error instanceof Stripe.errors.StripeInvalidRequestError ? error.param : undefined
  if (param?.startsWith('line_items')) return refuse('price_unknown')
  if (param === 'customer' && isMissing(error)) return refuse('customer_unknown')
  return refuseStripe(error, log)
}
