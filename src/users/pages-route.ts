import { jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { onlyOrganizationOf } from '../platform/http/caller.ts'
import { answerPage } from '../platform/http/two-way-pages.ts'
import { confine, filterNames, readFilters, reversedSort, sorts } from './filters.ts'
import { readPage } from './list-page.ts'
import type { ListSettings } from './list-route.ts'
import { adminUsersContract, type ListedUsers, listedUsersDefault } from './pages-contract.ts'

/** The user list in pages with links to the next and the previous page. */
export function adminUsersPages(
  database: Rows,
  { cursors, issuers }: Pick<ListSettings, 'cursors' | 'issuers'>,
): Operation<typeof adminUsersContract> {
  return operation(adminUsersContract, async ({ caller, query, reply }) => {
    const { limit = listedUsersDefault, cursor, sort = '-created', ...filtered } = query
    const filters = confine(readFilters(filtered, issuers), onlyOrganizationOf(caller))
    const list = {
      cursors,
      path: adminUsersContract.path,
      query: { ...query, limit },
      binding: [sort, ...filterNames.map((name) => filters[name])],
      start: sorts[sort].start,
      end: sorts[reversedSort[sort]].start,
    }
    const body = await answerPage(list, { cursor, reply }, ({ isBefore, position }) =>
      readPage(database, {
        filters,
        sort: isBefore ? reversedSort[sort] : sort,
        after: position,
        limit,
        format: 'record',
        isReversed: isBefore,
      }),
    )
    return jsonText<ListedUsers>(reply, body)
  })
}
