import type { Client } from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { FreshDatabase } from './database.ts'

/** Of a database in which a statement waits for `holdRows`, on a busy machine too. */
export const longLockWaits = { lockTimeoutMs: 20_000, statementTimeoutMs: 25_000, queryTimeoutMs: 30_000 }

type HeldStatement = readonly [text: string, values: readonly unknown[]]

/** A transaction that has changed rows and is not over yet. */
export interface HeldRows {
  /** Resolves as soon as `work` waits for a lock of this transaction, or has ended without waiting for one. */
  blocks(work: Promise<unknown>): Promise<void>
  /** Runs the last statement, if there is one, and commits then. */
  commitOnce(work: Promise<unknown>, last?: HeldStatement): Promise<void>
}

/** Begins a transaction with these statements: what another request has done when `work` comes. */
export async function holdRows({ database }: FreshDatabase, statements: readonly HeldStatement[]): Promise<HeldRows> {
  const holder: Client = await database.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin')
  for (const [text, values] of statements) await holder.query(text, [...values])
  const [row] = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
  const blocked = async () => {
    const waiting = 'select from pg_locks where not granted and $1::int = any (pg_blocking_pids(pid)) limit 1'
    return (await holder.query(waiting, [row?.pid])).rowCount
  }
  const blocks = async (work: Promise<unknown>) => {
    await Promise.race([work.catch(() => undefined), expect.poll(blocked).toBe(1)])
  }
  return {
    blocks,
    async commitOnce(work, last) {
      await blocks(work)
      if (last) await holder.query(last[0], [...last[1]])
      await holder.query('commit')
    },
  }
}
