import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { migrationNames } from '../schema.ts'
import type { StoredSequence } from './manifest.ts'

/** A table of this database, with the columns that a backup contains: a generated column is computed from the others. */
export interface FoundTable {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * Muster's tables in this database, by the catalogue. In a database that Muster shares with its operator other tables may stand in the
 * same schema: Muster's are those that a migration creates. Those names are found in the text of the migrations; a test compares them with
 * the catalogue after all migrations. Unlogged tables are left out: what may be lost in a crash is of no use elsewhere.
 */
export async function findTables(client: Client, folder: string): Promise<readonly FoundTable[]> {
  const { rows } = await client.query<FoundTable>(tablesText, [[...(await createdTables(folder))]])
  return rows
}

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

/** The sequences of the tables' columns, with their state. */
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

/** 'a': of a serial column; 'i': of an identity column. */
const sequencesText = `
select s.relname::text as name
from pg_class t
join pg_depend d on d.refobjid = t.oid and d.refclassid = 'pg_class'::regclass and d.classid = 'pg_class'::regclass
join pg_class s on s.oid = d.objid and s.relkind = 'S' and d.deptype in ('a', 'i')
where t.relnamespace = current_schema()::regnamespace and t.relname = any ($1)
order by s.relname`

/** The copied columns of a table, quoted. */
export function copyTarget(client: Client, { name, columns }: FoundTable): string {
  return `${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`
}

/** For both directions: the texts of values must not depend on a server's or a role's settings, and no limit of time ends a long copy. */
export const copySettings = `
set local client_encoding = 'UTF8'; set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
set local extra_float_digits = 3; set local bytea_output = 'hex'; set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '10s'`
