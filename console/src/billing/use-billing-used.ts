import { unwrap } from '@muster/client'
import { hasPermission, useUser } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { billingKey } from './billing-key.ts'

/** The state of billing, read again while a reconciliation runs. */
export function useBilling(isWanted = true) {
  return useQuery({
    queryKey: billingKey,
    queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/admin/billing', { signal })),
    refetchInterval: ({ state }) => (state.data?.isSyncing ? 2_000 : false),
    enabled: isWanted,
  })
}

/** Whether there is anything to see of billing for this user: a processor, or what one has left. */
export function useBillingUsed(): boolean {
  const current = useUser()
  const isAllowed = current.status === 'ready' && hasPermission(current.user, 'subscriptions', 'read')
  const { data } = useBilling(isAllowed)
  if (!isAllowed || data === undefined) return false
  const { processors, unmapped, waiting, unconfirmed } = data
  return [processors, unmapped.prices, waiting.customers, unconfirmed.customers].some((some) => some.length > 0)
}
