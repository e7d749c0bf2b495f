import { LRUCache } from 'lru-cache'
import type { Wanted } from './calls.ts'
import type { Limits } from './limits.ts'
import { type Outcome, undetermined, type Valid } from './provider.ts'

/** The outcome of a check run as cached. */
export interface CachedOutcome {
  readonly outcome: Outcome
  readonly checkedAtMs: number
  /** What the check asked for. It may still be missing. */
  readonly wanted: Wanted
}

/** Recent outcomes and the cool-downs of single credentials, by a keyed fingerprint. Stores no credential and no undetermined outcome. */
interface VerdictCache {
  /** `sinceMs` says since when the outcome must have been checked. */
  get(key: string, wanted: Wanted, sinceMs: (outcome: Outcome) => number): CachedOutcome | undefined
  set(key: string, entry: CachedOutcome, nowMs: number): void
}

export function createVerdictCache(limits: Limits, clock: () => number): VerdictCache {
  /** The end of the cool-down of a credential that reached its own rate limit. */
  // `maxSize` instead of `max`, because `max` allocates all entries at the start.
  const bounds = { maxSize: limits.cacheEntriesMax, sizeCalculation: () => 1 }
  const coolDownEndsMs = new LRUCache<string, number>(bounds)
  const entries = new LRUCache<string, CachedOutcome>({
    ...bounds,
    ttl: limits.cacheValidMs,
    ttlResolution: 0,
    perf: { now: clock },
  })

  return {
    get(key, wanted, sinceMs) {
      const entry = entries.get(key)
      if (entry && entry.checkedAtMs >= sinceMs(entry.outcome) && answers(entry, wanted)) return entry
      const leftMs = (coolDownEndsMs.get(key) ?? 0) - clock()
      if (leftMs <= 0) return undefined
      // During a cool-down, an outcome without the requested capabilities is better than none.
      const outcome = undetermined('key_rate_limited', Math.ceil(leftMs / 1_000))
      return entry ?? { outcome, checkedAtMs: 0, wanted }
    },
    set(key, entry, nowMs) {
      const { outcome } = entry
      if (outcome.kind === 'undetermined' && outcome.reason === 'key_rate_limited')
        coolDownEndsMs.set(key, clock() + (outcome.retryAfterSeconds ?? 1) * 1_000)
      const ttl = ttlOf(outcome, nowMs, limits)
      if (ttl > 0) entries.set(key, entry, { ttl })
    },
  }
}

/** An invalid credential can do nothing, whatever was asked. What only a proof shows would tell other callers that one was sent. */
function answers({ outcome, wanted: had }: CachedOutcome, wanted: Wanted): boolean {
  if (outcome.kind === 'invalid') return true
  return had.proof === wanted.proof && (!wanted.capabilities || (had.capabilities && had.zone === wanted.zone))
}

/** Never caches a credential beyond its expiry. What the owner may be about to fix is forgotten as soon as a wrong key. */
function ttlOf(outcome: Outcome, nowMs: number, limits: Limits): number {
  if (outcome.kind === 'undetermined') return 0
  if (outcome.kind === 'invalid' && outcome.mayBeNew) return Math.min(limits.cacheInvalidMs, limits.cacheNewMs)
  if (outcome.kind === 'invalid' || isLacking(outcome)) return limits.cacheInvalidMs
  const leftMs = outcome.expiresOn === undefined ? Number.POSITIVE_INFINITY : Date.parse(outcome.expiresOn) - nowMs
  return Math.floor(Math.min(limits.cacheValidMs, leftMs))
}

function isLacking({ caveat, capabilities, hasZone, isIncomplete }: Valid): boolean {
  const { lacks, zonesVisible } = capabilities ?? {}
  return caveat !== undefined || lacks !== undefined || zonesVisible === 0 || hasZone === false || isIncomplete === true
}

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
