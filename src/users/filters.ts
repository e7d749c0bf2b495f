import Type, { type Static, type TOptional, type TSchema } from 'typebox'
import { isAdministrator } from '../identity/administrators.ts'
import type { IssuerNames } from '../identity/issuers/names.ts'
import type { AddValue } from '../platform/database/database.ts'
import { object } from '../platform/http/contract.ts'
import { uuidRules } from '../platform/http/formats.ts'
import { refuse } from '../platform/problems.ts'

const partRules = { minLength: 1, maxLength: 254 } as const
/** Names at most one user. The maximum lengths are those of MUSTER_ISSUERS and of the table `identity`. */
export const Identity = object({
  issuer: Type.String({
    minLength: 1,
    maxLength: 400,
    pattern: '^[^\\u0000]*$',
    description: 'The issuer, as in the claim `iss` of its tokens. Exact; needs `subject`.',
  }),
  subject: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\u0000]*$',
    description: 'The ID of the user at this issuer, usually the claim `sub`. Exact; needs `issuer`.',
  }),
})

/**
 * The filters of the user list. Query parameters, their documentation, SQL conditions, statement names, cursor
 * signatures and the options of `muster export` are derived from this table. See docs/contributing/add-a-filter.md.
 */
export const filters = {
  email: filter({
    schema: Type.String({
      ...partRules,
      description:
        'A part of the email, case-insensitive and without wildcards. A domain in Unicode and its A-labels find the same users.',
    }),
    option: { flags: '-e, --email <part>', description: 'Only users whose email contains this text.' },
    ...searchIn('email_forms(a.email_key)'),
    // There are many accounts without an email, and they come first when sorted by email.
    sortRange: `a.email_key > ''`,
  }),
  q: filter({
    schema: Type.String({ ...partRules, description: 'A part of the name or of the email, as for `email`.' }),
    option: { flags: '-q, --search <part>', description: 'Only users whose name or email contains this text.' },
    ...searchIn('a.search_key'),
  }),
  role: filter({
    schema: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,62}$', description: 'The exact id of a role.' }),
    option: { flags: '-r, --role <role>', description: 'Only users with this role.' },
    column: 'role_id',
  }),
  administrator: filter({
    schema: Type.Enum(['true', 'false'], {
      description:
        '`true`: only administrators. `false`: all other users. An administrator is an enabled user whose role grants `users:change_role` and `users:enable`.',
    }),
    option: { flags: '-a, --administrator <true-or-false>', description: 'Only administrators, or all other users.' },
    literals: { true: '', false: 'not' },
    row: (_, not) => `${not} ${isAdministrator('a')}`,
    filterIndex: (_, not) => `a.id in (select f.id from account f where ${not} ${isAdministrator('f')})`,
  }),
  orgId: filter({
    schema: Type.String({ ...uuidRules, description: 'Only members of the organization with this id.' }),
    option: { flags: '-o, --org <id>', description: 'Only members of this organization.' },
    row: (bind) => `exists (select from membership f where f.account_id = a.id and f.organization_id = ${bind()})`,
    filterIndex: (bind) => `a.id in (select f.account_id from membership f where f.organization_id = ${bind()})`,
  }),
  status: filter({
    schema: Type.Enum(['active', 'disabled', 'erasing'], {
      description: 'Only users with this status. Users scheduled for deletion are listed only with `erasing`.',
    }),
    option: { flags: '-s, --status <status>', description: 'Only users with this status.' },
    column: 'is_disabled',
    // Literals instead of parameters, so that the planner knows the value: few accounts are disabled.
    literals: { active: 'false', disabled: 'true', erasing: 'true' },
  }),
  emailProved: filter({
    schema: Type.Enum(['true', 'false'], {
      description: '`true`: only users with a verified email. `false`: all other users.',
    }),
    option: {
      flags: '-p, --email-proved <true-or-false>',
      description: 'Only users with a verified email, or all other users.',
    },
    column: 'is_email_proved',
    literals: { true: 'true', false: 'false' },
  }),
  identity: filter({ schema: Identity, row: hasIdentity, filterIndex: hasIdentity }),
}

export const idMin = '00000000-0000-0000-0000-000000000000'
export const idMax = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Sorts after every character of an email. */
export const lastCharacter = '\u{10FFFF}'

/** The sort orders. `start` is a position before the first row. */
export const sorts = {
  created: { column: 'created_at', type: 'timestamptz', direction: 'asc', start: ['-infinity', idMin] },
  '-created': { column: 'created_at', type: 'timestamptz', direction: 'desc', start: ['infinity', idMax] },
  email: { column: 'email_key', type: 'text', direction: 'asc', start: ['', idMin] },
  '-email': { column: 'email_key', type: 'text', direction: 'desc', start: [lastCharacter, idMax] },
} as const satisfies Record<string, Sort>

export type FilterName = keyof typeof filters
export type UsersSort = keyof typeof sorts

/** The same order, reversed. */
export const reversedSort = {
  created: '-created',
  '-created': 'created',
  email: '-email',
  '-email': 'email',
} as const satisfies Record<UsersSort, UsersSort>

/** The filters of one request. An absent filter excludes no user. */
export type UsersFilters = {
  readonly [Name in FilterName]?: Static<(typeof filters)[Name]['schema']> | undefined
}

const { identity: _, ...ofOneParameter } = filters

/** The query parameters: one for each filter, and two for `identity`. */
export const filterParameters = {
  // `Object.fromEntries` loses which name has which schema.
  ...(Object.fromEntries(Object.entries(ofOneParameter).map(([name, { schema }]) => [name, Type.Optional(schema)])) as {
    [Name in keyof typeof ofOneParameter]: TOptional<(typeof ofOneParameter)[Name]['schema']>
  }),
  issuer: Type.Optional(Identity.properties.issuer),
  subject: Type.Optional(Identity.properties.subject),
}

interface FilterQuery extends Omit<UsersFilters, 'identity'> {
  readonly issuer?: string | undefined
  readonly subject?: string | undefined
}

/** Reads the filters of a query. Problem: `input_invalid` if `issuer` or `subject` is missing. */
export function readFilters({ issuer, subject, ...others }: FilterQuery, issuers: IssuerNames): UsersFilters {
  if (issuer === undefined && subject === undefined) return others
  if (issuer === undefined) return refuseHalf('issuer', 'subject')
  if (subject === undefined) return refuseHalf('subject', 'issuer')
  return { ...others, identity: { issuer: issuers.stored(issuer), subject } }
}

function refuseHalf(missing: string, given: string): never {
  const detail = `is required, because \`${given}\` is present`
  return refuse('input_invalid', {
    errors: [{ parameter: missing, detail }],
    detail: 'See `errors` for every invalid value.',
  })
}

/**
 * Restricts a service key of one organization to its members. Problem: `organization_unknown` if the request names
 * another organization.
 */
export function confine<Filters extends UsersFilters>(filters: Filters, within: string | undefined): Filters {
  if (within === undefined) return filters
  if (filters.orgId !== undefined && filters.orgId !== within) refuse('organization_unknown')
  return { ...filters, orgId: within }
}

/** In the order of the table. */
export const filterNames = keysOf(filters)
export const sortNames = keysOf(sorts)

interface Declared<Schema extends TSchema> {
  /** Schema and description of the query parameter. */
  readonly schema: Schema
  /** Option of `muster export`. Absent for a filter that finds one user at most. */
  readonly option?: { readonly flags: `-${string}, --${string} <${string}>`; readonly description: string }
}

/** How to find the matching rows of `account a`. */
type Filter<Schema extends TSchema> = Declared<Schema> & (ColumnFilter<Static<Schema>> | SearchFilter<Static<Schema>>)

/** A filter with any schema. `never`, because only the filter knows the type of its value. */
export type AnyFilter = Declared<TSchema> & (ColumnFilter<string> | SearchFilter<never>)

/** An equality with a column. Each sort has an index on (column, sort column, id). */
interface ColumnFilter<Value> {
  readonly column: string
  /** The SQL literal for each value of an enumeration, if the best plan depends on the value. */
  readonly literals?: Readonly<Record<Value & string, string>>
}

/** Any other filter, as two conditions that select the same rows. Each page chooses the faster one. */
interface SearchFilter<Value> {
  /** SQL for each value of an enumeration, inserted instead of a parameter. */
  readonly literals?: Readonly<Record<Value & string, string>>
  /** Tests a row that the sort index has found. */
  row(bind: Bind<Value>, literal: string): string
  /** Finds the rows with the filter's own index. */
  filterIndex(bind: Bind<Value>, literal: string): string
  /** True for every matching row whatever the value, and a range of a sort index. Used with every sort. */
  readonly sortRange?: string
}

/**
 * Binds the value of the filter, converted by `convert`, and returns its placeholder. Values never become part of the
 * SQL text, so the number of prepared statements per connection stays bounded.
 */
type Bind<Value> = (convert?: (value: Value) => unknown) => string

interface Sort {
  readonly column: string
  readonly type: string
  readonly direction: 'asc' | 'desc'
  readonly start: readonly [key: string, id: string]
}

export interface Conditions {
  /** Condition on `erases_at`. It has no index and is true for almost all rows. */
  readonly listed: string
  /** Equalities with leading columns of the sort index. */
  readonly columns: readonly string[]
  readonly sortRanges: readonly string[]
  /** The other filters, tested by row or found by their own index. */
  readonly searches: readonly string[]
}

/** The conditions on `account a` for the given filters. */
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
      // Trust boundary: the schema of this filter has validated the value, in the request or on the command line.
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

/** The account of the identity, read once for each statement: at most one account matches. */
function hasIdentity(bind: Bind<Static<typeof Identity>>): string {
  return `a.id = (select i.account_id from identity i where i.issuer = ${bind(({ issuer }) => issuer)} and i.subject = ${bind(({ subject }) => subject)})`
}

/** Infers the type of the value from the schema. */
function filter<Schema extends TSchema>(declared: Filter<Schema>): Filter<Schema> {
  return declared
}

/**
 * Finds a part of a text, which is a line of `search_key`. Not `like`: the part may contain wildcards. The subquery folds
 * the part once instead of once a row. The index finds adjacent characters; `strpos` checks the whole part.
 */
function searchIn(text: string): Pick<SearchFilter<string>, 'row' | 'filterIndex'> {
  const row = (bind: Bind<string>) => `strpos(${text}, (select ${folded(bind(searchable))})) > 0`
  return {
    row,
    filterIndex: (bind) => `${row(bind)} and text_parts(a.search_key) @@ parts_query(${folded(bind(searchable))})`,
  }
}

/** No name or domain has a control character, so that a part with one matches nothing; PostgreSQL would reject NUL. */
function searchable(part: string): string {
  return part.replaceAll(/\p{Cc}/gu, '\u0001')
}

/** SQL of the part that `search_key` must contain, or undefined. */
export function searchTermOf({ q, email }: UsersFilters): ((add: AddValue) => string) | undefined {
  const term = q ?? email
  return term === undefined ? undefined : (add) => folded(add(searchable(term)))
}

const folded = (part: string) => `search_fold(${part}::text)`

function keysOf<Table extends object>(table: Table): readonly (keyof Table)[] {
  // `Object.keys` returns `string[]`, because objects can have extra members. These tables do not.
  return Object.keys(table) as (keyof Table)[]
}
