import Type, { type Static, type TSchema } from 'typebox'
import { isAdministrator } from '../identity/administrators.ts'
import type { AddValue } from '../platform/database/bound-statement.ts'
import { uuidRules } from '../platform/http/formats.ts'
import { refuse } from '../platform/problems.ts'

/**
 * The filters of the list of users, each declared once: the query parameters and their documentation, the conditions and the names of
 * the statements, the signature of cursors and the options of `muster export` derive from this table: docs/contributing/add-a-filter.md.
 */
export const filters = {
  email: filter({
    schema: Type.String({
      minLength: 1,
      maxLength: 254,
      pattern: '^[!-~]+$',
      description:
        'A part of the e-mail address, in any case. Every character stands for itself; only ASCII is accepted.',
    }),
    option: { flags: '-e, --email <part>', description: 'Only users with this part in their e-mail address.' },
    // Not `like`: the part may contain its wildcards.
    row: (bind) => `strpos(a.email_key, ${bind(lowerAscii)}) > 0`,
    // The index knows which characters stand side by side, but not whether the whole part does.
    filterIndex: (bind) =>
      `strpos(a.email_key, ${bind(lowerAscii)}) > 0 and email_parts(a.email_key) @@ ${bind(partsQuery)}::tsquery`,
    // Accounts without an address are many and come first when sorted by address.
    sortRange: `a.email_key > ''`,
  }),
  role: filter({
    schema: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,62}$', description: 'The id of the role, exactly.' }),
    option: { flags: '-r, --role <role>', description: 'Only users of this role.' },
    column: 'role_id',
  }),
  administrator: filter({
    schema: Type.Enum(['true', 'false'], {
      description:
        'Administrators, or all others. An administrator is an enabled user whose role grants `users:change_role` and `users:enable`.',
    }),
    option: { flags: '-a, --administrator <true-or-false>', description: 'Only administrators, or all others.' },
    literals: { true: '', false: 'not' },
    row: (_, not) => `${not} ${isAdministrator('a')}`,
    filterIndex: (_, not) => `a.id in (select f.id from account f where ${not} ${isAdministrator('f')})`,
  }),
  orgId: filter({
    schema: Type.String({ ...uuidRules, description: 'Members of the organisation with this id.' }),
    option: { flags: '-o, --org <id>', description: 'Only members of this organisation.' },
    row: (bind) => `exists (select from membership f where f.account_id = a.id and f.organization_id = ${bind()})`,
    filterIndex: (bind) => `a.id in (select f.account_id from membership f where f.organization_id = ${bind()})`,
  }),
  status: filter({
    schema: Type.Enum(['active', 'disabled', 'erasing'], {
      description: 'Accounts in this state. Those that are to be erased, `erasing`, are in no other list.',
    }),
    option: { flags: '-s, --status <status>', description: 'Only accounts in this state.' },
    column: 'is_disabled',
    // Literals, so that the planner sees which of the two is asked for: few accounts are disabled.
    literals: { active: 'false', disabled: 'true', erasing: 'true' },
  }),
  emailProved: filter({
    schema: Type.Enum(['true', 'false'], {
      description: 'Accounts whose address is proved to be that of their owner, or all others.',
    }),
    option: {
      flags: '-p, --email-proved <true-or-false>',
      description: 'Only accounts whose address is proved, or is not.',
    },
    column: 'is_email_proved',
    literals: { true: 'true', false: 'false' },
  }),
}

const idMin = '00000000-0000-0000-0000-000000000000'
const idMax = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The orders of the list. `start` is the position before the first row; U+10FFFF sorts after every address. */
export const sorts = {
  created: { column: 'created_at', type: 'timestamptz', direction: 'asc', start: ['-infinity', idMin] },
  '-created': { column: 'created_at', type: 'timestamptz', direction: 'desc', start: ['infinity', idMax] },
  email: { column: 'email_key', type: 'text', direction: 'asc', start: ['', idMin] },
  '-email': { column: 'email_key', type: 'text', direction: 'desc', start: ['\u{10FFFF}', idMax] },
} as const satisfies Record<string, Sort>

export type FilterName = keyof typeof filters
export type UsersSort = keyof typeof sorts

/** The same order from its other end. */
export const reversedSort = {
  created: '-created',
  '-created': 'created',
  email: '-email',
  '-email': 'email',
} as const satisfies Record<UsersSort, UsersSort>

/** The filters of one request. A filter that is absent excludes no user. */
export type UsersFilters = {
  readonly [Name in FilterName]?: Static<(typeof filters)[Name]['schema']> | undefined
}

/** A service key of one organisation lists its members. Problem: `organization_unknown` for another one. */
export function confine<Filters extends UsersFilters>(filters: Filters, within: string | undefined): Filters {
  if (within === undefined) return filters
  if (filters.orgId !== undefined && filters.orgId !== within) refuse('organization_unknown')
  return { ...filters, orgId: within }
}

/** In the order of the table. */
export const filterNames = keysOf(filters)
export const sortNames = keysOf(sorts)

interface Declared<Schema extends TSchema> {
  /** Of the query parameter, with its description. */
  readonly schema: Schema
  /** Of `muster export`. */
  readonly option: { readonly flags: `-${string}, --${string} <${string}>`; readonly description: string }
}

/** How the rows of `account a` that fit are found. */
type Filter<Schema extends TSchema> = Declared<Schema> & (ColumnFilter<Static<Schema>> | SearchFilter<Static<Schema>>)

/** A filter of any schema. `never`, because the type of its value is known to the filter alone. */
export type AnyFilter = Declared<TSchema> & (ColumnFilter<string> | SearchFilter<never>)

/** A filter by equality with a column. For each sort there is an index on (column, column of the sort, id). */
interface ColumnFilter<Value> {
  readonly column: string
  /** The SQL literal of each value of an enumeration, for a plan that depends on the value. */
  readonly literals?: Readonly<Record<Value & string, string>>
}

/** Any other filter, as two conditions that select the same rows. Each page decides which one is faster. */
interface SearchFilter<Value> {
  /** SQL for each value of an enumeration, which the conditions get in place of a parameter. */
  readonly literals?: Readonly<Record<Value & string, string>>
  /** Tests one row that the index of the sort has found. */
  row(bind: Bind<Value>, literal: string): string
  /** Finds the rows by an index of the filter's own. */
  filterIndex(bind: Bind<Value>, literal: string): string
  /** True for every row that fits, and a range of the index of a sort. */
  readonly sortRange?: string
}

/**
 * Binds the value of the filter, or what `convert` makes of it, and returns its placeholder. The value never becomes part of the SQL
 * text, so the number of texts, each of which is prepared on every connection, is bounded.
 */
type Bind<Value> = (convert?: (value: Value) => unknown) => string

interface Sort {
  readonly column: string
  readonly type: string
  readonly direction: 'asc' | 'desc'
  readonly start: readonly [key: string, id: string]
}

export interface Conditions {
  /** Whether an account is to be erased: of no index, and true of almost all rows. */
  readonly listed: string
  /** Equalities with columns that an index of the sort begins with. */
  readonly columns: readonly string[]
  readonly sortRanges: readonly string[]
  /** The other filters, by row or by their own index. */
  readonly searches: readonly string[]
}

/** The conditions on `account a` of the given filters. */
export function conditionsOf(values: UsersFilters, search: 'row' | 'filterIndex', add: AddValue): Conditions {
  const listed = `a.erases_at is ${values.status === 'erasing' ? 'not null' : 'null'}`
  const conditions: Record<Exclude<keyof Conditions, 'listed'>, string[]> = {
    columns: [],
    sortRanges: [],
    searches: [],
  }
  for (const name of filterNames) {
    const value = values[name]
    if (value === undefined) continue
    const filter: AnyFilter = filters[name]
    if ('column' in filter) conditions.columns.push(`a.${filter.column} = ${literalOf(filter, value) ?? add(value)}`)
    else {
      // The schema of this filter has accepted the value (the trust boundary is the request or the command line).
      const bind = (convert?: (value: never) => unknown) => add(convert ? convert(value as never) : value)
      conditions.searches.push(filter[search](bind, literalOf(filter, value) ?? ''))
      if (filter.sortRange !== undefined) conditions.sortRanges.push(filter.sortRange)
    }
  }
  return { listed, ...conditions }
}

function literalOf({ literals }: Pick<ColumnFilter<string>, 'literals'>, value: unknown): string | undefined {
  if (literals === undefined) return undefined
  const literal = new Map(Object.entries(literals)).get(String(value))
  if (literal === undefined) throw new TypeError(`The filter has no literal for the value ${value}.`)
  return literal
}

/** Infers the type of the values from the schema. */
function filter<Schema extends TSchema>(declared: Filter<Schema>): Filter<Schema> {
  return declared
}

/** A query of PostgreSQL's text search for what `email_parts` of every address with this part contains. */
function partsQuery(part: string): string {
  const key = lowerAscii(part)
  if (key.length < 3) return `${lexeme(key)}:*`
  const threes = Array.from({ length: key.length - 2 }, (_, start) => key.slice(start, start + 3))
  return [...new Set(threes)].map(lexeme).join(' & ')
}

function lexeme(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** As the column `email_key` is computed. */
function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function keysOf<Table extends object>(table: Table): readonly (keyof Table)[] {
  // `Object.keys` is typed for objects that may have more members than their type says; these tables have not.
  return Object.keys(table) as (keyof Table)[]
}
