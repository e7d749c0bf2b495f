import type { Logger } from 'pino'
import { Stripe } from 'stripe'
import { refuse } from '../../../platform/problems.ts'
import type { Sales } from '../../sales.ts'
import { isMissing, refuseStripe } from './client.ts'

/** Stripe's own pages for buying and for managing what was bought. */
export function stripeSales(client: Stripe, log: Logger): Sales {
  return {
    processor: 'stripe',
    async checkout({ payer, priceId, quantity, successUrl, cancelUrl }) {
      const owner = payer.organizationId ?? payer.accountId
      // With these the customer and the subscription find their owner, whichever event comes first.
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
        .catch((error: unknown) => refuseSale(error, log))
      return { url: session.url ?? refuse('processor_refused') }
    },
    async portal(customerId, returnUrl) {
      const session = await client.billingPortal.sessions
        .create({ customer: customerId, return_url: returnUrl })
        .catch((error: unknown) => refuseSale(error, log))
      return { url: session.url }
    },
  }
}

/** Without a customer Stripe makes one when the purchase is complete. An organisation's bill does not go to whoever ordered. */
function customerOf({ customerId, email, organizationId }: Parameters<Sales['checkout']>[0]['payer']) {
  if (customerId !== undefined) return { customer: customerId }
  return email !== undefined && organizationId === undefined ? { customer_email: email } : {}
}

/** Stripe names the parameter that it could not take. */
function refuseSale(error: unknown, log: Logger): never {
  const param = error instanceof Stripe.errors.StripeInvalidRequestError ? error.param : undefined
  if (param?.startsWith('line_items')) return refuse('price_unknown')
  if (param === 'customer' && isMissing(error)) return refuse('customer_unknown')
  return refuseStripe(error, log)
}
