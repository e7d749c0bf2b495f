import { type Client, DatabaseError } from 'pg'
import type { Database } from './database.ts'
import { namedLockTable } from './named-locks.ts'

export interface MigrationLock {
  release(): Promise<void>
}

export interface HoldOptions {
  readonly waitMs: number
  /** The key of the migrator's own lock, by which releases before migration 160 lock. */
  readonly formerKey: number
  /** The connection that holds the lock was lost. */
  readonly onLost: () => void
}

/**
 * Waits until no other node migrates. The lock is held by a transaction of its own, which changes nothing: each file is a transaction, and a
 * pooler may give each of them another session.
 */
export async function holdMigrations(
  database: Pick<Database, 'connect'>,
  { waitMs, formerKey, onLost }: HoldOptions,
): Promise<MigrationLock> {
  const client = await database.connect()
  try {
    await makeTable(client)
    await client.query(`insert into named_lock values ('migration') on conflict do nothing`)
    await client.query(`begin; set local lock_timeout = ${waitMs}; set local idle_in_transaction_session_timeout = 0`)
    await lockFormer(client, formerKey)
    await client.query(`select from named_lock where name = 'migration' for update`)
  } catch (error) {
    await client.end()
    throw error
  }
  client.once('end', onLost)
  return {
    async release() {
      client.off('end', onLost)
      await client.end()
    },
  }
}

/**
 * Several nodes may make it at once: `if not exists` is looked at once, before the table and its row type are made, and what another node has
 * made since then is an error.
 */
async function makeTable(client: Client): Promise<void> {
  await client.query(namedLockTable).catch((error: unknown) => {
    if (!(error instanceof DatabaseError) || !madeByAnother.has(error.code ?? '')) throw error
  })
}

/** unique_violation (of the catalogue), duplicate_table, duplicate_object (the row type). */
const madeByAnother = new Set(['23505', '42P07', '42710'])

/** Where the database has no advisory locks, no release can run that takes them. */
async function lockFormer(client: Client, key: number): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select coalesce(has_function_privilege(to_regprocedure('pg_catalog.pg_advisory_xact_lock(bigint)'), 'execute'), false) as exists`,
  )
  if (rows[0]?.exists) await client.query('select pg_advisory_xact_lock($1)', [key])
}
