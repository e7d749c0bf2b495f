import { randomUUID } from 'node:crypto'
import type { Database } from '../database.ts'
import type { MonotonicClock } from '../freshness.ts'
import { createPrimaryPositions, type PrimaryPositions, type WalPosition, walPositionOf } from './wal-position.ts'

/** A row that this process has added on the primary, and a place in the log after it. */
export interface Witness {
  readonly id: string
  readonly position: WalPosition
}

/** What this node knows of the primary, and what a replica has to show. */
export interface PrimaryWatch extends Pick<PrimaryPositions, 'ageSecondsAt'> {
  /** Undefined until it was added. */
  witness(): Witness | undefined
  /** Asks the primary once. Problems: `database_unavailable`, `read_only`. */
  look(): Promise<void>
}

/** A copy of the database that was made later than the newest witness shows it, too. */
const witnessEveryMs = 600_000

export function watchPrimary({ side }: Pick<Database, 'side'>, now: MonotonicClock): PrimaryWatch {
  const positions = createPrimaryPositions(now)
  let witness: (Witness & { readonly timeline: string; readonly addedAtMs: number }) | undefined

  async function ask() {
    const answered = positions.ask()
    const [row] = await side.query<PrimaryRow>(primaryStatement, [])
    if (!row) throw new Error('the primary says no place in its log')
    const position = walPositionOf(row.position)
    return { position, timeline: row.timeline, keep: () => answered(position) }
  }

  async function addWitness(): Promise<void> {
    const id = randomUUID()
    const addedAtMs = now()
    await side.query(witnessStatement, [id])
    const { position, timeline, keep } = await ask()
    witness = { id, position, timeline, addedAtMs }
    keep()
  }

  return {
    ageSecondsAt: positions.ageSecondsAt,
    witness: () => witness,
    async look() {
      const { timeline, keep } = await ask()
      if (witness?.timeline === timeline && now() - witness.addedAtMs < witnessEveryMs) return keep()
      // Another primary: a replica may still follow the one before, whose log goes on, too.
      if (witness?.timeline !== timeline) positions.forget()
      await addWitness()
    },
  }
}

interface PrimaryRow {
  readonly position: string
  readonly timeline: string
}

/** The log up to here is on disk: replicas receive no more. The name of a segment begins with the timeline. */
const primaryStatement = {
  name: 'primary_watched',
  text: `
select pg_current_wal_flush_lsn()::text as position, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`,
}

const witnessStatement = {
  name: 'replica_witness_add',
  text: `
with old as (delete from replica_witness where at < now() - interval '1 day')
insert into replica_witness (id) values ($1)`,
}
