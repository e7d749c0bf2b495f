import type { FreshDatabase } from './database.ts'

/** Counted from the start of the file of tests, so that no turn ends by itself in the middle of one. */
const startedAtSeconds = Math.floor(Date.now() / 1_000) - 1

/**
 * Begins the turns of a test, with the first table, and without what the migrations have left. The turn is in a row: of a function that is
 * replaced, a session in an open transaction would go on with the one that it knows.
 */
export async function beginTurns(fresh: FreshDatabase): Promise<void> {
  await fresh.sql('truncate change_event_0, change_event_1, change_event_2')
  await fresh.sql('create table if not exists test_turns (turns bigint)')
  await passTurns(fresh, 0)
  await fresh.sql(`create or replace function change_slot(at timestamptz) returns int
  language sql stable return
  (floor((date_part('epoch', at) - ${startedAtSeconds}) / 600)::bigint + (select turns from test_turns)) % 3`)
}

/** Gives the tables of events another turn. */
export async function passTurns({ sql }: FreshDatabase, turns: number): Promise<void> {
  await sql('with before as (delete from test_turns) insert into test_turns values ($1)', [turns])
}

/** What the upkeep of a node does each minute; answers whether events were removed. */
export async function truncateOldChanges({ sql }: FreshDatabase): Promise<boolean> {
  const [row] = await sql<{ done: boolean }>('select truncate_old_changes() as done')
  return row?.done ?? false
}
