import { unwrap } from '@muster/client'
import { queryOptions } from '@tanstack/react-query'
import { muster } from './muster.ts'

/** Reads that several screens share. */
export const ownAccount = queryOptions({
  queryKey: ['own-account'],
  queryFn: ({ signal }) => unwrap(muster.GET('/auth/account', { signal })),
})

export const ownFactors = queryOptions({
  queryKey: ['own-factors'],
  queryFn: ({ signal }) => unwrap(muster.GET('/auth/factors', { signal })),
})

export const ownOrganizations = queryOptions({
  queryKey: ['organizations'],
  queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/orgs', { signal })),
})

export const receivedInvitations = queryOptions({
  queryKey: ['received-invitations'],
  queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/invitations', { signal })),
})

export const providerList = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/providers', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})
