import { tablesOf } from './rows-and-schema.ts'
import type { Service } from './service.ts'

/** Every row of every table, as the name of the table and the row in JSON. */
export async function everyRow({ fresh }: Pick<Service, 'fresh'>): Promise<readonly string[]> {
  const tables = await tablesOf(fresh.sql)
  const text = tables
    .map((table) => `select '${table} ' || to_jsonb(t)::text as row from "${table}" t`)
    .join(' union all ')
  return (await fresh.sql<{ row: string }>(text)).map(({ row }) => row)
}

export function tableOf(row: string): string {
  return row.slice(0, row.indexOf(' '))
}
