import type { Rows } from './database.ts'

/** Values by column, as JSON: a time as RFC 3339, bytes as `\x` and hexadecimal digits. */
export type NewRow = Readonly<Record<string, string | number | boolean | null>>

/**
 * Inserts many rows by one statement, all with the columns of the first row; returns how many were inserted. A row that violates a
 * unique constraint is skipped. Names of tables and columns must come from our code, never from input.
 */
export async function insertRows(rows: Rows, table: string, values: readonly NewRow[]): Promise<number> {
  const [first] = values
  if (!first) return 0
  const columns = Object.keys(first).map(identifier).join(', ')
  const text = `
with made as (
  insert into ${identifier(table)} (${columns})
  select ${columns} from json_populate_recordset(null::${identifier(table)}, $1)
  on conflict do nothing
  returning 1
)
select count(*)::int as count from made`
  const [made] = await rows.query<{ count: number }>({ name: '', text }, [JSON.stringify(values)])
  return made?.count ?? 0
}

function identifier(name: string): string {
  if (/^[a-z_]{1,63}$/.test(name)) return name
  throw new TypeError(`${JSON.stringify(name)} is not the name of a table or column`)
}
