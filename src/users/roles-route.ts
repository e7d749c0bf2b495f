import { readRoles } from '../identity/grants.ts'
import { jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { adminRolesContract, type ListedRoles } from './roles-contract.ts'

/** Every role, and what it grants. */
export function adminRoles(rows: Rows): Operation<typeof adminRolesContract> {
  return operation(adminRolesContract, async ({ reply }) => jsonText<ListedRoles>(reply, await readRoles(rows)))
}
