import { readUserData } from '../accounts/user-data.ts'
import { userDataContract } from '../contract/user-data.ts'
import type { Rows } from '../database/database.ts'
import { type Operation, operation } from '../server/operation.ts'

export function userData(rows: Rows): Operation {
  return operation(userDataContract, async ({ caller, query, reply }) => {
    reply.type('application/json; charset=utf-8')
    return readUserData(rows, caller, query.orgId)
  })
}
