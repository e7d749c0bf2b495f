import type { Permission } from '../platform/http/contract.ts'

/**
 * Everything that a service key can be granted: reads, and key checks. A database constraint has the same list.
 * Operations with one of these permissions accept users and service keys; all other operations reject service keys.
 */
export const serviceGrants = {
  users: ['list', 'read'],
  user_data: ['read'],
  provider_keys: ['validate'],
  organization: ['read'],
} as const

type ServiceResource = keyof typeof serviceGrants

/** Permissions as written in contracts. */
type GrantText = {
  [Resource in ServiceResource]: `${Resource}:${(typeof serviceGrants)[Resource][number]}`
}[ServiceResource]
export type ServicePermission = GrantText | `${GrantText} in {orgId}`

export function isForServices(permission: Permission): permission is ServicePermission {
  const [grant] = permission.split(' in ', 1)
  return Object.entries(serviceGrants).some(([resource, actions]) =>
    actions.some((action) => grant === `${resource}:${action}`),
  )
}
