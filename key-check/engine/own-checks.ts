import { LRUCache } from 'lru-cache'
import type { Outcome } from './provider.ts'

/** An outcome as found, maybe by the check of another caller. */
interface SharedOutcome {
  readonly outcome: Outcome
  readonly checkedAtMs: number
  /** It comes from the cache or from the shared store. */
  readonly isKnown: boolean
  /** The caller whose check found it, if the shared store has it. */
  readonly askedBy?: string | undefined
}

interface OwnOutcome {
  readonly outcome: Outcome
  /** Of the caller's own check that found this outcome. */
  readonly checkedAtMs: number
  /** An earlier check of this caller found it. */
  readonly isCached: boolean
}

/** Callers share outcomes, but no caller learns that another one checked the same credential. */
interface OwnChecks {
  /** `caller` is a keyed hash of the credential and its caller. */
  see(caller: string, found: SharedOutcome): OwnOutcome
}

export function createOwnChecks(entriesMax: number, now: () => number): OwnChecks {
  /** When each caller got the outcome that was found at that time. */
  // `maxSize` instead of `max`, because `max` allocates all entries at the start.
  const bounds = { maxSize: entriesMax, sizeCalculation: () => 1 }
  const seen = new LRUCache<string, { readonly foundAtMs: number; readonly atMs: number }>(bounds)
  return {
    see(caller, { outcome, checkedAtMs: foundAtMs, isKnown, askedBy }) {
      const own = seen.get(caller)
      if (isKnown && own?.foundAtMs === foundAtMs) return { outcome, checkedAtMs: own.atMs, isCached: true }
      const isOwn = isKnown && askedBy === caller
      const atMs = isKnown && !isOwn ? now() : foundAtMs
      seen.set(caller, { foundAtMs, atMs })
      return { outcome, checkedAtMs: atMs, isCached: isOwn }
    },
  }
}
