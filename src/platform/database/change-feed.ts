import type { Logger } from 'pino'
import { inTime, pause, type Timers } from '../abortable.ts'
import type { Database } from './database.ts'
import type { Freshness } from './freshness.ts'
import { type FeedPosition, readChanges } from './read-changes.ts'
import { standbyReceipts } from './standby-receipt.ts'

/**
 * Takes what changed: `account:<id>`, `organization:<id>`, `all` or `directory`. Undefined where changes may have been missed, such as at
 * the first look: state that depends on them is stale. What it rejects comes again.
 */
export type ApplyChanges = (events: readonly string[] | undefined) => Promise<void>

export interface FeedSettings {
  readonly freshness: Freshness
  readonly log: Logger
  /** Between the end of a look and the next one. */
  readonly everyMs: number
  /** The same after a look that failed; and the age of a proof at which a standby is asked for another one, where there is one to be asked. */
  readonly proofEveryMs: number
  /** A look that has not arrived after this has failed, and is a reason to find out which host accepts writes. */
  readonly lateMs: number
  /** A receipt of a standby that has not arrived after this does not count any more. */
  readonly timeoutMs: number
  readonly timers?: Timers | undefined
}

export interface ChangeFeed {
  /**
   * Resolves when every change that was committed before the call has been applied. Where the database does not answer it resolves too,
   * and nothing is proven until a later look arrives.
   */
  settled(): Promise<void>
  /** Nothing is applied afterwards. */
  stop(): void
}

/** What the changes of a database are followed with. */
export type FollowedDatabase = Pick<Database, 'side' | 'suspect'>

/**
 * Looks at the changes of the database again and again until it is stopped. A look that began at a time and has arrived proves that all
 * changes committed before that time are known.
 */
export function followChanges(database: FollowedDatabase, apply: ApplyChanges, settings: FeedSettings): ChangeFeed {
  const { freshness, everyMs, proofEveryMs, lateMs, timers } = settings
  const stopping = new AbortController()
  const { signal } = stopping
  const receipts = standbyReceipts(database, settings)
  const report = createReport(settings.log)
  let position: FeedPosition | undefined

  /** Whether it arrived. */
  async function look(): Promise<boolean> {
    const proven = freshness.begin()
    try {
      const found = await inTime(readChanges(database.side, position), lateMs, timers)
      if (signal.aborted) return false
      await apply(found.events)
      position = found.position
      if (!found.hasSyncStandbys) proven()
      else if (!freshness.isProven() || freshness.ageSeconds() * 1_000 >= proofEveryMs) receipts.ask(proven)
      report.worked()
      return true
    } catch (error) {
      if (signal.aborted) return false
      database.suspect()
      report.failed(error)
      return false
    }
  }

  const lookFromNow = oneAtATime(look)
  void (async () => {
    while (!signal.aborted) {
      const hasArrived = await lookFromNow()
      await pause(hasArrived ? everyMs : proofEveryMs, signal, timers)
    }
  })()

  return {
    async settled() {
      if (!(await lookFromNow())) freshness.withdraw()
    },
    stop: () => stopping.abort(),
  }
}

/** Each call gets a run that began after it. Calls that come during a run share the next one. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  function begin(): Promise<T> {
    next = undefined
    running = work().finally(() => {
      running = undefined
    })
    return running
  }

  return () => {
    if (next) return next
    if (!running) return begin()
    next = running.then(begin, begin)
    return next
  }
}

/** Logs the first of several failures, and their end. */
function createReport(log: Logger) {
  let hasFailed = false
  return {
    failed(err: unknown): void {
      if (!hasFailed)
        log.warn({ err }, 'changes cannot be read: response cache disabled once the last proof is too old')
      hasFailed = true
    },
    worked(): void {
      if (hasFailed) log.info('changes are read again')
      hasFailed = false
    },
  }
}
