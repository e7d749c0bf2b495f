import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Consumed, LimitPolicy } from './policy.ts'

/** Counts calls by key in the memory of this node, at once. */
export interface NodeCounter {
  consume(key: string): Consumed
  /** Adds calls that another worker of this node has counted, in a window that ends then. */
  add(key: string, calls: number, endsAtMs: number): void
}

/** Where several workers answer for one node. */
export interface SharedCounts {
  readonly workers: number
  /** Sends the other workers calls that were counted here. */
  send(key: string, calls: number, endsAtMs: number): void
}

interface Window {
  readonly key: string
  calls: number
  /** Counted here and not sent to the other workers yet. */
  unsent: number
  endsAtMs: number
}

/** Keys counted at once; one that falls out of the map starts a new window. */
const keysMax = 200_000

/**
 * A counter of bounded memory. Workers send each other what a caller has used in parts of an eighth of the quota divided by the
 * workers: most callers cost no message, and a quota is exceeded by an eighth at most.
 */
export function createNodeCounter(
  { quota, windowSeconds }: LimitPolicy,
  now: Clock,
  shared?: SharedCounts,
): NodeCounter {
  // Counted by size, each of size one: with `max` all places would be made at once, which takes longer than most of a start.
  const windows = new LRUCache<string, Window>({ maxSize: keysMax, sizeCalculation: () => 1 })
  const unsentMax = shared ? Math.max(1, Math.floor(quota / (8 * shared.workers))) : Number.POSITIVE_INFINITY

  function windowAt(key: string, nowMs: number): Window {
    const found = windows.get(key)
    if (found && nowMs < found.endsAtMs) return found
    const window = { key, calls: 0, unsent: 0, endsAtMs: nowMs + windowSeconds * 1_000 }
    windows.set(key, window)
    return window
  }

  return {
    consume(key) {
      const nowMs = now()
      const window = windowAt(key, nowMs)
      window.calls += 1
      window.unsent += 1
      if (window.unsent >= unsentMax) {
        shared?.send(key, window.unsent, window.endsAtMs)
        window.unsent = 0
      }
      const remaining = Math.max(0, quota - window.calls)
      return { isOver: window.calls > quota, remaining, msBeforeNext: window.endsAtMs - nowMs }
    },
    add(key, calls, endsAtMs) {
      const nowMs = now()
      if (endsAtMs <= nowMs) return
      const window = windowAt(key, nowMs)
      window.calls += calls
      // The windows of one caller began at different moments: the earlier one holds.
      window.endsAtMs = Math.min(window.endsAtMs, endsAtMs)
    },
  }
}
