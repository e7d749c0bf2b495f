import { changedBy } from '../identity/administrators.ts'
import { type Input, jsonText, operation, operations } from '../identity/operation.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import { billingAdminContracts, billingSyncContract, type CustomerOwner } from './admin-contract.ts'
import type { Billing } from './billing.ts'
import { type CheckoutProcessor, openCheckout, openPortal } from './checkout.ts'
import { checkoutContracts } from './contract.ts'
import { confirmCustomer, linkCustomer, type Owner } from './customers.ts'
import { listPlans, mapPrices, rankPlan, readPlans, unmapPrices } from './plans.ts'
import type { ListedPlans } from './plans-contract.ts'
import type { ManualSync } from './schedule.ts'
import { type BillingSettings, readBillingStatus } from './status.ts'
import { readUserSubscriptions } from './user-subscriptions.ts'
import type { UserSubscriptions } from './user-subscriptions-contract.ts'

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

/** The administration of billing over HTTP. `muster billing` and `muster plans` use the same functions. */
export function billingAdministration(database: Database, settings: BillingSettings, billing: Billing | undefined) {
  return operations(billingAdminContracts, {
    listPlans: async ({ reply }) => jsonText<ListedPlans>(reply, await readPlans(database)),
    rankPlan: async (input) => {
      const change = { id: input.params.planId, rank: input.body.rank, by: changedBy(input) }
      if (!(await rankPlan(database, change))) refuse('plan_unknown')
    },
    userSubscriptions: async ({ params, reply }) =>
      jsonText<UserSubscriptions>(reply, await readUserSubscriptions(database, params.userId)),
    status: () => readBillingStatus(database, settings, billing),
    confirm: async (input) => {
      if (!(await confirmCustomer(database, ownerChangeOf(input)))) refuse('customer_owner_changed')
    },
    link: async (input) => {
      if (await linkCustomer(database, ownerChangeOf(input))) return
      const [member = ''] = Object.keys(input.body)
      refuse('input_invalid', { errors: [{ pointer: `/${member}`, detail: 'The owner does not exist.' }] })
    },
    mapPrice: async (input) => {
      const { planId } = input.body
      if (!(await listPlans(database)).some(({ id }) => id === planId))
        refuse('input_invalid', { errors: [{ pointer: '/planId', detail: 'The plan does not exist.' }] })
      await mapPrices(database, { planId, priceIds: [input.params.priceId], by: changedBy(input) })
    },
    unmapPrice: async (input) => {
      await unmapPrices(database, { priceIds: [input.params.priceId], by: changedBy(input) })
    },
  })
}

export function billingSync({ start }: ManualSync) {
  return operation(billingSyncContract, async (input) => ({ processors: await start(changedBy(input)) }))
}

type OwnerInput = Pick<Input<typeof billingAdminContracts.link>, 'caller' | 'params' | 'body' | 'request'>

function ownerChangeOf(input: OwnerInput) {
  const { customerId } = input.params
  return { customerId, owner: ownerOf(input.body), at: new Date().toISOString(), by: changedBy(input) }
}

/** The contract allows exactly one of the two. */
function ownerOf({ accountId, orgId }: CustomerOwner): Owner {
  return accountId === undefined ? { organizationId: orgId ?? '' } : { accountId }
}
