import { LRUCache } from 'lru-cache'
import type { Finding } from './check-run.ts'
import type { Limits } from './limits.ts'
import { undetermined } from './provider.ts'

/** Verdicts of the last seconds, by digest, and which credentials are to be left alone. It holds no credential and nothing undetermined. */
export interface Memory {
  get(digest: string, wantsCapabilities: boolean): Finding | undefined
  set(digest: string, finding: Finding, nowMs: number): void
  clear(): void
}

export function createMemory(limits: Limits, clock: () => number): Memory {
  // Until when a credential that used up its own rate limit is not sent again.
  const heldUntilMs = new LRUCache<string, number>({ max: limits.rememberedMax })
  const verdicts = new LRUCache<string, Finding>({
    max: limits.rememberedMax,
    ttl: limits.rememberValidMs,
    ttlResolution: 0,
    perf: { now: clock },
  })
  return {
    get(digest, wantsCapabilities) {
      const finding = verdicts.get(digest)
      if (finding && (finding.hasLooked || !wantsCapabilities)) return finding
      const leftMs = (heldUntilMs.get(digest) ?? 0) - clock()
      if (leftMs <= 0) return undefined
      // A verdict without the look that was asked for is more than none.
      return (
        finding ?? {
          outcome: undetermined('key_rate_limited', Math.ceil(leftMs / 1_000)),
          checkedAtMs: 0,
          hasLooked: false,
        }
      )
    },
    set(digest, finding, nowMs) {
      const { outcome } = finding
      if (outcome.kind === 'undetermined' && outcome.reason === 'key_rate_limited')
        heldUntilMs.set(digest, clock() + (outcome.retryAfterSeconds ?? 1) * 1_000)
      const ttl = rememberedForMs(finding, nowMs, limits)
      if (ttl > 0) verdicts.set(digest, finding, { ttl })
    },
    clear() {
      verdicts.clear()
      heldUntilMs.clear()
    },
  }
}

/**
 * A refusal without a reason (10000) passes by itself at times, so it is asked again. A credential that is about to
 * end is not remembered beyond its end.
 */
function rememberedForMs({ outcome }: Finding, nowMs: number, limits: Limits): number {
  if (outcome.kind === 'undetermined') return 0
  if (outcome.kind === 'invalid') return outcome.reason === 'refused' ? 0 : limits.rememberInvalidMs
  const leftMs = outcome.expiresOn === undefined ? Number.POSITIVE_INFINITY : Date.parse(outcome.expiresOn) - nowMs
  return Math.floor(Math.min(limits.rememberValidMs, leftMs))
}
