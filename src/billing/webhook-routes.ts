import { type Operation, operation } from '../identity/operation.ts'
import type { Billing } from './billing.ts'
import { webhookContracts } from './webhook-contract.ts'

/** One webhook for each payment processor that is configured. */
export function webhooks(billing: Billing): Operation[] {
  return [...billing.processors.keys()].map((id) =>
    operation(webhookContracts[id], async ({ body, request }) => ({
      received: true as const,
      outcome: await billing.receive(id, body, request.headers),
    })),
  )
}
