import type { Permission } from '../platform/http/contract.ts'

/**
 * Everything that a service key can be granted: reading, and the check of a provider's key. A constraint of the database has the same
 * list. An operation whose permission is here takes both kinds of callers, and no other operation takes a service key.
 */
export const serviceGrants = {
  users: ['list', 'read'],
  user_data: ['read'],
  provider_keys: ['validate'],
  organization: ['read'],
} as const

export type ServiceResource = keyof typeof serviceGrants

/** The text of each, as a contract writes it. */
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
