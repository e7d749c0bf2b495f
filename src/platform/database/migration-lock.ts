import { type Client, DatabaseError } from 'pg'
import type { Database } from './database.ts'
import { namedLockTable } from './named-locks.ts'

export interface MigrationLock {
  release(): Promise<void>
}

export interface HoldOptions {
  /** Where Muster's tables are. It is made if it does not exist. */
  readonly schema: string
  readonly waitMs: number
  /** The connection that holds the lock was lost. */
  readonly onLost: () => void
}

/**
 * Waits until no other node migrates. The lock is held by a transaction of its own, which changes nothing: each file is a transaction, and a
 * pooler may give each of them another session.
 */
export async function holdMigrations(
  database: Pick<Database, 'connect'>,
  { schema, waitMs, onLost }: HoldOptions,
): Promise<MigrationLock> {
  const client = await database.connect()
  try {
    await makeSchema(client, schema)
    await make(client, namedLockTable)
    await client.query(`insert into named_lock values ('migration') on conflict do nothing`)
    await client.query(`begin; set local lock_timeout = ${waitMs}; set local idle_in_transaction_session_timeout = 0`)
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

/** `if not exists` would ask for the right to create a schema also if it exists. */
async function makeSchema(client: Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema])
  if (rowCount === 0) await make(client, `create schema ${client.escapeIdentifier(schema)}`)
}

/**
 * Several nodes may make it at once: `if not exists` is looked at once, before the table and its row type are made, and what another node has
 * made since then is an error.
 */
async function make(client: Client, text: string): Promise<void> {
  await client.query(text).catch((error: unknown) => {
    if (!(error instanceof DatabaseError) || !madeByAnother.has(error.code ?? '')) throw error
  })
}

/** unique_violation (of the catalogue), duplicate_schema, duplicate_table, duplicate_object (the row type). */
const madeByAnother = new Set(['23505', '42P06', '42P07', '42710'])
