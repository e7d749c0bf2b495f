import { LRUCache } from 'lru-cache'
import { atMost } from './engine/cache-bounds.ts'

/**
 * Failed keys and the places of running checks, by share: of a caller, a network or a whole provider. Times are milliseconds since 1970.
 */
export interface FailureCounts {
  /** Reserves the places in every share, or in none. */
  take(request: PlaceRequest): Promise<Taken>
  /** Counts failures and frees places. Resolves to the failures of each share in its window. */
  record(changes: readonly ShareChange[]): Promise<readonly number[]>
  /** Stores the outcome of a failed key. */
  remember(key: FailedKey): Promise<void>
}

export interface PlaceRequest {
  /** A keyed hash of the credential. */
  readonly digest: string
  readonly shares: readonly PlacesInShare[]
  /** A share whose failures are returned, without reserving places. */
  readonly provider: string
}

export interface PlacesInShare {
  readonly share: string
  readonly places: number
  /** Maximum of failures plus places. */
  readonly max: number
}

export interface Taken {
  readonly isHeld: boolean
  /** When each failure leaves the window, earliest first, in the order of the request. */
  readonly shares: readonly (readonly number[])[]
  readonly provider: readonly number[]
  /** Set if the key failed within the window. */
  readonly known?: Pick<FailedKey, 'outcome' | 'checkedAtMs' | 'askedBy'>
}

export interface ShareChange {
  readonly share: string
  readonly failures: number
  readonly freedPlaces: number
  /** When the failures leave the window. */
  readonly endsAtMs: number
}

export interface FailedKey {
  readonly digest: string
  /** A keyed hash of the credential and the caller whose check failed. */
  readonly askedBy: string
  /** Opaque JSON. */
  readonly outcome: object
  readonly checkedAtMs: number
  readonly endsAtMs: number
}

/** How long places are held for a process that never frees them, in milliseconds: longer than any check. */
export const heldMs: number = 60_000

/** Maximum number of shares and of keys to remember. */
const entriesMax = 100_000

/** Counts in the memory of this process. `now` is in milliseconds since 1970. */
export function createFailureCounts(now: () => number): FailureCounts {
  const counts = new LRUCache<string, Count>(atMost(entriesMax))
  const keys = new LRUCache<string, FailedKey>(atMost(entriesMax))

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
