/** One way to write users: the SQL of a row `p` (id, email, role_id) as text, and what stands around the rows. */
export interface ListFormat {
  readonly row: string
  readonly open: string
  readonly between: string
  /** After the last row, where there is one. */
  readonly last: string
  readonly close: string
}

export type ListFormatName = keyof typeof listFormats

/** One user as JSON, with the organisations by name. Null members are left out. */
const userJson = `
json_strip_nulls(json_build_object(
  'id', p.id, 'email', p.email, 'role', p.role_id,
  'orgs', (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id), '[]')
           from membership m join organization o on o.id = m.organization_id
           where m.account_id = p.id)))::text`

/**
 * One user as a line of CSV (RFC 4180) with every field quoted. Ids of organisations are parted by spaces, names by bars: a
 * semicolon would end the cell in spreadsheets that take it for the comma.
 */
const userCsv = `
(select concat_ws(',', csv_field(p.id::text), csv_field(p.email), csv_field(p.role_id), csv_field(ids), csv_field(names))
 from (select string_agg(o.id::text, ' ' order by o.name, o.id) as ids,
              string_agg(o.name, ' | ' order by o.name, o.id) as names
       from membership m join organization o on o.id = m.organization_id
       where m.account_id = p.id) of_user)`

export const listFormats = {
  json: { row: userJson, open: '{"users":[', between: ',', last: '', close: ']}' },
  ndjson: { row: userJson, open: '', between: '\n', last: '\n', close: '' },
  csv: { row: userCsv, open: 'id,email,role,org_ids,org_names\r\n', between: '\r\n', last: '\r\n', close: '' },
} as const satisfies Record<string, ListFormat>

/** Batches of rows as pieces of one text. */
export async function* framed(
  format: ListFormat,
  batches: AsyncIterable<readonly string[]>,
  told: (rows: number) => void = () => undefined,
): AsyncGenerator<string, void, void> {
  const { open, between, last, close } = format
  let before = open
  let isEmpty = true
  for await (const batch of batches) {
    yield before + batch.join(between)
    told(batch.length)
    before = between
    isEmpty = false
  }
  yield isEmpty ? open + close : last + close
}

/** Rows already joined by `between`, or null where there is none. */
export function framedPage({ open, last, close }: ListFormat, rows: string | null): string {
  return rows === null ? open + close : open + rows + last + close
}
