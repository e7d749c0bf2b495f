import { setTimeout } from 'node:timers/promises'

/** Waiting for providers that asked for quiet, within a bound. */
export interface Patience {
  turn(provider: string): Turn
}

/** One key's turn at a provider. */
export interface Turn {
  /** True when that time is over; false at once where it would go past the bound, and as soon as the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>
  /** The provider answered: whoever waits from now on begins anew. */
  answered(): void
}

/**
 * Neither a key nor a provider is waited for longer than `waitMs` in a row. The second matters for a long file: once a provider
 * has been quiet for so long, the keys left are told at once that they were not checked, rather than each after its own wait.
 */
export function createPatience(waitMs: number, clock: () => number = () => performance.now()): Patience {
  const quietSinceMs = new Map<string, number>()
  return {
    turn(provider) {
      let heldSinceMs: number | undefined
      return {
        async wait(ms, signal) {
          const nowMs = clock()
          heldSinceMs ??= nowMs
          const sinceMs = Math.min(heldSinceMs, quietSinceMs.get(provider) ?? nowMs)
          quietSinceMs.set(provider, quietSinceMs.get(provider) ?? nowMs)
          return nowMs + ms <= sinceMs + waitMs && (await isOver(ms, signal))
        },
        answered: () => void quietSinceMs.delete(provider),
      }
    },
  }
}

function isOver(ms: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(ms, true, { signal }).catch(() => false)
}
