import type { Permission } from '../platform/http/contract.ts'

/** One permission, as stored in `role_grant` and `plan_grant`. */
export interface Grant {
  readonly resource: string
  readonly action: string
}

/**
 * The scope of a permission decides which roles and plans can grant it. The SQL function `permission_scope` in
 * migrations/001_accounts.sql has the same rules; the rules loader and the database constraints use that function. See
 * the table in docs/permissions.md.
 *
 * - `service`: all users and the service itself. Granted only by the role of the account.
 * - `account`: the account itself. Granted by its role or its plan.
 * - `organization`: one organization. Granted only by the role in that organization.
 * - `product`: everything else, such as `dns:edit`. Granted by the account's role, the role in the current
 *   organization, and the plans of both.
 */
export type PermissionScope = 'service' | 'account' | 'organization' | 'product'

export function scopeOf({ resource, action }: Grant): PermissionScope {
  if (serviceResources.includes(resource)) return 'service'
  if (resource === 'organization') return action === 'create' ? 'account' : 'organization'
  return resource === 'billing' ? 'organization' : 'product'
}

/** Whether a role in an organization can grant the permission. */
export function isGrantedByOrganizations(permission: Grant): boolean {
  const scope = scopeOf(permission)
  return scope === 'organization' || scope === 'product'
}

/**
 * Whether only a role for accounts can grant the permission. `holder`: a plan, or a role for members. Database
 * constraints enforce the same.
 */
export function needsRoleForAccounts(holder: 'plan' | 'role', permission: Grant): boolean {
  const scope = scopeOf(permission)
  return scope === 'service' || (scope === 'account' && holder === 'role')
}

/** All actions of these resources, including those of later releases. */
export const serviceResources: readonly string[] = [
  'audit',
  'organizations',
  'plans',
  'roles',
  'service_keys',
  'subscriptions',
  'system',
  'user_data',
  'users',
  'webhooks',
]

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
