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

/** Keys counted at once; one that falls out of the map starts a new window. */
const keysMax = 200_000

/** A counter of bounded memory. */
export function createNodeCounter({ quota, windowSeconds }: LimitPolicy, now: Clock): NodeCounter {
  // Counted by size, each of size one: with `max` all places would be made at once, which takes longer than most of a start.
  const windows = new LRUCache<string, Window>({ maxSize: keysMax, sizeCalculation: () => 1 })

  function windowAt(key: string, nowMs: number): Window {
    const found = windows.get(key)
    if (found && nowMs < found.endsAtMs) return found
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
