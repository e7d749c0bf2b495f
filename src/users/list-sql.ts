import { callerTables } from '../identity/account.ts'
import type { Statement } from '../platform/database/database.ts'
import { type ListFormatName, listFormats } from './list-formats.ts'

export type UsersSort = 'created' | '-created' | 'email' | '-email'

/** Which users. A filter that is absent lets everybody pass. */
export interface UsersFilters {
  /** A part of the address, in any case. */
  readonly email?: string | undefined
  readonly role?: string | undefined
  readonly orgId?: string | undefined
  readonly status?: 'active' | 'disabled' | undefined
}

/** A statement with its values. Its name says everything that its text depends on, so there are a few hundred at most. */
export interface Asked {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

export interface PageQuestion {
  /**
   * `glance` looks at the next rows of the sort's index and `walk` at ten times as many, `gather` finds every match by the filter's own
   * index, unless there are too many, and `trek` walks as far as it takes.
   */
  readonly way: 'glance' | 'walk' | 'gather' | 'trek'
  readonly caller: readonly unknown[]
  readonly filters: UsersFilters
  readonly sort: UsersSort
  /** The sort key and the id of the last row shown. */
  readonly after: readonly [string, string]
  readonly limit: number
  readonly format: ListFormatName
}

/** Rows of the sort's index that each way looks at, at about 0.9 µs a row; a match that is gathered costs 2 µs. */
export const rowsMaxOf = { glance: 2_000, walk: 20_000, trek: 1_000_000_000 } as const
/** Where more than this match, a walk meets them soon: sorting them all would take longer. */
const gatherRowsMax = 30_000
/** The largest page and the one row more that tells whether there is a next one. */
const pageRowsMax = 1_001

const sorts = {
  created: { key: 'created_at', type: 'timestamptz', beyond: '>', order: 'asc' },
  '-created': { key: 'created_at', type: 'timestamptz', beyond: '<', order: 'desc' },
  email: { key: 'email_key', type: 'text', beyond: '>', order: 'asc' },
  '-email': { key: 'email_key', type: 'text', beyond: '<', order: 'desc' },
} as const

const idMin = '00000000-0000-0000-0000-000000000000'
const idMax = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The position before the first row. U+10FFFF is above every address. */
export const startOf = {
  created: ['-infinity', idMin],
  '-created': ['infinity', idMax],
  email: ['', idMin],
  '-email': ['\u{10FFFF}', idMax],
} as const satisfies Record<UsersSort, readonly [string, string]>

/**
 * One page, and whether the caller may see it. Columns: account_id, disabled, ended, allowed, `rows` (the rows as text, joined),
 * `next` (the position of the last row shown, if another follows), `met` (how many fitted, up to one more than a page), `whole` (false where this way did not settle what is on the page).
 *
 * A walk reads the sort's index and as little else as it can; whoever is on the page is read in the end.
 * The limits inside are literals: with a parameter the planner would take a tenth of the table for the page, and sort all of it.
 * `set_config` is there because it is parallel unsafe, so that no plan of this statement has workers: to start them takes longer than
 * the page.
 * Positions become text here, because a JavaScript date would lose the microseconds.
 */
export function pageStatement(question: PageQuestion): Asked {
  const { caller, filters, sort, after, limit, format, way } = question
  const { key, type, beyond, order } = sorts[sort]
  const bound = binder(caller)
  const position = `(${bound.add(after[0])}::${type}, ${bound.add(after[1])}::uuid)`
  const size = `${bound.add(limit)}::int`
  const separator = `${bound.add(listFormats[format].between)}::text`
  const inOrder = `order by a.${key} ${order}, a.id ${order}`
  const onward = [
    `(a.${key}, a.id) ${beyond} ${position}`,
    '(select allowed and not disabled and not ended from caller)',
    ...exactly(filters, bound),
    // Accounts without an address begin the order of addresses, and are many: no part of an address is theirs.
    ...(filters.email === undefined ? [] : [`a.email_key > ''`]),
  ]
  const loosely = way === 'gather' ? found(filters, bound) : tested(filters, bound)
  const search = searchOf({ way, columns: `a.id, a.${key}`, onward, loosely, inOrder, size })
  const text = `
with ${callerTables}, caller as (
  select me.id as account_id, me.disabled, me.ended,
         exists (select from granted where resource = 'users' and action = 'list') as allowed,
         set_config('max_parallel_workers_per_gather', '0', true)
  from me
), ${search.matched}, found as materialized (
  select a.* from matched a ${inOrder} limit ${size} + 1
), page as (
  select a.*, row_number() over (${inOrder}) as n from found a
)
select caller.account_id, caller.disabled, caller.ended, caller.allowed,
       (select string_agg(${listFormats[format].row}, ${separator} order by q.n)
        from page q join account p on p.id = q.id where q.n <= ${size}) as rows,
       (select json_build_array(p.${key}, p.id)::text
        from page p where p.n = ${size} and exists (select from page where n > ${size})) as next,
       (select count(*)::int from found) as met,
       ${search.isWhole} as whole
from caller`
  const parts = ['users', way, sort, ...namesOf(filters), format === 'csv' ? 'csv' : 'json']
  return { statement: { name: parts.join('_'), text }, values: bound.values }
}

interface Search {
  readonly way: PageQuestion['way']
  readonly columns: string
  /** Conditions that the index of the sort serves, and those that it does not. */
  readonly onward: readonly string[]
  readonly loosely: readonly string[]
  readonly inOrder: string
  readonly size: string
}

/** The table `matched`, in the order asked for where it is walked, and the expression of the column `whole`. */
function searchOf({ way, columns, onward, loosely, inOrder, size }: Search): { matched: string; isWhole: string } {
  const where = onward.join(' and ')
  if (way === 'gather') {
    const matched = `
matched as materialized (
  select ${columns} from account a where ${[where, ...loosely].join(' and ')} limit ${gatherRowsMax} + 1
)`
    return { matched, isWhole: `(select count(*) from matched) <= ${gatherRowsMax}` }
  }
  if (loosely.length === 0)
    return {
      matched: `matched as (select ${columns} from account a where ${where} ${inOrder} limit ${pageRowsMax})`,
      isWhole: 'true',
    }
  const matched = `
matched as (
  select w.* from (
    select ${columns}, (${loosely.join(' and ')}) as fits
    from account a where ${where} ${inOrder} limit ${rowsMaxOf[way]}
  ) w where w.fits
)`
  // Rows past the walk exist only where it stopped at its bound; asked only where the page is not full.
  const isSettled = `(select count(*) from found) > ${size} or not exists (
         select from account a where ${where} ${inOrder} offset ${rowsMaxOf[way]} limit 1)`
  return { matched, isWhole: way === 'trek' ? 'true' : isSettled }
}

/** Every user that fits, one row of text each. */
export function listStatement(filters: UsersFilters, sort: UsersSort, format: ListFormatName): Asked {
  const { key, order } = sorts[sort]
  const bound = binder([])
  const where = conditions(filters, bound)
  const text = `
select ${listFormats[format].row}
from (select a.id, a.email, a.role_id, a.${key} from account a where ${where} order by a.${key} ${order}, a.id ${order}) p`
  const name = ['users_all', sort, ...namesOf(filters), format === 'csv' ? 'csv' : 'json'].join('_')
  return { statement: { name, text }, values: bound.values }
}

/** How many users fit: the same conditions as the list itself. */
export function countStatement(filters: UsersFilters): Asked {
  const bound = binder([])
  const where = conditions(filters, bound)
  const name = ['users_count', ...namesOf(filters)].join('_')
  return { statement: { name, text: `select count(*) as total from account a where ${where}` }, values: bound.values }
}

interface Bound {
  readonly values: unknown[]
  readonly add: (value: unknown) => string
}

function binder(first: readonly unknown[]): Bound {
  const values = [...first]
  return { values, add: (value) => `$${values.push(value)}` }
}

function conditions(filters: UsersFilters, bound: Bound): string {
  return ['true', ...exactly(filters, bound), ...found(filters, bound)].join(' and ')
}

/** Filters that the index of a sort begins with. */
function exactly({ role, status }: UsersFilters, bound: Bound): string[] {
  return [
    ...(role === undefined ? [] : [`a.role_id = ${bound.add(role)}`]),
    ...(status === undefined ? [] : [`a.is_disabled = ${status === 'disabled'}`]),
  ]
}

/** The other filters, as a test of one row. */
function tested({ email, orgId }: UsersFilters, bound: Bound): string[] {
  return [
    ...(email === undefined ? [] : [hasPart(email, bound)]),
    ...(orgId === undefined
      ? []
      : [`exists (select from membership f where f.account_id = a.id and f.organization_id = ${bound.add(orgId)})`]),
  ]
}

/** The same filters, so that their own indexes are used. */
function found({ email, orgId }: UsersFilters, bound: Bound): string[] {
  return [
    // The index knows which characters stand side by side, but not whether all of the part does.
    ...(email === undefined
      ? []
      : [hasPart(email, bound), `email_parts(a.email_key) @@ ${bound.add(partsQuery(email))}::tsquery`]),
    ...(orgId === undefined
      ? []
      : [`a.id in (select f.account_id from membership f where f.organization_id = ${bound.add(orgId)})`]),
  ]
}

/** Not `like`: what is looked for may have its signs in it. */
function hasPart(email: string, bound: Bound): string {
  return `strpos(a.email_key, ${bound.add(lowerAscii(email))}) > 0`
}

/** What `email_parts` of every address with this part in it holds, as a query of PostgreSQL's text search. */
function partsQuery(email: string): string {
  const key = lowerAscii(email)
  if (key.length < 3) return `${lexeme(key)}:*`
  const threes = Array.from({ length: key.length - 2 }, (_, start) => key.slice(start, start + 3))
  return [...new Set(threes)].map(lexeme).join(' & ')
}

function lexeme(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** As the column `email_key` does it. */
function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function namesOf({ email, role, orgId, status }: UsersFilters): readonly string[] {
  return [
    ...(email === undefined ? [] : ['email']),
    ...(role === undefined ? [] : ['role']),
    ...(orgId === undefined ? [] : ['org']),
    ...(status === undefined ? [] : [status]),
  ]
}
