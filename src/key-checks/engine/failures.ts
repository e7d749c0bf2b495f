/**
 * Failed authentications, by provider. Some providers lock an address out after a few of them, and a check of many keys could so end the
 * checks of all others from there. A check of many keys takes places before it asks; any other check records its failures only.
 */
export interface FailureCounts {
  /** Records failures of a check that took no place. */
  add(provider: string, failures: number): Promise<void>
  /** Takes places for a check that may fail so often, where places and failures of the window are `max` at most. */
  take(provider: string, places: number, max: number): Promise<Places | NoPlace>
}

export interface Places {
  readonly kind: 'places'
  /** The check is over. Its failures keep their places until they leave the window; the others are free at once. */
  settle(failures: number): Promise<void>
}

export interface NoPlace {
  readonly kind: 'no_place'
  /** Milliseconds until there may be one. */
  readonly waitMs: number
}

/** How long places are held for a process that never settles them: longer than any check takes. */
export const heldMs = 60_000

/** Checks under way are over in about a second. */
export const untilSettledMs = 1_000

/** Counts in the memory of this process. `now` is milliseconds of any clock. */
export function createFailureCounts(windowMs: number, now: () => number): FailureCounts {
  const counts = new Map<string, Count>()

  function countOf(provider: string): Count {
    const count = counts.get(provider) ?? { failureEnds: [], held: 0 }
    counts.set(provider, count)
    count.failureEnds = count.failureEnds.filter((endMs) => endMs > now())
    return count
  }

  function add(provider: string, failures: number): void {
    const ends = Array.from({ length: failures }, () => now() + windowMs)
    countOf(provider).failureEnds.push(...ends)
  }

  return {
    add: async (provider, failures) => add(provider, failures),
    async take(provider, places, max) {
      const count = countOf(provider)
      const missing = count.failureEnds.length + count.held + places - max
      if (missing > 0) return { kind: 'no_place', waitMs: waitFor(missing - count.held, count.failureEnds, now()) }
      count.held += places
      return {
        kind: 'places',
        async settle(failures) {
          countOf(provider).held -= places
          add(provider, failures)
        },
      }
    },
  }
}

/** A wrong key fails at two calls at most, such as a Cloudflare token of the old form: at the user's endpoint and at the account's. */
const failuresPerCheck = 2

/**
 * Checks of this process wait for the places of each other: one that is under way may not need them. They ask one after the other, in the
 * order in which they came: where the first lacks places, so do all behind it.
 */
export function createTurns(counts: Pick<FailureCounts, 'take'>) {
  const underWay = new Map<string, UnderWay>()

  async function ask(provider: string, max: number, others: UnderWay): Promise<Places | NoPlace> {
    for (;;) {
      const endedBefore = others.ended
      const taken = await counts.take(provider, Math.min(failuresPerCheck, max), max)
      if (taken.kind === 'places') return tracked(taken, others)
      if (others.ended === endedBefore && others.open.size === 0) return taken
      if (others.ended === endedBefore) await Promise.race(others.open)
    }
  }

  return {
    take(provider: string, max: number): Promise<Places | NoPlace> {
      const others = underWay.get(provider) ?? { open: new Set(), ended: 0, last: Promise.resolve() }
      underWay.set(provider, others)
      const taken = others.last.then(() => ask(provider, max, others))
      others.last = taken.catch(() => undefined)
      return taken
    },
  }
}

interface UnderWay {
  /** Each resolves when its check is over. */
  readonly open: Set<Promise<void>>
  ended: number
  /** Settles when the last one in the queue has its places, or none. */
  last: Promise<unknown>
}

function tracked({ settle }: Places, others: UnderWay): Places {
  let end = () => {}
  const over = new Promise<void>((done) => {
    end = done
  })
  others.open.add(over)
  return {
    kind: 'places',
    async settle(failures) {
      try {
        await settle(failures)
      } finally {
        others.open.delete(over)
        others.ended += 1
        end()
      }
    },
  }
}

interface Count {
  /** When each failure leaves the window, the earliest first. */
  failureEnds: number[]
  held: number
}

/** Milliseconds until so many failures have left the window; until checks under way are over, where none needs to. */
export function waitFor(failures: number, ends: readonly number[], nowMs: number): number {
  const endMs = failures > 0 ? ends[failures - 1] : undefined
  return endMs === undefined ? untilSettledMs : Math.max(endMs - nowMs, 1)
}
