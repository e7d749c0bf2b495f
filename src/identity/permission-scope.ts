/**
 * What a permission is about, which decides where it counts from. `permission_scope` in migrations/001_accounts.sql says the same:
 * the gate and the constraints of the database use that function. docs/permissions.md has a table.
 *
 * - `service`: the accounts of all users, and the service itself. Only from the role of the account.
 * - `account`: the account on its own. From its role or its plan.
 * - `organization`: one organization. Only from the role in that organization.
 * - `product`: everything else, such as `dns:edit`. From the account's role, the role in the current organization, and both plans.
 */
export type PermissionScope = 'service' | 'account' | 'organization' | 'product'

export function scopeOf({ resource, action }: Permission): PermissionScope {
  if (serviceResources.includes(resource)) return 'service'
  if (resource === 'organization') return action === 'create' ? 'account' : 'organization'
  return resource === 'billing' ? 'organization' : 'product'
}

/** Whether a plan, or a role for members, cannot grant a permission. Constraints of the database refuse the same. */
export function needsRoleForAccounts(holder: 'plan' | 'role', permission: Permission): boolean {
  const scope = scopeOf(permission)
  return scope === 'service' || (scope === 'account' && holder === 'role')
}

interface Permission {
  readonly resource: string
  readonly action: string
}

/** With every action, also those that a later release adds. */
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
