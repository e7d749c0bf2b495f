import { readRoles } from '../identity/grants.ts'
import { jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { adminRolesContract, type ListedRoles } from './roles-contract.ts'

export function adminRoles(rows: Rows): Operation<typeof adminRolesContract> {
  return operation(adminRolesContract, async ({ reply }) => jsonText<ListedRoles>(reply, await readRoles(rows)))
}
