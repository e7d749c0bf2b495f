import { LRUCache } from 'lru-cache'
import type { Caller } from '../../identity/caller.ts'
import type { Clock } from '../clock.ts'
import { refuse } from '../problems.ts'
import type { LimitHeaders } from './rate-limits.ts'

export interface ReadLimit {
  /** Counts one read of this caller and answers the headers that tell what is left. Problem: `rate_limited`. */
  take(caller: Caller): LimitHeaders
  /** A sibling counted so many more reads of the caller of that key, in a window that ends then. */
  heard(key: string, reads: number, endsAtMs: number): void
}

/** Where several processes answer for one node. */
export interface SharedReads {
  readonly workers: number
  /** Tells the siblings of reads that were counted here. */
  tell(key: string, reads: number, endsAtMs: number): void
}

export interface ReadWindow {
  readonly key: string
  reads: number
  /** Counted here, and not told to the siblings yet. */
  untold: number
  endsAtMs: number
}

/** `policy` is the header `RateLimit-Policy`, written once: every read sends it. */
interface Policy {
  readonly quota: number
  readonly policy: string
}

const windowMs = 60_000
/** Callers counted at once; whoever falls out of the map begins anew. */
const callersMax = 200_000

/**
 * So many reads of one caller in a minute, on this node. Synchronous and without the store that other limits share: it stands
 * in the way of every read, and a read costs little.
 * Workers tell each other when a caller has used an eighth of the quota between them, so most callers cost no message, and at most an
 * eighth too many pass.
 */
export function createReadLimit(quota: number, now: Clock, shared?: SharedReads): ReadLimit {
  // Counted by size, each of size one: with `max` all places would be made at once, which takes longer than most of a start.
  const windows = new LRUCache<string, ReadWindow>({ maxSize: callersMax, sizeCalculation: () => 1 })
  const policy = { quota, policy: `"reads";q=${quota};w=${windowMs / 1_000}` }
  const untoldMax = shared ? Math.max(1, Math.floor(quota / (8 * shared.workers))) : Number.POSITIVE_INFINITY

  /** Several tokens of one caller share one window. */
  function windowOf({ issuer, subject }: Caller, nowMs = now()): ReadWindow {
    return windowAt(`${issuer} ${subject}`, nowMs)
  }

  function windowAt(key: string, nowMs: number): ReadWindow {
    const found = windows.get(key)
    if (found && nowMs < found.endsAtMs) return found
    const window = { key, reads: 0, untold: 0, endsAtMs: nowMs + windowMs }
    windows.set(key, window)
    return window
  }

  function count(window: ReadWindow): void {
    window.reads += 1
    window.untold += 1
    if (window.untold < untoldMax) return
    shared?.tell(window.key, window.untold, window.endsAtMs)
    window.untold = 0
  }

  return {
    take(caller) {
      const nowMs = now()
      const window = windowOf(caller, nowMs)
      count(window)
      const headers = headersOf(window, policy, nowMs)
      if (window.reads <= quota) return headers
      return refuse('rate_limited', { retryAfterSeconds: Math.ceil((window.endsAtMs - nowMs) / 1_000), headers })
    },
    heard(key, reads, endsAtMs) {
      const nowMs = now()
      if (endsAtMs <= nowMs) return
      const window = windowAt(key, nowMs)
      window.reads += reads
      // The windows of one caller began at different moments: the earlier one holds.
      window.endsAtMs = Math.min(window.endsAtMs, endsAtMs)
    },
  }
}

function headersOf({ reads, endsAtMs }: ReadWindow, { quota, policy }: Policy, nowMs: number): LimitHeaders {
  const secondsLeft = Math.ceil((endsAtMs - nowMs) / 1_000)
  return { 'ratelimit-policy': policy, ratelimit: `"reads";r=${Math.max(0, quota - reads)};t=${secondsLeft}` }
}
