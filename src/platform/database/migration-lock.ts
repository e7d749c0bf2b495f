import { type Client, DatabaseError } from 'pg'
import type { Database } from './database.ts'
import { namedLockTable } from './named-locks.ts'

interface MigrationLock {
  release(): Promise<void>
}

interface LockOptions {
  /** Schema of Muster's tables. Created if it does not exist. */
  readonly schema: string
  readonly waitMs: number
  /** Called if the connection that holds the lock is lost. */
  readonly onLost: () => void
}

/**
 * Waits until no other node migrates. A separate transaction holds the lock: each migration file is its own transaction, and a pooler may
 * run each of them in another session.
 */
export async function acquireMigrationLock(
  database: Pick<Database, 'connect'>,
  { schema, waitMs, onLost }: LockOptions,
): Promise<MigrationLock> {
  const client = await database.connect()
  try {
    await createSchema(client, schema)
    await createObject(client, namedLockTable)
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

/** `create schema if not exists` requires the privilege to create schemas even if the schema exists. */
async function createSchema(client: Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema])
  if (rowCount === 0) await createObject(client, `create schema ${client.escapeIdentifier(schema)}`)
}

/** Ignores the error if another node creates the same object concurrently, which `if not exists` does not prevent. */
async function createObject(client: Client, text: string): Promise<void> {
  await client.query(text).catch((error: unknown) => {
    if (!(error instanceof DatabaseError) || !alreadyExistsCodes.has(error.code ?? '')) throw error
  })
}

/** unique_violation (in the catalog), duplicate_schema, duplicate_table, duplicate_object (the row type). */
const alreadyExistsCodes = new Set(['23505', '42P06', '42P07', '42710'])
