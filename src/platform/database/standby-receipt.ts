import { randomUUID } from 'node:crypto'
import { systemTimers, type Timers } from '../abortable.ts'
import type { Database } from './database.ts'

export interface StandbyReceipts {
  /**
   * Calls `received` when a synchronous standby has received something that was written after the call. One at a time: while one is under
   * way, a call does nothing.
   */
  ask(received: () => void): void
}

export interface ReceiptTimings {
  /** One that has not come after this is a reason to look which host accepts writes. */
  readonly lateMs: number
  /** One that has not come after this does not count any more. */
  readonly timeoutMs: number
  readonly timers?: Timers | undefined
}

/**
 * A server with synchronous standbys confirms a commit only when one of them has received it: an old primary, whose standbys follow
 * another server, can confirm none. Reading alone would not wait for them, because it writes nothing to the log.
 */
export function standbyReceipts(
  database: Pick<Database, 'side' | 'suspect'>,
  { lateMs, timeoutMs, timers = systemTimers }: ReceiptTimings,
): StandbyReceipts {
  const mark = `muster_receipt_${randomUUID()}`
  const text = `select set_config('synchronous_commit', 'remote_write', true), pg_logical_emit_message(true, '${mark}', '')`
  let isUnderWay = false

  async function request(received: () => void): Promise<void> {
    let isOver = false
    const forgetLate = timers.after(lateMs, database.suspect)
    const forgetEnd = timers.after(timeoutMs, () => {
      isOver = true
      void cancel()
    })
    try {
      await database.side.query({ name: '', text }, [])
      // One that was cancelled is answered as if a standby had it.
      if (!isOver) received()
    } catch {
      await cancel()
    } finally {
      forgetLate()
      forgetEnd()
      isUnderWay = false
    }
  }

  /** One that waits for a standby waits for good, also after its client has gone, and keeps its connection. */
  async function cancel(): Promise<void> {
    const ofThisProcess = `
      select pg_cancel_backend(pid) from pg_stat_activity
      where usename = current_user and wait_event = 'SyncRep' and strpos(query, $1) > 0`
    // A server that does not answer ends its connections by itself.
    await database.side.query({ name: '', text: ofThisProcess }, [mark]).catch(() => undefined)
  }

  return {
    ask(received) {
      if (isUnderWay) return
      isUnderWay = true
      void request(received)
    },
  }
}
