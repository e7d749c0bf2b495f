import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { migrationNames } from '../schema.ts'
import type { StoredSequence } from './manifest.ts'

/** A table of this database, with the columns that a backup contains: all but generated columns. */
export interface FoundTable {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * Returns Muster's tables in this database. The schema may contain tables of others, so this returns only tables that a migration creates.
 * Excludes unlogged tables, which may be lost in a crash anyway.
 */
export async function findTables(client: Client, folder: string): Promise<readonly FoundTable[]> {
  const { rows } = await client.query<FoundTable>(tablesText, [[...(await createdTables(folder))]])
  return rows
}

/** Parses the table names from the migrations. A test compares them with the catalog. */
async function createdTables(folder: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const migration of await migrationNames(folder)) {
    const text = await readFile(join(folder, `${migration}.sql`), 'utf8')
    for (const [, name] of text.matchAll(createTable)) if (name !== undefined) names.add(name)
  }
  return names
}

const createTable = /^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?([a-z_][a-z0-9_]*)/gim

const tablesText = `
select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = current_schema()::regnamespace and c.relname = any ($1)
group by c.relname
order by c.relname`

/** The sequences of the tables' columns, with their current values. */
export async function readSequences(client: Client, tables: readonly FoundTable[]): Promise<StoredSequence[]> {
  const sequences: StoredSequence[] = []
  const { rows } = await client.query<{ name: string }>(sequencesText, [tables.map(({ name }) => name)])
  for (const { name } of rows) {
    const state = await client.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${client.escapeIdentifier(name)}`,
    )
    for (const { lastValue, isCalled } of state.rows) sequences.push({ name, lastValue, isCalled })
  }
  return sequences
}

/** deptype 'a': serial column. 'i': identity column. */
const sequencesText = `
select s.relname::text as name
from pg_class t
join pg_depend d on d.refobjid = t.oid and d.refclassid = 'pg_class'::regclass and d.classid = 'pg_class'::regclass
join pg_class s on s.oid = d.objid and s.relkind = 'S' and d.deptype in ('a', 'i')
where t.relnamespace = current_schema()::regnamespace and t.relname = any ($1)
order by s.relname`

/** The quoted table and column names for COPY. */
export function copyTarget(client: Client, { name, columns }: FoundTable): string {
  return `${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`
}

/** For backup and restore: values must not depend on settings of the server or role, and a long copy must not time out. */
export const copySettings = `
set local client_encoding = 'UTF8'; set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
set local extra_float_digits = 3; set local bytea_output = 'hex'; set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '10s'`
