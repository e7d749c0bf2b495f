import { LRUCache } from 'lru-cache'
import type { Finding } from './chain.ts'
import type { Limits } from './limits.ts'

/** Verdicts of the last seconds, by digest. It holds no credential and nothing undetermined. */
export interface Memory {
  get(digest: string, wantsCapabilities: boolean): Finding | undefined
  set(digest: string, finding: Finding, nowMs: number): void
  clear(): void
}

export function createMemory(limits: Limits, clock: () => number): Memory {
  const verdicts = new LRUCache<string, Finding>({
    max: limits.rememberedMax,
    ttl: limits.rememberValidMs,
    ttlResolution: 0,
    perf: { now: clock },
  })
  return {
    get(digest, wantsCapabilities) {
      const finding = verdicts.get(digest)
      return finding && (finding.hasLooked || !wantsCapabilities) ? finding : undefined
    },
    set(digest, finding, nowMs) {
      const ttl = rememberedForMs(finding, nowMs, limits)
      if (ttl > 0) verdicts.set(digest, finding, { ttl })
    },
    clear: () => verdicts.clear(),
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
