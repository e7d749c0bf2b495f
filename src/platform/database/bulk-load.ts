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
  for (const { undo } of [...keys, ...indexes]) await client.query(undo)
  await work()
  for (const { redo } of [...indexes, ...keys]) await client.query(redo)
}

/** Runs `work` while no trigger of the tables fires. The owner of the tables may do this; `session_replication_role` is for superusers. */
export async function withoutTriggers(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const triggers = await statementsOf(client, enabledTriggers, tables)
  for (const { undo } of triggers) await client.query(undo)
  await work()
  for (const { redo } of triggers) await client.query(redo)
}

interface Part {
  readonly undo: string
  readonly redo: string
}

async function statementsOf(client: Client, text: string, tables: readonly string[]): Promise<readonly Part[]> {
  const { rows } = await client.query<Part>(text, [tables])
  return rows
}

const foreignKeys = `
select format('alter table %s drop constraint %I', conrelid::regclass, conname) as undo,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as redo
from pg_constraint
where contype = 'f' and conrelid = any ($1::regclass[])`

const ownIndexes = `
select format('drop index %s', i.indexrelid::regclass) as undo, pg_get_indexdef(i.indexrelid) as redo
from pg_index i
where i.indrelid = any ($1::regclass[])
  and not i.indisprimary and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`

const enabledTriggers = `
select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as undo,
       format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as redo
from pg_trigger
where tgrelid = any ($1::regclass[]) and not tgisinternal and tgenabled = 'O'`
