import { operation, operations } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { Billing } from './billing.ts'
import { type CheckoutProcessor, openCheckout, openPortal } from './checkout.ts'
import { checkoutContracts } from './contract.ts'

/** One webhook for each configured payment processor. */
export function webhooks({ processors, receive }: Billing) {
  return processors.map(({ id, webhook }) =>
    operation(webhook, async ({ body, request }) => ({
      received: true as const,
      ...(await receive(id, body, request.headers)),
    })),
  )
}

/** The payment processor's checkout and customer portal. */
export function checkoutOperations(rows: Rows, processor: CheckoutProcessor, returnOrigins: readonly string[]) {
  return operations(checkoutContracts, {
    checkout: ({ caller, query, body }) => {
      const { successUrl, cancelUrl } = body
      refuseReturns({ successUrl, cancelUrl }, returnOrigins)
      return openCheckout(rows, processor, caller, { ...body, ...query })
    },
    portal: ({ caller, query, body }) => {
      refuseReturns({ returnUrl: body.returnUrl }, returnOrigins)
      return openPortal(rows, processor, caller, { ...body, ...query })
    },
  })
}

/** The processor redirects the buyer to this address, so an unchecked one would make its page an open redirect. Throws `input_invalid`. */
function refuseReturns(addresses: Readonly<Record<string, string | undefined>>, origins: readonly string[]): void {
  if (origins.length === 0) return
  const elsewhere = Object.entries(addresses).filter(
    ([, address]) => address !== undefined && !(URL.canParse(address) && origins.includes(new URL(address).origin)),
  )
  const detail = 'Buyers may not be sent back to this origin.'
  if (elsewhere.length > 0)
    refuse('input_invalid', { errors: elsewhere.map(([name]) => ({ pointer: `/${name}`, detail })) })
}
