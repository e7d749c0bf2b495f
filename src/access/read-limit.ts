import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { refuse } from '../problems.ts'
import type { Caller } from './caller.ts'
import type { LimitHeaders } from './limits.ts'

export interface ReadLimit {
  /** Counts one read of this caller and answers the headers that tell what is left. Problem: `rate_limited`. */
  take(caller: Caller): LimitHeaders
  /** Whether `take` would let this caller pass. Counts nothing. */
  hasRoom(caller: Caller): boolean
}

interface Window {
  reads: number
  readonly endsAtMs: number
}

const windowMs = 60_000
/** Callers counted at once; whoever falls out of the map begins anew. */
const callersMax = 200_000

/**
 * So many reads of one caller in a minute, on this node. Synchronous and without the store that other limits share: it stands
 * in the way of every read, and a read costs little.
 */
export function createReadLimit(quota: number, now: Clock): ReadLimit {
  const windows = new LRUCache<string, Window>({ max: callersMax })
  const policy = `"reads";q=${quota};w=${windowMs / 1_000}`

  function windowOf({ issuer, subject }: Caller, nowMs: number): Window {
    const key = `${issuer} ${subject}`
    const found = windows.get(key)
    if (found && nowMs < found.endsAtMs) return found
    const window = { reads: 0, endsAtMs: nowMs + windowMs }
    windows.set(key, window)
    return window
  }

  return {
    hasRoom: (caller) => windowOf(caller, now()).reads < quota,
    take(caller) {
      const nowMs = now()
      const window = windowOf(caller, nowMs)
      window.reads += 1
      const secondsLeft = Math.ceil((window.endsAtMs - nowMs) / 1_000)
      const remaining = Math.max(0, quota - window.reads)
      const headers = { 'ratelimit-policy': policy, ratelimit: `"reads";r=${remaining};t=${secondsLeft}` }
      return window.reads > quota ? refuse('rate_limited', { retryAfterSeconds: secondsLeft, headers }) : headers
    },
  }
}
