import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Consumed, LimitPolicy } from './policy.ts'

/** Counts calls by key in the memory of this process. */
export interface NodeCounter {
  consume(key: string): Consumed
}

interface Window {
  calls: number
  readonly endsAtMs: number
}

/** Maximum number of keys. A key that is evicted starts a new window. */
const keysMax = 200_000

export function createNodeCounter({ quota, windowSeconds }: LimitPolicy, now: Clock): NodeCounter {
  // `maxSize` instead of `max`: with `max`, the cache allocates all entries at once, which slows down the start.
  const windows = new LRUCache<string, Window>({ maxSize: keysMax, sizeCalculation: () => 1 })

  function windowAt(key: string, nowMs: number): Window {
    const current = windows.get(key)
    if (current && nowMs < current.endsAtMs) return current
    const window = { calls: 0, endsAtMs: nowMs + windowSeconds * 1_000 }
    windows.set(key, window)
    return window
  }

  return {
    consume(key) {
      const nowMs = now()
      const window = windowAt(key, nowMs)
      window.calls += 1
      const remaining = Math.max(0, quota - window.calls)
      return { isOver: window.calls > quota, remaining, msBeforeNext: window.endsAtMs - nowMs }
    },
  }
}
