import { isAdministrator } from '../identity/administrators.ts'
import { planIdOf } from '../identity/subscriptions.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { statusOf } from './accounts.ts'

/**
 * A format of the list: the SQL that renders a row `p` (id, email, role_id) as text, and the text before, between and
 * after the rows. `within` is the placeholder of an organization; the row then shows no other one.
 */
interface ListFormat {
  readonly row: (within?: string) => string
  readonly open: string
  readonly between: string
  /** Text after the last row, if there is one. */
  readonly last: string
  readonly close: string
}

export type ListFormatName = keyof typeof listFormats

/**
 * One user as compact JSON, with organizations sorted by name. `concat` skips the email if it is null, and takes less
 * time than `json_strip_nulls(json_build_object(…))`: a page of 1,000 users is read in four fifths of it.
 */
const userJson = (within?: string) => `
concat('{"id":"', p.id, '"', ',"email":' || to_json(p.email), ',"role":', to_json(p.role_id), ',"orgs":[',
       (select string_agg(concat('{"id":"', o.id, '","name":', to_json(o.name), '}'), ',' order by o.name, o.id)
        from membership m join organization o on o.id = m.organization_id
        where ${membershipOf(within)}), ']}')`

/**
 * The columns of the CSV, in order. The header, the contract's example and the statement are derived from this list.
 * `sql` is a text expression over a row `p` (id, email, role_id); `ids` and `names` list the user's organizations. Ids
 * are separated by spaces, names by bars: in some locales spreadsheets read a semicolon as a cell separator.
 */
const csvColumns: readonly { readonly name: string; readonly sql: string; readonly example: string }[] = [
  { name: 'id', sql: 'p.id::text', example: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' },
  { name: 'email', sql: 'p.email', example: 'ada@example.com' },
  { name: 'role', sql: 'p.role_id', example: 'admin' },
  { name: 'org_ids', sql: 'ids', example: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f' },
  { name: 'org_names', sql: 'names', example: 'Analytical Engines' },
  { name: 'email_proved', sql: ofAccount('is_email_proved'), example: 'true' },
  { name: 'display_name', sql: ofAccount('display_name'), example: 'Ada Lovelace' },
]

/** A column of `account` that `p` does not contain. */
function ofAccount(column: string): string {
  return `(select a.${column} from account a where a.id = p.id)::text`
}

const csvHeader = `${csvColumns.map(({ name }) => name).join(',')}\r\n`

export const csvExample = `${csvHeader}${csvColumns.map(({ example }) => `"${example}"`).join(',')}\r\n`

/** One user as a line of CSV (RFC 4180), with every field quoted. */
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
  csv: { row: userCsv, open: csvHeader, between: '\r\n', last: '\r\n', close: '' },
  /** The byte order mark makes spreadsheets read UTF-8. */
  csvWithBom: { row: userCsv, open: `\u{FEFF}${csvHeader}`, between: '\r\n', last: '\r\n', close: '' },
} as const satisfies Record<string, ListFormat>

/** How many of an account's latest events are searched for its last sign-in. */
const eventsMax = 200

/**
 * One user for the console, from a full row `p`. The last sign-in is the newest sign-in event of the audit log, or
 * null. The inner limit keeps the planner on the actor index and bounds the cost of a row.
 */
const userRecordJson = () => `
json_strip_nulls(json_build_object(
  'id', p.id, 'email', p.email, 'displayName', p.display_name, 'emailProved', p.is_email_proved, 'status', ${statusOf('p')}, 'role', p.role_id,
  'isAdministrator', ${isAdministrator('p')}, 'createdAt', ${utcText('p.created_at')},
  'lastSignInAt', (select ${utcText('max(e.at)')}
                   from (select e.at, e.action from audit_event e where e.actor_id = p.id
                         order by e.at desc, e.id desc limit ${eventsMax}) e
                   where e.action = 'session.opened'),
  'plan', ${planIdOf('p.id')}))::text`

/** Formats of pages. The full export has no last sign-in. */
export const pageFormats = {
  ...listFormats,
  record: { row: userRecordJson, open: '{"users":[', between: ',', last: '', close: ']}' },
} as const satisfies Record<string, ListFormat>

export type PageFormatName = keyof typeof pageFormats

/** Batches of rows as chunks of one text. `onRows` receives the number of rows in each batch. */
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

/** One page. `rows` are already joined with `between`; null without rows. */
export function formatPage({ open, last, close }: ListFormat, rows: string | null): string {
  return rows === null ? open + close : open + rows + last + close
}
