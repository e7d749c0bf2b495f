import { jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { onlyOrganizationOf } from '../platform/http/caller.ts'
import { pageLinkHeader, pageStartOf } from '../platform/http/cursors.ts'
import { confine, filterNames, readFilters, reversedSort, sorts } from './filters.ts'
import { type PageQuestion, readPage } from './list-page.ts'
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
      binding: JSON.stringify([adminUsersContract.path, sort, ...filterNames.map((name) => filters[name])]),
      start: sorts[sort].start,
      end: sorts[reversedSort[sort]].start,
    }
    const place = pageStartOf(list, cursor)
    const question: PageQuestion = {
      filters,
      sort: place.isBefore ? reversedSort[sort] : sort,
      after: place.position,
      limit,
      format: 'record',
      isReversed: place.isBefore,
    }
    const page = await readPage(database, question)
    const links = pageLinkHeader(list, place, page, { path: adminUsersContract.path, query: { ...query, limit } })
    if (links !== undefined) reply.header('link', links)
    return jsonText<ListedUsers>(reply, page.body)
  })
}
