import type { Billing } from '../billing/billing.ts'
import { webhooksStripeContract } from '../contract/webhooks-stripe.ts'
import { type Operation, operation } from '../server/operation.ts'

export function webhooksStripe(billing: Billing): Operation {
  return operation(webhooksStripeContract, async ({ body, request }) => ({
    received: true,
    outcome: await billing.receive(body, request.headers),
  }))
}
