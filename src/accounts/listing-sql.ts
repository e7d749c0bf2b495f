import type { Statement } from '../database/database.ts'
import { callerTables } from './caller-sql.ts'
import { type ListFormatName, listFormats } from './listing-formats.ts'

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
   * `walk` looks at a few next rows of the sort's index, `gather` finds every match by the filter's own index, unless there are too
   * many, and `trek` walks as far as it takes.
   */
  readonly way: 'walk' | 'gather' | 'trek'
  readonly caller: readonly unknown[]
  readonly filters: UsersFilters
  readonly sort: UsersSort
  /** The sort key and the id of the last row shown. */
  readonly after: readonly [string, string]
  readonly limit: number
  readonly format: ListFormatName
  readonly hasTrigrams: boolean
}

/** A walk looks at no more rows than this: a few milliseconds. */
export const walkRowsMax = 10_000
/** Where more than this match, a walk meets them soon: sorting them all would take longer. */
const gatherRowsMax = 30_000
/** More rows than there are. */
const trekRowsMax = 1_000_000_000
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
 * `next` (the position of the last row shown, if another follows), `whole` (false where this way did not settle what is on the page).
 *
 * A walk reads the sort's index and as little else as it can; whoever is on the page is read in the end.
 * The limits inside are literals: with a parameter the planner would take a tenth of the table for the page, and sort all of it.
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
  const loosely = way === 'gather' ? found(filters, bound, question.hasTrigrams) : tested(filters, bound)
  const isLoose = loosely.length > 0

  const reach = way === 'walk' ? walkRowsMax : trekRowsMax
  const walked = `
matched as (
  select w.* from (
    select a.id, a.${key}${isLoose ? `, (${loosely.join(' and ')}) as fits` : ''}
    from account a where ${onward.join(' and ')} ${inOrder} limit ${isLoose ? reach : pageRowsMax}
  ) w${isLoose ? ' where w.fits' : ''}
)`
  const gathered = `
matched as materialized (
  select a.id, a.${key} from account a where ${[...onward, ...loosely].join(' and ')}
  limit ${gatherRowsMax} + 1
)`
  const isWhole = {
    // Rows past the walk exist only where it stopped at its bound; asked only where the page is not full.
    walk: isLoose
      ? `(select count(*) from found) > ${size} or not exists (
           select from account a where ${onward.join(' and ')} ${inOrder} offset ${walkRowsMax} limit 1)`
      : 'true',
    gather: `(select count(*) from matched) <= ${gatherRowsMax}`,
    trek: 'true',
  }
  const text = `
with ${callerTables}, caller as (
  select me.id as account_id, me.disabled, me.ended,
         exists (select from granted where resource = 'users' and action = 'list') as allowed
  from me
), ${way === 'gather' ? gathered : walked}, found as materialized (
  select a.* from matched a ${inOrder} limit ${size} + 1
), page as (
  select a.*, row_number() over (${inOrder}) as n from found a
)
select caller.account_id, caller.disabled, caller.ended, caller.allowed,
       (select string_agg(${listFormats[format].row}, ${separator} order by q.n)
        from page q join account p on p.id = q.id where q.n <= ${size}) as rows,
       (select json_build_array(p.${key}, p.id)::text
        from page p where p.n = ${size} and exists (select from page where n > ${size})) as next,
       ${isWhole[way]} as whole
from caller`
  const parts = ['users', way, sort, ...namesOf(filters, question.hasTrigrams), format === 'csv' ? 'csv' : 'json']
  return { statement: { name: parts.join('_'), text }, values: bound.values }
}

/** Every user that fits, one row of text each. */
export function listStatement(
  filters: UsersFilters,
  sort: UsersSort,
  format: ListFormatName,
  hasTrigrams: boolean,
): Asked {
  const { key, order } = sorts[sort]
  const bound = binder([])
  const where = conditions(filters, bound, hasTrigrams)
  const text = `
select ${listFormats[format].row}
from (select a.id, a.email, a.role_id, a.${key} from account a where ${where} order by a.${key} ${order}, a.id ${order}) p`
  return { statement: { name: 'users_all', text }, values: bound.values }
}

/** How many users fit: the same conditions as the list itself. */
export function countStatement(filters: UsersFilters, hasTrigrams: boolean): Asked {
  const bound = binder([])
  const where = conditions(filters, bound, hasTrigrams)
  const name = ['users_count', ...namesOf(filters, hasTrigrams)].join('_')
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

function conditions(filters: UsersFilters, bound: Bound, hasTrigrams: boolean): string {
  return ['true', ...exactly(filters, bound), ...found(filters, bound, hasTrigrams)].join(' and ')
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
    ...(email === undefined ? [] : [`a.email_key like ${bound.add(likePattern(email))}`]),
    ...(orgId === undefined
      ? []
      : [`exists (select from membership f where f.account_id = a.id and f.organization_id = ${bound.add(orgId)})`]),
  ]
}

/** The same filters, so that their own indexes are used: trigrams, or pairs of characters where there can be no trigrams. */
function found({ email, orgId }: UsersFilters, bound: Bound, hasTrigrams: boolean): string[] {
  return [
    ...(email === undefined ? [] : [`a.email_key like ${bound.add(likePattern(email))}`]),
    ...(email === undefined || byTrigrams(email, hasTrigrams)
      ? []
      : [`email_pairs(a.email_key) @> ${bound.add(pairsOf(email))}::text[]`]),
    ...(orgId === undefined
      ? []
      : [`a.id in (select f.account_id from membership f where f.organization_id = ${bound.add(orgId)})`]),
  ]
}

function byTrigrams(email: string, hasTrigrams: boolean): boolean {
  return hasTrigrams && /[a-z0-9]{3}/i.test(email)
}

function likePattern(email: string): string {
  return `%${lowerAscii(email).replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** What `email_pairs` of every address with this part in it holds. */
function pairsOf(email: string): readonly string[] {
  const key = lowerAscii(email)
  if (key.length === 1) return [key]
  return Array.from({ length: key.length - 1 }, (_, start) => key.slice(start, start + 2))
}

/** As the column `email_key` does it. */
function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function namesOf({ email, role, orgId, status }: UsersFilters, hasTrigrams: boolean): readonly string[] {
  return [
    ...(email === undefined ? [] : [byTrigrams(email, hasTrigrams) ? 'email' : 'short']),
    ...(role === undefined ? [] : ['role']),
    ...(orgId === undefined ? [] : ['org']),
    ...(status === undefined ? [] : [status]),
  ]
}
