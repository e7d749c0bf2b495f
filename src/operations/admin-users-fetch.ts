import { Readable } from 'node:stream'
import type { Cursors } from '../accounts/cursor.ts'
import { readUsersPage, streamUsers } from '../accounts/listing.ts'
import { adminUsersFetchContract } from '../contract/admin-users-fetch.ts'
import type { Database } from '../database/database.ts'
import { callerGone } from '../server/caller-gone.ts'
import { type Operation, operation } from '../server/operation.ts'

const pageSizeDefault = 100

export function adminUsersFetch(database: Database, cursors: Cursors): Operation {
  return operation(adminUsersFetchContract, async ({ caller, query, reply }) => {
    const { limit = pageSizeDefault, cursor } = query
    reply.type('application/json; charset=utf-8')
    if (query.limit === undefined && cursor === undefined)
      return Readable.from(await streamUsers(database, caller, callerGone(reply)))

    const page = await readUsersPage(database, cursors, caller, { limit, cursor })
    if (page.next !== undefined)
      reply.header('link', `<${adminUsersFetchContract.path}?limit=${limit}&cursor=${page.next}>; rel="next"`)
    return page.body
  })
}
