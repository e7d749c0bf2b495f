import { setTimeout } from 'node:timers/promises'

/** Bounds the time spent waiting for providers that asked for a cool-down. */
export interface WaitBudget {
  forKey(provider: string): KeyWaits
}

/** The waits of one key. */
export interface KeyWaits {
  /**
   * True when the time is over; false at once where it would exceed the budget, and as soon as the signal aborts. `onLongWait` is called
   * where the first wait for the provider since its last answer takes more than a second.
   */
  wait(ms: number, signal: AbortSignal, onLongWait?: () => void): Promise<boolean>
  /** The provider answered: its budget starts anew. */
  answered(): void
}

/**
 * Neither a key nor a provider is waited for longer than `waitMs` in a row. The second bound matters for a long file: once a
 * provider has used up its budget, the remaining keys are reported as not checked at once, rather than each after its own wait.
 */
export function createWaitBudget(waitMs: number, clock: () => number = () => performance.now()): WaitBudget {
  const coolDownSinceMs = new Map<string, number>()
  return {
    forKey(provider) {
      let waitingSinceMs: number | undefined
      return {
        async wait(ms, signal, onLongWait) {
          const nowMs = clock()
          waitingSinceMs ??= nowMs
          const isFirst = !coolDownSinceMs.has(provider)
          const providerSinceMs = coolDownSinceMs.get(provider) ?? nowMs
          coolDownSinceMs.set(provider, providerSinceMs)
          // The time is in whole seconds, rounded up: it may be over up to a second earlier.
          const soonestMs = nowMs + Math.max(ms - 1_000, 1)
          if (soonestMs > Math.min(waitingSinceMs, providerSinceMs) + waitMs) return false
          if (isFirst && ms > 1_000) onLongWait?.()
          return setTimeout(ms, true, { signal }).catch(() => false)
        },
        answered: () => void coolDownSinceMs.delete(provider),
      }
    },
  }
}
