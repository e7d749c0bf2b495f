import { pause } from '../../src/platform/abortable.ts'

/** Bounds the time spent waiting for providers that asked for a cool-down. */
export interface WaitBudget {
  forKey(provider: string): KeyWaits
}

/** The waits of one key. */
export interface KeyWaits {
  /** True when the time is over; false at once where it would exceed the budget, and as soon as the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>
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
        async wait(ms, signal) {
          const nowMs = clock()
          waitingSinceMs ??= nowMs
          const providerSinceMs = coolDownSinceMs.get(provider) ?? nowMs
          coolDownSinceMs.set(provider, providerSinceMs)
          return nowMs + ms <= Math.min(waitingSinceMs, providerSinceMs) + waitMs && (await pause(ms, signal))
        },
        answered: () => void coolDownSinceMs.delete(provider),
      }
    },
  }
}
