import { queryOptions } from '@tanstack/react-query'
import { muster } from './muster.ts'
import { reading } from './reading.ts'

/** Reads that several screens share. */
export const ownAccount = reading(['own-account'], (signal) => muster.GET('/auth/account', { signal }))

export const ownFactors = reading(['own-factors'], (signal) => muster.GET('/auth/factors', { signal }))

export const ownOrganizations = reading(['organizations'], (signal) => muster.GET('/api/v1/orgs', { signal }))

export const receivedInvitations = reading(['received-invitations'], (signal) =>
  muster.GET('/api/v1/invitations', { signal }),
)

export const providerList = queryOptions({
  ...reading(['providers'], (signal) => muster.GET('/api/v1/providers', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})
