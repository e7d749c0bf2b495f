import { type Schemas, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { reading } from '../session/reading.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useMay } from '../ui/permitted.tsx'

/** The state of billing, read again while a reconciliation runs. */
export function useBilling(isWanted = true) {
  return useQuery({
    ...reading(billingKey, (signal) => muster.GET('/api/v1/admin/billing', { signal })),
    refetchInterval: ({ state }) => (state.data?.isSyncing ? 2_000 : false),
    enabled: isWanted,
  })
}

/** Whether there is anything to see of billing for this user: a processor, or what one has left. */
export function useBillingUsed(): boolean {
  const isAllowed = useMay()('subscriptions', 'read')
  const { data } = useBilling(isAllowed)
  if (!isAllowed || data === undefined) return false
  const { processors, unmapped, waiting, unconfirmed } = data
  return [processors, unmapped.prices, waiting.customers, unconfirmed.customers].some((some) => some.length > 0)
}

const billingKey = ['billing']

export type BillingStatus = Schemas['BillingStatus']
export type ProcessorStatus = Schemas['ProcessorStatus']
export type WaitingCustomer = Schemas['WaitingCustomer']
export type UnconfirmedCustomer = Schemas['UnconfirmedCustomer']
type CustomerOwner = Schemas['CustomerOwner']

/** Makes one change, after a fresh proof where the service asks for it, and reads again what it may have changed. */
async function change(call: () => Promise<unknown>): Promise<void> {
  await withStepUp(call)
  await Promise.all([
    queries.invalidateQueries({ queryKey: billingKey }),
    queries.invalidateQueries({ queryKey: ['user'] }),
    queries.invalidateQueries({ queryKey: ['audit'] }),
  ])
}

export const confirmOwner = ({ id, owner }: UnconfirmedCustomer) =>
  change(() => {
    const params = { path: { customerId: id } }
    const body = owner.kind === 'account' ? { accountId: owner.id } : { orgId: owner.id }
    return unwrap(muster.POST('/api/v1/admin/billing/customers/{customerId}/confirm', { params, body }))
  })

export const linkOwner = (customerId: string, body: CustomerOwner) =>
  change(() =>
    unwrap(
      muster.PUT('/api/v1/admin/billing/customers/{customerId}/owner', { params: { path: { customerId } }, body }),
    ),
  )

export const mapPrice = (priceId: string, planId: string) =>
  change(() =>
    unwrap(
      muster.PUT('/api/v1/admin/billing/prices/{priceId}/plan', { params: { path: { priceId } }, body: { planId } }),
    ),
  )

export const unmapPrice = (priceId: string) =>
  change(() => unwrap(muster.DELETE('/api/v1/admin/billing/prices/{priceId}/plan', { params: { path: { priceId } } })))

export const startSync = () => change(() => unwrap(muster.POST('/api/v1/admin/billing/sync')))

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The one account with this id or address, as the command line finds it: the one whose address is proved, or the only one. */
export async function findAccount(who: string): Promise<string | undefined> {
  if (uuid.test(who)) return who
  const { users } = await unwrap(muster.GET('/api/v1/admin/users', { params: { query: { q: who, limit: 200 } } }))
  const found = users.filter(({ email }) => email?.toLowerCase() === who.toLowerCase())
  return (found.find(({ emailProved }) => emailProved) ?? (found.length === 1 ? found[0] : undefined))?.id
}
