import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { refuse } from '../problems.ts'
import type { Caller } from './caller.ts'
import type { LimitHeaders } from './limits.ts'

export interface ReadLimit {
  /** Counts one read of this caller and answers the headers that tell what is left. Problem: `rate_limited`. */
  take(caller: Caller): LimitHeaders
  /** The same, but nothing where `take` would refuse, and then nothing is counted either. */
  takeIfRoom(caller: Caller): LimitHeaders | undefined
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
  // The window of a caller met before, found without making a key: several tokens of one caller share one window.
  const known = new WeakMap<Caller, Window>()
  const policy = `"reads";q=${quota};w=${windowMs / 1_000}`

  function windowOf(caller: Caller, nowMs: number): Window {
    const last = known.get(caller)
    if (last && nowMs < last.endsAtMs) return last
    const key = `${caller.issuer} ${caller.subject}`
    const found = windows.get(key)
    const window = found && nowMs < found.endsAtMs ? found : { reads: 0, endsAtMs: nowMs + windowMs }
    if (window !== found) windows.set(key, window)
    known.set(caller, window)
    return window
  }

  function headersOf({ reads, endsAtMs }: Window, nowMs: number): LimitHeaders {
    const secondsLeft = Math.ceil((endsAtMs - nowMs) / 1_000)
    return { 'ratelimit-policy': policy, ratelimit: `"reads";r=${Math.max(0, quota - reads)};t=${secondsLeft}` }
  }

  return {
    take(caller) {
      const nowMs = now()
      const window = windowOf(caller, nowMs)
      window.reads += 1
      const headers = headersOf(window, nowMs)
      if (window.reads <= quota) return headers
      return refuse('rate_limited', { retryAfterSeconds: Math.ceil((window.endsAtMs - nowMs) / 1_000), headers })
    },
    takeIfRoom(caller) {
      const nowMs = now()
      const window = windowOf(caller, nowMs)
      if (window.reads >= quota) return undefined
      window.reads += 1
      return headersOf(window, nowMs)
    },
  }
}
