import type { Billing } from '../billing/billing.ts'
import { webhookContracts } from '../contract/webhooks.ts'
import { type Operation, operation } from '../server/operation.ts'

/** One webhook for each payment processor that is configured. */
export function webhooks(billing: Billing): Operation[] {
  return [...billing.processors.keys()].map((id) =>
    operation(webhookContracts[id], async ({ body, request }) => ({
      received: true,
      outcome: await billing.receive(id, body, request.headers),
    })),
  )
}
