import { jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { type Cursors, pageLinkHeader, pageStartOf } from '../platform/http/cursors.ts'
import { adminOrganizationsContract, type ListedOrganizations, listedOrganizationsDefault } from './list-contract.ts'
import { type OrganizationsQuestion, organizationSorts, readOrganizationsPage } from './list-page.ts'

/** All organizations, for administrators, in pages with links to the next and the previous page. */
export function adminOrganizations(database: Rows, cursors: Cursors): Operation<typeof adminOrganizationsContract> {
  return operation(adminOrganizationsContract, async ({ query, reply }) => {
    const { limit = listedOrganizationsDefault, cursor, sort = 'name', q } = query
    const { start, reversed } = organizationSorts[sort]
    const list = {
      cursors,
      binding: JSON.stringify([adminOrganizationsContract.path, sort, q]),
      start,
      end: organizationSorts[reversed].start,
    }
    const { isBefore, ...place } = pageStartOf(list, cursor)
    const question: OrganizationsQuestion = {
      q,
      sort: isBefore ? reversed : sort,
      after: place.position,
      limit,
      isReversed: isBefore,
    }
    const page = await readOrganizationsPage(database, question)
    const links = pageLinkHeader(list, { isBefore, ...place }, page, {
      path: adminOrganizationsContract.path,
      query: { ...query, limit },
    })
    if (links !== undefined) reply.header('link', links)
    return jsonText<ListedOrganizations>(reply, page.body)
  })
}
