import { planIdOf } from '../identity/account.ts'
import { isAdministrator } from '../identity/administrators.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { statusOf } from './accounts.ts'

/**
 * A format of the list: the SQL that makes text of a row `p` (id, email, role_id), and the text around and between the rows. Where
 * `within` is given, the placeholder of an organisation, the row shows no other one.
 */
export interface ListFormat {
  readonly row: (within?: string) => string
  readonly open: string
  readonly between: string
  /** After the last row, where there is one. */
  readonly last: string
  readonly close: string
}

export type ListFormatName = keyof typeof listFormats

/** One user as JSON, organisations in the order of their names. Null members are omitted. */
const userJson = (within?: string) => `
json_strip_nulls(json_build_object(
  'id', p.id, 'email', p.email, 'role', p.role_id,
  'orgs', (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id), '[]')
           from membership m join organization o on o.id = m.organization_id
           where ${membershipOf(within)})))::text`

/**
 * The columns of the CSV in their order: the header, the contract's example and the statement follow from this list. `sql` is a text of a
 * row `p` (id, email, role_id); `ids` and `names` are those of the user's organizations. Ids are separated by spaces, names by bars: in some
 * locales spreadsheets take a semicolon for the separator of cells.
 */
export const csvColumns: readonly { readonly name: string; readonly sql: string; readonly example: string }[] = [
  { name: 'id', sql: 'p.id::text', example: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' },
  { name: 'email', sql: 'p.email', example: 'ada@example.com' },
  { name: 'role', sql: 'p.role_id', example: 'admin' },
  { name: 'org_ids', sql: 'ids', example: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f' },
  { name: 'org_names', sql: 'names', example: 'Analytical Engines' },
  { name: 'email_proved', sql: ofAccount('is_email_proved'), example: 'true' },
]

/** A column of `account` that the rows of the list do not have. */
function ofAccount(column: string): string {
  return `(select a.${column} from account a where a.id = p.id)::text`
}

const csvHeader = `${csvColumns.map(({ name }) => name).join(',')}\r\n`

/** The header and one user. */
export const csvExample = `${csvHeader}${csvColumns.map(({ example }) => `"${example}"`).join(',')}\r\n`

/** One user as a line of CSV (RFC 4180) with every field quoted. */
const userCsv = (within?: string) => `
(select concat_ws(',', ${csvColumns.map(({ sql }) => `csv_field(${sql})`).join(', ')})
 from (select string_agg(o.id::text, ' ' order by o.name, o.id) as ids,
              string_agg(o.name, ' | ' order by o.name, o.id) as names
       from membership m join organization o on o.id = m.organization_id
       where ${membershipOf(within)}) of_user)`

function membershipOf(within: string | undefined): string {
  return within === undefined ? 'm.account_id = p.id' : `m.account_id = p.id and m.organization_id = ${within}::uuid`
}

export const listFormats = {
  json: { row: userJson, open: '{"users":[', between: ',', last: '', close: ']}' },
  ndjson: { row: userJson, open: '', between: '\n', last: '\n', close: '' },
  csv: {
    row: userCsv,
    open: csvHeader,
    between: '\r\n',
    last: '\r\n',
    close: '',
  },
} as const satisfies Record<string, ListFormat>

/** How many of the latest events of an account are searched for its last sign-in. */
const eventsMax = 200

/**
 * One user for a screen, of a whole row `p`. The last sign-in is the newest such event of the audit trail, or null: the limit inside keeps
 * the planner to the index of actors, and what one row costs bounded.
 */
const userRecordJson = () => `
json_strip_nulls(json_build_object(
  'id', p.id, 'email', p.email, 'emailProved', p.is_email_proved, 'status', ${statusOf('p')}, 'role', p.role_id,
  'isAdministrator', ${isAdministrator('p')}, 'createdAt', ${utcText('p.created_at')},
  'lastSignInAt', (select ${utcText('max(e.at)')}
                   from (select e.at, e.action from audit_event e where e.actor_id = p.id
                         order by e.at desc, e.id desc limit ${eventsMax}) e
                   where e.action = 'session.opened'),
  'plan', ${planIdOf('p.id')}))::text`

/** Formats of pages. A whole list has no columns for the last one. */
export const pageFormats = {
  ...listFormats,
  record: { row: userRecordJson, open: '{"users":[', between: ',', last: '', close: ']}' },
} as const satisfies Record<string, ListFormat>

export type PageFormatName = keyof typeof pageFormats

/** Batches of rows as pieces of one text. `onRows` receives the number of rows of each batch. */
export async function* formatBatches(
  { open, between, last, close }: ListFormat,
  batches: AsyncIterable<readonly string[]>,
  onRows: (rows: number) => void = () => undefined,
): AsyncGenerator<string, void, void> {
  let before = open
  let isEmpty = true
  for await (const batch of batches) {
    yield before + batch.join(between)
    onRows(batch.length)
    before = between
    isEmpty = false
  }
  yield isEmpty ? open + close : last + close
}

/** One page; `rows` are already joined by `between`, or null where there are none. */
export function formatPage({ open, last, close }: ListFormat, rows: string | null): string {
  return rows === null ? open + close : open + rows + last + close
}
