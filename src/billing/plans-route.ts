import { jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { readPlans } from './plans.ts'
import { adminPlansContract, type ListedPlans } from './plans-contract.ts'

/** Every plan with its grants. */
export function adminPlans(rows: Rows): Operation<typeof adminPlansContract> {
  return operation(adminPlansContract, async ({ reply }) => jsonText<ListedPlans>(reply, await readPlans(rows)))
}
