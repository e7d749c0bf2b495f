import { type BoundStatement, boundStatement, type Rows } from '../platform/database/database.ts'
import type { PageRow, Position } from '../platform/http/cursors.ts'
import {
  conditionsOf,
  idMax,
  idMin,
  lastCharacter,
  searchTermOf,
  sorts,
  type UsersFilters,
  type UsersSort,
} from './filters.ts'
import { usersPageSizeMax } from './list-contract.ts'
import { formatPage, type PageFormatName, pageFormats } from './list-formats.ts'

export interface PageQuestion {
  readonly filters: UsersFilters
  readonly sort: UsersSort
  /** Sort key and id of the last row of the previous page. */
  readonly after: Position
  readonly limit: number
  readonly format: PageFormatName
  /** true: the page shows the reverse order of `sort`, because it was requested backwards from a position. */
  readonly isReversed?: boolean
  /** Shows no other organization of a user. */
  readonly within?: string | undefined
}

/**
 * How to find the rows of a page. Scans read the next 2,000, 40,000 or all rows of the sort index and test the search
 * filters. `filter_index` reads the indexes of the filters and sorts all matches. `start_range` reads the emails that
 * start like the search term from the sort index, and other matches from the filter index.
 */
export type Scan = 'index_scan_2k' | 'index_scan_40k' | 'start_range' | 'filter_index' | 'full_scan'

/**
 * Reads one page, with `body` as text in the requested format and positions in the order of `sort`. The sort index finds frequent matches fast, and the filter index finds rare ones. The first 2,000
 * rows complete most pages; the number of matches among them shows which index is faster for the rest. All are bounded.
 * If none completes the page, the matches are frequent but far from this position, and the full scan finds them.
 */
export async function readPage(rows: Rows, question: PageQuestion): Promise<PageRow> {
  const { rows: found, first, next } = await findRows(rows, question)
  return { body: formatPage(pageFormats[question.format], found), first, next }
}

interface ScanRow extends Omit<PageRow, 'body'> {
  readonly rows: string | null
  readonly matches: number
  readonly complete: boolean
}

async function findRows(rows: Rows, question: PageQuestion): Promise<ScanRow> {
  const sample = await runScan(rows, question, 'index_scan_2k')
  if (sample.complete) return sample
  for (const scan of await furtherScans(rows, question, sample.matches)) {
    const page = await runScan(rows, question, scan)
    if (page.complete) return page
  }
  return runScan(rows, question, 'full_scan')
}

/** What to try next, if 2,000 rows have too few matches. */
async function furtherScans(rows: Rows, question: PageQuestion, sampled: number): Promise<readonly Scan[]> {
  const isFrequent = (matches: number) =>
    (matches * scanRowsMax.index_scan_40k) / scanRowsMax.index_scan_2k >= question.limit * expectedMargin
  if (isFrequent(sampled)) return ['index_scan_40k', 'filter_index']
  if (termOfEmails(question) === undefined) return ['filter_index']
  // Names are part of most emails, so that neighbours by email are no sample of all names.
  const { matches } = await runScan(rows, { ...question, sort: 'created', after: sorts.created.start }, 'index_scan_2k')
  if (!isFrequent(matches)) return ['filter_index']
  return matches > question.limit
    ? ['index_scan_40k', 'filter_index']
    : ['start_range', 'index_scan_40k', 'filter_index']
}

/** The search term, if the sort key is the email. */
function termOfEmails({ filters, sort }: PageQuestion) {
  return sorts[sort].column === 'email_key' ? searchTermOf(filters) : undefined
}

async function runScan(rows: Rows, question: PageQuestion, scan: Scan): Promise<ScanRow> {
  const { statement, values } = pageStatement(question, scan)
  const [row] = await rows.query<ScanRow>(statement, values)
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
    const key = `${add(after[0])}::${type}`
    const id = `${add(after[1])}::uuid`
    const size = `${add(limit)}::int`
    const separator = `${add(pageFormats[format].between)}::text`
    const order = `order by a.${column} ${direction}, a.id ${direction}`
    const { listed, columns, sortRanges, searches } = conditionsOf(
      filters,
      scan === 'filter_index' ? 'filterIndex' : 'row',
      add,
    )
    const position = `(a.${column}, a.id) ${direction === 'asc' ? '>' : '<'} (${key}, ${id})`
    const term = scan === 'start_range' ? termOfEmails(question)?.(add) : undefined
    const search = searchOf({
      scan,
      select: `a.id, a.${column}`,
      where: [position, ...columns, ...sortRanges].join(' and '),
      listed,
      searches,
      start:
        term === undefined
          ? undefined
          : { term, range: [startRange(term, direction, { key, id }), ...columns].join(' and ') },
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
  /** `range` has the emails that start like the term. Undefined for other sort keys, and without a term. */
  readonly start: { readonly term: string; readonly range: string } | undefined
  readonly order: string
  readonly size: string
}

/** The table `matched`, and the expression for the column `complete`. */
function searchOf(search: Search): { matched: string; isComplete: string } {
  const { scan, select, where, listed, searches, start, order, size } = search
  const isSorted = `(select count(*) from matched) <= ${filterIndexRowsMax}`
  if (scan === 'start_range' && start)
    return { matched: byStart(search, start), isComplete: `${isFull('starting', size)} and ${isSorted}` }
  if (scan === 'start_range' || scan === 'filter_index')
    return { matched: `matched as materialized (${byFilterIndex(search, 'true')})`, isComplete: isSorted }
  if (searches.length === 0)
    return {
      matched: `matched as (select ${select} from account a where ${where} and ${listed} ${order} limit ${pageRowsMax})`,
      isComplete: 'true',
    }
  // Rows remain beyond the scan only if it stopped at its limit. Evaluated only if the page is not full.
  const isComplete = `${isFull('found', size)} or not exists (
         select from account a where ${where} ${order} offset ${scanRowsMax[scan]} limit 1)`
  return {
    matched: `matched as (${byRow(search, where, scanRowsMax[scan])})`,
    isComplete: scan === 'full_scan' ? 'true' : isComplete,
  }
}

function byRow({ select, listed, searches, order }: Search, where: string, rowsMax: number): string {
  return `
  select w.* from (
    select ${select}, (${searches.join(' and ')}) as fits
    from account a where ${where} ${order} limit ${rowsMax}
  ) w where w.fits and (select ${listed} from account a where a.id = w.id)`
}

function byFilterIndex({ select, where, listed, searches }: Search, condition: string): string {
  const conditions = [where, listed, ...searches, condition].join(' and ')
  return `
  select ${select} from account a where ${conditions} limit ${filterIndexRowsMax} + 1`
}

/**
 * The first emails that start like the term, and if they fill the page, every other match. In `search_key` only emails
 * follow a line break.
 */
function byStart(search: Search, { term, range }: NonNullable<Search['start']>): string {
  const { select, order, size } = search
  const others = `text_parts(a.search_key) @@ (parts_query(${term}) && !!parts_query(E'\\n' || left(${term}, 2)))`
  return `starting as materialized (
  select ${select} from (${byRow(search, range, scanRowsMax.index_scan_2k)}) a ${order} limit ${size} + 1
), matched as materialized (
  select * from starting
  union all (${byFilterIndex(search, `${isFull('starting', size)} and ${others}`)})
)`
}

/** One bound for position and start: of two, PostgreSQL uses one to enter the index, and reads up to the other. */
function startRange(
  term: string,
  direction: 'asc' | 'desc',
  { key, id }: { readonly key: string; readonly id: string },
) {
  const start = `left(${term}, 2) collate "C"`
  const end = `(left(${term}, 2) || '${lastCharacter}') collate "C"`
  return direction === 'asc'
    ? `(a.email_key, a.id) > (greatest(${key}, ${start}), case when ${key} >= ${start} then ${id} else '${idMin}' end) and a.email_key < ${end}`
    : `(a.email_key, a.id) < (least(${key}, ${end}), case when ${key} <= ${end} then ${id} else '${idMax}' end) and a.email_key >= ${start}`
}

const isFull = (table: string, size: string) => `(select count(*) from ${table}) > ${size}`
