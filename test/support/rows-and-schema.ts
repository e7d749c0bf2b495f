import type { FreshDatabase } from './database.ts'

type Sql = FreshDatabase['sql']

/** The tables of a migrated database, in every schema, but for unlogged ones, whose rows are worth nothing elsewhere. */
export async function tablesOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }>(`
    select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm', 'f') and c.relpersistence = 'p' and n.nspname !~ '^(pg_|information_schema)' and c.relname <> 'muster_migration'
    order by 1`)
  return rows.map(({ name }) => name)
}

/** For each table the number of its rows, and the sums of two hashes of each: equal in any order, and read without memory for all rows. */
export async function contentOf(sql: Sql): Promise<Record<string, string>> {
  const content: Record<string, string> = {}
  for (const table of await tablesOf(sql)) {
    const [row] = await sql<{ text: string }>(
      `select count(*) || ' ' || coalesce(sum(${numberOf('left')}) || ' ' || sum(${numberOf('right')}), '') as text
       from (select md5(t::text) as hash from "${table}" t) hashed`,
    )
    content[table] = row?.text ?? ''
  }
  return content
}

/** A half of a hash as a number. */
const numberOf = (side: 'left' | 'right') => `('x' || ${side}(hash, 16))::bit(64)::bigint::numeric`

/** Every constraint, index, trigger, sequence and migration: what a load takes apart, it must put together again. */
export async function schemaOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ text: string }>(`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as text
      from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n' -- PostgreSQL 18 lists "not null" among them
    union all select indexdef from pg_indexes where schemaname = current_schema()
    union all select pg_get_triggerdef(oid) || ' ' || tgenabled::text from pg_trigger where not tgisinternal
    union all select 'sequence ' || sequencename || ' ' || coalesce(last_value::text, '') from pg_sequences
      where sequencename <> 'muster_migration_id_seq'
    union all select 'migration ' || name from muster_migration
    order by 1`)
  return rows.map(({ text }) => text)
}
