import { type RoleKind, rolesFor } from '../src/identity/grants.ts'
import type { Rows } from '../src/platform/database/database.ts'
import { Fault } from './fault.ts'

/** Rejects a role that does not exist or is of the other kind, before a command changes anything, and lists the roles of this kind. */
export async function requireRole(rows: Rows, kind: RoleKind, role: string): Promise<void> {
  const roles = await rolesFor(rows, kind)
  if (roles.includes(role)) return
  const isOfOtherKind = (await rolesFor(rows, kind === 'account' ? 'member' : 'account')).includes(role)
  const fault = isOfOtherKind ? `The role ${role} is not ${holders[kind]}` : `There is no role ${role}`
  throw new Fault(`${fault}. The roles are: ${roles.join(', ')}.`)
}

const holders = { account: 'for accounts', member: 'for members of organizations' } as const
