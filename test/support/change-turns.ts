import type { FreshDatabase } from './database.ts'

/** Moves the turns of the tables of events on, as if so many times ten minutes had passed. */
export async function passTurns({ sql }: FreshDatabase, turns: number): Promise<void> {
  await sql(`create or replace function change_slot(at timestamptz) returns int
  language sql stable return (floor(date_part('epoch', at) / 600)::bigint + ${turns}) % 3`)
}

/** What the upkeep of a node does each minute; answers whether events were removed. */
export async function truncateOldChanges({ sql }: FreshDatabase): Promise<boolean> {
  const [row] = await sql<{ done: boolean }>('select truncate_old_changes() as done')
  return row?.done ?? false
}
