import type { Rows } from '../src/platform/database/database.ts'
import { listRoles } from '../src/users/accounts.ts'
import { Fault } from './fault.ts'

/** A role that is not there is told before anything is changed, with those that are. */
export async function requireRole(rows: Rows, role: string): Promise<void> {
  const roles = await listRoles(rows)
  if (!roles.includes(role)) throw new Fault(`There is no role ${role}; there are ${roles.join(', ')}.`)
}
