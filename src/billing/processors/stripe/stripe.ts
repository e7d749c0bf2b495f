import Type from 'typebox'
import type { Secret } from '../../../platform/secret.ts'
import { declareProcessor, type ProcessorContext } from '../../processor.ts'
import { exactText, headerOf, parseJson, readPairs, verifyHmac } from '../../signature.ts'

/** Stripe. Without an API key it only receives webhooks. Source for the signature: docs.stripe.com/webhooks/signature. */
export const processor = declareProcessor({
  id: 'stripe',
  title: 'Stripe',
  settings: (read) => ({
    apiKey: read.apiKey(
      'STRIPE_SECRET_KEY',
      'Key of the Stripe API, for checkout, portal and reconciliation, and to order events with the same second.',
    ),
    webhookSecrets: read.webhookSecrets(
      'STRIPE_WEBHOOK_SECRET',
      'Signing secret of the Stripe webhook: whsec_…. Separate several with commas during a replacement.',
    ),
    apiUrl: read.apiOrigin(
      'MUSTER_STRIPE_URL',
      'Base address of the Stripe API without a path, for a proxy or a simulator.',
      'https://api.stripe.com',
    ),
  }),
  webhook: {
    proof: 'the header `Stripe-Signature` must be valid for the bytes of the body',
    body: Type.Object({
      id: Type.String(),
      type: Type.String(),
      created: Type.Integer(),
      data: Type.Object({ object: Type.Object({}, { additionalProperties: true }) }),
    }),
    example: {
      id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
      type: 'customer.subscription.updated',
      created: 1_767_225_600,
      data: { object: { id: 'sub_1MowQVLkdIwHu7ixeRlqHVzs', status: 'active' } },
    },
  },
  async open({ webhookSecrets, apiKey, apiUrl }, context) {
    const { readEvent } = await import('./events.ts')
    return {
      ...(apiKey && (await openApi(apiKey, apiUrl, context))),
      readEvent(bytes, headers) {
        const text = exactText(bytes)
        const pairs = readPairs(headerOf(headers, 'stripe-signature'), ',')
        const [at = ''] = pairs('t')
        const signed = { content: `${at}.${text}`, encoding: 'hex', signatures: pairs('v1'), at } as const
        verifyHmac(signed, webhookSecrets, context.now())
        return readEvent(parseJson(text))
      },
    }
  },
})

/** Imported on demand: Stripe's SDK takes as long to load as the rest of the service. */
async function openApi(apiKey: Secret, apiUrl: string, { proxies, log }: Pick<ProcessorContext, 'proxies' | 'log'>) {
  const [{ newStripe }, { stripeSubscriptions }, { stripeCheckout }] = await Promise.all([
    import('./client.ts'),
    import('./subscriptions.ts'),
    import('./checkout.ts'),
  ])
  const client = newStripe(apiKey, apiUrl, proxies)
  return { subscriptions: stripeSubscriptions(client, log), checkout: stripeCheckout(client, log) }
}
