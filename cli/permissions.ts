import type { Administration } from '../src/identity/administrators.ts'
import { changeGrants, type Holder, permissionPattern, type RoleKind, rolesFor } from '../src/identity/grants.ts'
import type { Grant } from '../src/identity/permission-scope.ts'
import type { Rows } from '../src/platform/database/database.ts'
import { Fault } from './errors.ts'
import { print } from './print.ts'

/** Reads a permission such as `reports:export`. */
export function readPermission(text: string): Grant {
  const [, resource, action] = permissionPattern.exec(text) ?? []
  if (resource === undefined || action === undefined)
    throw new Fault(`${text} is not a permission. Write resource:action, such as reports:export.`)
  return { resource, action }
}

/** Grants permissions to a role or plan, or revokes them, and prints those that changed. */
export async function changePermissions(
  context: Administration,
  holder: Holder,
  texts: readonly string[],
  isGranted: boolean,
): Promise<void> {
  const changed = await changeGrants(context, holder, texts.map(readPermission), isGranted)
  print(changed.length === 0 ? 'Nothing to change.' : `${isGranted ? 'Granted' : 'Revoked'}: ${changed.join(', ')}`)
}

/** Rejects an ID that the database would not accept for a role or plan. */
export function requireNewId(id: string, what: 'role' | 'plan'): void {
  if (!/^[a-z][a-z0-9_-]{0,62}$/.test(id))
    throw new Fault(
      `${id} cannot be the ID of a ${what}. Use up to 63 lowercase letters, digits, _ and -, starting with a letter.`,
    )
}

/** Rejects a role that does not exist or is of the other kind, and lists the roles of this kind. */
export async function requireRole(rows: Rows, kind: RoleKind, role: string): Promise<void> {
  const roles = await rolesFor(rows, kind)
  if (roles.includes(role)) return
  const isOfOtherKind = (await rolesFor(rows, kind === 'account' ? 'member' : 'account')).includes(role)
  const fault = isOfOtherKind ? `The role ${role} is not ${holders[kind]}` : `There is no role ${role}`
  throw new Fault(`${fault}. Available roles: ${roles.join(', ')}.`)
}

const holders = { account: 'for users', member: 'for members of organizations' } as const
