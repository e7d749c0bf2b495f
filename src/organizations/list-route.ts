import { jsonText, type Operation, operation } from '../identity/operation.ts'
import { planIdOfOrganization } from '../identity/subscriptions.ts'
import { boundStatement, type Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { answerPage, type Cursors, type PageRow, type Position } from '../platform/http/cursors.ts'
import {
  adminOrganizationsContract,
  type ListedOrganizations,
  listedOrganizationsDefault,
  type organizationSortNames,
} from './list-contract.ts'

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

type OrganizationSort = (typeof organizationSortNames)[number]

const idMin = '00000000-0000-0000-0000-000000000000'
const idMax = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const name = { key: 'lower(o.name) collate "C"', type: 'text' } as const
const created = { key: 'o.created_at', type: 'timestamptz' } as const

interface Sort {
  /** The sort orders. `key` is the expression that the index has. */
  readonly key: string
  readonly type: string
  readonly direction: 'asc' | 'desc'
  /** A position before the first row; U+10FFFF sorts after every name. */
  readonly start: Position
  readonly reversed: OrganizationSort
}

const organizationSorts: Readonly<Record<OrganizationSort, Sort>> = {
  name: { ...name, direction: 'asc', start: ['', idMin], reversed: '-name' },
  '-name': { ...name, direction: 'desc', start: ['\u{10FFFF}', idMax], reversed: 'name' },
  created: { ...created, direction: 'asc', start: ['-infinity', idMin], reversed: '-created' },
  '-created': { ...created, direction: 'desc', start: ['infinity', idMax], reversed: 'created' },
}

interface OrganizationsQuestion {
  /** A part of the name. */
  readonly q: string | undefined
  readonly sort: OrganizationSort
  readonly after: Position
  readonly limit: number
  /** true: the page shows the reverse order of `sort`, because it was requested backwards from a position. */
  readonly isReversed: boolean
}

/** One page, as the JSON text of `ListedOrganizations`. */
async function readOrganizationsPage(rows: Rows, question: OrganizationsQuestion): Promise<PageRow> {
  const { statement, values } = pageStatement(question)
  const [page] = await rows.query<PageRow>(statement, values)
  if (!page) throw new Error('The page query returned no row.')
  return page
}

/**
 * There are far fewer organizations than accounts, so the planner chooses between the sort index and the index of name
 * parts. Positions are text, because a JavaScript date would lose the microseconds.
 */
function pageStatement({ q, sort, after, limit, isReversed }: OrganizationsQuestion) {
  const { key, type, direction } = organizationSorts[sort]
  const [by, backwards] = direction === 'asc' ? ['asc', 'desc'] : ['desc', 'asc']
  return boundStatement('organizations_page', (add) => {
    const position = `(${add(after[0])}::${type}, ${add(after[1])}::uuid)`
    const size = `${add(limit)}::int`
    const search = q === undefined ? '' : `and ${containsPart(`${add(q)}::text`)}`
    return `
with page as materialized (
  select o.id, ${key} as key, row_number() over (order by ${key} ${by}, o.id ${by}) as n
  from organization o
  where (${key}, o.id) ${direction === 'asc' ? '>' : '<'} ${position} ${search}
  order by ${key} ${by}, o.id ${by}
  limit ${size} + 1
)
select json_build_object('organizations', coalesce((
         select json_agg(json_strip_nulls(json_build_object(
                  'id', o.id, 'name', o.name, 'createdAt', ${utcText('o.created_at')},
                  'members', (select count(*) from membership m where m.organization_id = o.id),
                  'requiresMfa', o.requires_mfa, 'plan', ${planIdOfOrganization('o.id')}))
                order by q.key ${isReversed ? backwards : by}, q.id ${isReversed ? backwards : by})
         from page q join organization o on o.id = q.id where q.n <= ${size}), '[]'))::text as body,
       (select json_build_array(key, id)::text from page where n = 1) as first,
       (select json_build_array(key, id)::text from page
        where n = ${size} and exists (select from page where n > ${size})) as next`
  })
}

/** Not `like`: the part may contain wildcards. The index finds adjacent characters; `strpos` checks the whole part. */
function containsPart(part: string): string {
  return `strpos(o.search_key, (select search_fold(${part}))) > 0 and text_parts(o.search_key) @@ parts_query(search_fold(${part}))`
}
