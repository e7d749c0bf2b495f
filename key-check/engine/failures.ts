import { LRUCache } from 'lru-cache'
import type { FailedKey, FailureCounts } from '../failure-counts.ts'

/** How long places are held for a process that never frees them: longer than any check. */
export const heldMs = 60_000

/** Maximum number of shares and of keys to remember. */
const entriesMax = 100_000

/** Counts in the memory of this process. */
export function createFailureCounts(now: () => number): FailureCounts {
  const counts = new LRUCache<string, Count>({ maxSize: entriesMax, sizeCalculation: () => 1 })
  const keys = new LRUCache<string, FailedKey>({ maxSize: entriesMax, sizeCalculation: () => 1 })

  function countOf(share: string): Count {
    const count = counts.get(share) ?? { failures: [], held: [] }
    count.failures = count.failures.filter((endMs) => endMs > now())
    count.held = count.held.filter((endMs) => endMs > now())
    counts.set(share, count)
    return count
  }

  return {
    async take({ digest, shares, provider }) {
      const asked = shares.map(({ share, places, max }) => ({ count: countOf(share), places, max }))
      const isHeld = asked.every(({ count, places, max }) => count.failures.length + count.held.length + places <= max)
      if (isHeld) for (const { count, places } of asked) count.held.push(...repeated(now() + heldMs, places))
      const known = keys.get(digest)
      return {
        isHeld,
        shares: asked.map(({ count }) => [...count.failures]),
        provider: [...countOf(provider).failures],
        ...(known && known.endsAtMs > now() && { known }),
      }
    },
    record: async (changes) =>
      changes.map(({ share, failures, freedPlaces, endsAtMs }) => {
        const count = countOf(share)
        count.held.splice(Math.max(0, count.held.length - freedPlaces))
        return count.failures.push(...repeated(endsAtMs, failures))
      }),
    remember: async (key) => void keys.set(key.digest, key),
  }
}

interface Count {
  failures: number[]
  held: number[]
}

function repeated(value: number, times: number): number[] {
  return Array.from({ length: times }, () => value)
}
