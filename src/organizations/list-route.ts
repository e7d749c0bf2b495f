import { jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import type { Cursors } from '../platform/http/cursors.ts'
import { answerPage } from '../platform/http/two-way-pages.ts'
import { adminOrganizationsContract, type ListedOrganizations, listedOrganizationsDefault } from './list-contract.ts'
import { organizationSorts, readOrganizationsPage } from './list-page.ts'

/** All organizations, for administrators, in pages with links to the next and the previous page. */
export function adminOrganizations(database: Rows, cursors: Cursors): Operation<typeof adminOrganizationsContract> {
  return operation(adminOrganizationsContract, async ({ query, reply }) => {
    const { limit = listedOrganizationsDefault, cursor, sort = 'name', q } = query
    const { start, reversed } = organizationSorts[sort]
    const list = {
      cursors,
      path: adminOrganizationsContract.path,
      query: { ...query, limit },
      binding: [sort, q],
      start,
      end: organizationSorts[reversed].start,
    }
    const body = await answerPage(list, { cursor, reply }, ({ isBefore, position }) => {
      const question = { q, sort: isBefore ? reversed : sort, after: position, limit, isReversed: isBefore }
      return readOrganizationsPage(database, question)
    })
    return jsonText<ListedOrganizations>(reply, body)
  })
}
