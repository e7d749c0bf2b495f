import { type BoundStatement, boundStatement } from '../platform/database/bound-statement.ts'
import type { Rows } from '../platform/database/database.ts'
import { conditionsOf, idMax, sorts, type UsersFilters, type UsersSort } from './filters.ts'
import { usersPageSizeMax } from './list-contract.ts'
import { formatPage, type PageFormatName, pageFormats } from './list-formats.ts'

export interface PageQuestion {
  readonly filters: UsersFilters
  readonly sort: UsersSort
  /** Sort key and id of the last row of the previous page. */
  readonly after: readonly [key: string, id: string]
  readonly limit: number
  readonly format: PageFormatName
  /** true: the page shows the reverse order of `sort`, because it was requested backwards from a position. */
  readonly isReversed?: boolean
  /** Shows no other organization of a user. */
  readonly within?: string | undefined
}

/**
 * `body` is text in the requested format. `first` is the position (sort key and id) of the first row as JSON, absent
 * without rows. `next` is the position of the last row, present if more rows follow. Both are in the order of `sort`.
 */
export interface Page {
  readonly body: string
  readonly first: string | undefined
  readonly next: string | undefined
}

/**
 * How to find the rows of a page. Scans read the next 2,000, 40,000 or all rows of the sort index and test the search
 * filters. `filter` reads the indexes of the filters and sorts all matches.
 */
export type Scan = 'index_scan_2k' | 'index_scan_40k' | 'filter_index' | 'full_scan'

/**
 * Reads one page. The sort index finds frequent matches fast, and the filter index finds rare ones. The first 2,000
 * rows complete most pages; the number of matches among them shows which index is faster for the rest. Both are
 * bounded. If neither completes the page, the matches are frequent but far from this position, and the full scan finds
 * them.
 */
export async function readPage(rows: Rows, question: PageQuestion): Promise<Page> {
  const { rows: found, first, next } = await findRows(rows, question)
  return {
    body: formatPage(pageFormats[question.format], found),
    first: first ?? undefined,
    next: next ?? undefined,
  }
}

interface PageRow {
  readonly rows: string | null
  readonly first: string | null
  readonly next: string | null
  readonly matches: number
  readonly complete: boolean
}

async function findRows(rows: Rows, question: PageQuestion): Promise<PageRow> {
  const sample = await runScan(rows, question, 'index_scan_2k')
  if (sample.complete) return sample
  const matches = Math.max(sample.matches, await matchesOfEmails(rows, question))
  const expected = (matches * scanRowsMax.index_scan_40k) / scanRowsMax.index_scan_2k
  if (expected >= question.limit * expectedMargin) {
    const page = await runScan(rows, question, 'index_scan_40k')
    if (page.complete) return page
  }
  const page = await runScan(rows, question, 'filter_index')
  return page.complete ? page : runScan(rows, question, 'full_scan')
}

/**
 * Users without an email come first by email. Among them are matches by name only, so that a page which begins with
 * them needs a second sample: of the users with an email.
 */
async function matchesOfEmails(rows: Rows, question: PageQuestion): Promise<number> {
  const { filters, sort, after } = question
  if (filters.q === undefined || sort !== 'email' || after[0] !== '') return 0
  return (await runScan(rows, { ...question, after: ['', idMax] }, 'index_scan_2k')).matches
}

async function runScan(rows: Rows, question: PageQuestion, scan: Scan): Promise<PageRow> {
  const { statement, values } = pageStatement(question, scan)
  const [row] = await rows.query<PageRow>(statement, values)
  if (!row) throw new Error('The page query returned no row.')
  return row
}

/**
 * 2,000 rows are a small sample: a scan expected to find exactly one page often ends too early. Measured with a million
 * accounts and pages of 100: the scan and the filter index cost the same if 40,000 rows are expected to have 2.6 pages.
 */
const expectedMargin = 2.6

/** Maximum rows of a scan, at about 0.9 µs a row. A match by the filter index costs 2 µs. */
const scanRowsMax = { index_scan_2k: 2_000, index_scan_40k: 40_000, full_scan: 1_000_000_000 } as const
/** With more matches, a scan of the sort index is faster than sorting all of them. */
const filterIndexRowsMax = 30_000
/** The largest page, plus one row that shows whether another page follows. */
const pageRowsMax = usersPageSizeMax + 1

/**
 * One page. Columns: `rows` (joined text), `first` (position of the first row), `next` (position of the last row, if
 * more rows follow), `matches` (at most the page size + 1), `complete` (false if the scan was too short to fill the
 * page).
 *
 * The search reads little beyond the sort index; other columns are read only for the rows of the page. The limits are
 * literals: with parameters the planner would expect a tenth of the table, and sort all of it. `set_config` is parallel
 * unsafe, which disables parallel workers: starting them takes longer than the page. Positions are text, because a
 * JavaScript date would lose the microseconds.
 */
export function pageStatement(question: PageQuestion, scan: Scan): BoundStatement {
  const { filters, sort, after, limit, format, within, isReversed } = question
  const { column, type, direction } = sorts[sort]
  return boundStatement(`users_${scan}`, (add) => {
    const position = `(${add(after[0])}::${type}, ${add(after[1])}::uuid)`
    const size = `${add(limit)}::int`
    const separator = `${add(pageFormats[format].between)}::text`
    const order = `order by a.${column} ${direction}, a.id ${direction}`
    const { listed, columns, sortRanges, searches } = conditionsOf(
      filters,
      scan === 'filter_index' ? 'filterIndex' : 'row',
      add,
    )
    const range = [`(a.${column}, a.id) ${direction === 'asc' ? '>' : '<'} ${position}`, ...columns, ...sortRanges]
    const search = searchOf({
      scan,
      select: `a.id, a.${column}`,
      where: range.join(' and '),
      listed,
      searches,
      order,
      size,
    })
    return `
with ${search.matched}, found as materialized (
  select a.* from matched a ${order} limit ${size} + 1
), page as (
  select a.*, row_number() over (${order}) as n from found a
)
select (select string_agg(${pageFormats[format].row(within && add(within))}, ${separator} order by q.n${isReversed ? ' desc' : ''})
        from page q join account p on p.id = q.id where q.n <= ${size}) as rows,
       (select json_build_array(p.${column}, p.id)::text from page p where p.n = 1) as first,
       (select json_build_array(p.${column}, p.id)::text
        from page p where p.n = ${size} and exists (select from page where n > ${size})) as next,
       (select count(*)::int from found) as matches,
       ${search.isComplete} as complete,
       set_config('max_parallel_workers_per_gather', '0', true)`
  })
}

interface Search {
  readonly scan: Scan
  readonly select: string
  /** The condition that the sort index serves. */
  readonly where: string
  /** Tested when the row is read anyway, because long scans read only the index. */
  readonly listed: string
  readonly searches: readonly string[]
  readonly order: string
  readonly size: string
}

/** The table `matched`, and the expression for the column `complete`. */
function searchOf({ scan, select, where, listed, searches, order, size }: Search): {
  matched: string
  isComplete: string
} {
  if (scan === 'filter_index') {
    const matched = `
matched as materialized (
  select ${select} from account a where ${[where, listed, ...searches].join(' and ')} limit ${filterIndexRowsMax} + 1
)`
    return { matched, isComplete: `(select count(*) from matched) <= ${filterIndexRowsMax}` }
  }
  if (searches.length === 0)
    return {
      matched: `matched as (select ${select} from account a where ${where} and ${listed} ${order} limit ${pageRowsMax})`,
      isComplete: 'true',
    }
  const matched = `
matched as (
  select w.* from (
    select ${select}, (${searches.join(' and ')}) as fits
    from account a where ${where} ${order} limit ${scanRowsMax[scan]}
  ) w where w.fits and (select ${listed} from account a where a.id = w.id)
)`
  // Rows remain beyond the scan only if it stopped at its limit. Evaluated only if the page is not full.
  const isComplete = `(select count(*) from found) > ${size} or not exists (
         select from account a where ${where} ${order} offset ${scanRowsMax[scan]} limit 1)`
  return { matched, isComplete: scan === 'full_scan' ? 'true' : isComplete }
}
