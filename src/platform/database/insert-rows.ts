import type { Rows } from './database.ts'

/** Values by column. Times are RFC 3339 text; bytes are `\x` and hexadecimal digits. */
export type NewRow = Readonly<Record<string, string | number | boolean | null>>

/**
 * Inserts many rows in one statement and returns the number inserted. All rows have the columns of the first. Skips rows that violate a
 * unique constraint. Names of tables and columns must never come from input.
 */
export async function insertRows(rows: Rows, table: string, values: readonly NewRow[]): Promise<number> {
  const [first] = values
  if (!first) return 0
  const columns = Object.keys(first).map(identifier).join(', ')
  const text = `
with inserted as (
  insert into ${identifier(table)} (${columns})
  select ${columns} from json_populate_recordset(null::${identifier(table)}, $1)
  on conflict do nothing
  returning 1
)
select count(*)::int as count from inserted`
  const [result] = await rows.query<{ count: number }>({ name: '', text }, [JSON.stringify(values)])
  return result?.count ?? 0
}

function identifier(name: string): string {
  if (/^[a-z_]{1,63}$/.test(name)) return name
  throw new TypeError(`${JSON.stringify(name)} is not the name of a table or column`)
}
