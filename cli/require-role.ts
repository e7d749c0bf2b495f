import type { Rows } from '../src/platform/database/database.ts'
import { listRoles } from '../src/users/accounts.ts'
import { Fault } from './fault.ts'

/** Refuses an unknown role before a command changes anything, and lists the known ones. */
export async function requireRole(rows: Rows, role: string): Promise<void> {
  const roles = await listRoles(rows)
  if (!roles.includes(role)) throw new Fault(`There is no role ${role}. The roles are: ${roles.join(', ')}.`)
}
