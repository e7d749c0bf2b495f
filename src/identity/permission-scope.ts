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

export function scopeOf({ resource, action }: Permission): PermissionScope {
  if (serviceResources.includes(resource)) return 'service'
  if (resource === 'organization') return action === 'create' ? 'account' : 'organization'
  return resource === 'billing' ? 'organization' : 'product'
}

/** Whether a role in an organization can grant the permission. */
export function isGrantedByOrganizations(permission: Permission): boolean {
  const scope = scopeOf(permission)
  return scope === 'organization' || scope === 'product'
}

/**
 * Whether only a role for accounts can grant the permission. `holder`: a plan, or a role for members. Database
 * constraints enforce the same.
 */
export function needsRoleForAccounts(holder: 'plan' | 'role', permission: Permission): boolean {
  const scope = scopeOf(permission)
  return scope === 'service' || (scope === 'account' && holder === 'role')
}

interface Permission {
  readonly resource: string
  readonly action: string
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
