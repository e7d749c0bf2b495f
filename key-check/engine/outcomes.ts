import { LRUCache } from 'lru-cache'
import type { CheckCaller, KeyCheck } from '../api.ts'
import type { FailureCounts } from '../failure-counts.ts'
import { type Wanted, withAbilities } from './abilities.ts'
import { abandoned, abortable } from './backpressure.ts'
import { atMost } from './cache-bounds.ts'
import { type CheckRunParts, findOutcome, startRun } from './calls.ts'
import { type Credential, callerDigestOf, digestOf } from './credential.ts'
import type { Limits } from './limits.ts'
import { type Invalid, type Outcome, type Provider, undetermined, type Valid } from './provider.ts'
import type { ProviderClient } from './provider-client.ts'
import { fitOf } from './purpose.ts'
import type { Checked } from './result.ts'
import { createShares, type Place, sentAgainMs } from './shares.ts'

/** One check: what is checked, for whom, and what it finds out. */
interface Asked {
  readonly credential: Credential
  /** A keyed hash of the credential: checks of the same credential share a verdict. */
  readonly digest: string
  /** The same with the caller, if there is one. */
  readonly askedBy: string
  readonly wanted: Wanted
  readonly caller: CheckCaller | undefined
  readonly isBulk: boolean
  readonly isFresh: boolean
}

/** An outcome, maybe of the check of another caller. */
interface Found {
  readonly outcome: Outcome
  readonly checkedAtMs: number
  /** What the check asked for. It may still be missing. */
  readonly wanted: Wanted
  /** It comes from the cache or from the shared store. */
  readonly isKnown: boolean
  /** The caller whose check found it, if the shared store has it. */
  readonly askedBy?: string
}

interface OutcomesOptions extends Omit<CheckRunParts, 'client' | 'onFailedAuthentication'> {
  readonly clients: ReadonlyMap<string, ProviderClient>
  readonly counts: FailureCounts
  /** A steady clock, milliseconds. */
  readonly clock: () => number
}

/** Returns outcomes from the cache, from a running check, or from a new one. */
export function createOutcomes(options: OutcomesOptions) {
  const { clients, counts, digestKey, limits, now, clock } = options
  const cache = createVerdictCache(limits, clock)
  const runs = createSingleFlight<Found>()
  const asSeen = createOwnChecks(limits.cacheEntriesMax, now)
  const shares = createShares(counts, now)

  async function run(asked: Asked, controller: AbortController): Promise<Found> {
    const { credential, digest, wanted, caller, isBulk } = asked
    const { id } = credential.provider
    const client = clients.get(id)
    if (!client) throw new Error(`The provider ${id} has no client`)
    const shared = { provider: id, bounds: client.failureBounds, signal: controller.signal }
    const admission = caller || isBulk ? await shares.take({ ...asked, ...shared }) : shares.withoutShare(shared)
    if (admission.kind === 'known') return { ...admission, isKnown: true, wanted }
    if (admission.kind === 'refused') return { outcome: admission.outcome, checkedAtMs: now(), isKnown: false, wanted }
    const { place } = admission
    const parts = { ...options, client, onFailedAuthentication: place.failed }
    const outcome = await inPlace(place, () => runCheck(parts, asked, controller))
    const found = { outcome, checkedAtMs: now(), isKnown: false, wanted }
    cache.set(digest, found)
    return found
  }

  /** A zone or an ability that is missing for the purpose may have just been added. */
  function ageMaxMs(outcome: Outcome, provider: Provider, { fresh, for: purpose }: KeyCheck): number {
    if (fresh) return sentAgainMs
    const isUnfit = outcome.kind === 'valid' && purpose && fitOf(outcome, purpose, provider).fitsPurpose === 'no'
    return isUnfit ? limits.cacheInvalidMs : Number.POSITIVE_INFINITY
  }

  return {
    async find(credential: Credential, input: KeyCheck): Promise<Checked> {
      const { caller, bulk: isBulk = false, fresh: isFresh = false, signal } = input
      const digest = digestOf(credential, digestKey)
      const askedBy = caller ? callerDigestOf(digest, caller.id, digestKey) : digest
      const wanted = wantedBy(input, credential.provider)
      const cached = cache.get(digest, wanted, (outcome) => now() - ageMaxMs(outcome, credential.provider, input))
      if (cached) return asSeen(askedBy, cached)
      // Each caller has its own run, because a check may be held back for one caller only.
      const runKey = [askedBy, ...Object.values(wanted), isBulk, isFresh].join(' ')
      const asked = { credential, digest, askedBy, wanted, caller, isBulk, isFresh }
      return asSeen(askedBy, await runs.run(runKey, (controller) => run(asked, controller), signal))
    },
    close: runs.abortAll,
  }
}

/** What the check finds out, as far as reads of this provider can show it. */
function wantedBy({ capabilities, for: purpose }: KeyCheck, { abilities }: Provider): Wanted {
  if (typeof abilities === 'string' || 'unknown' in abilities) return { capabilities: false, zone: '', proof: false }
  const isRequested = capabilities === true || purpose !== undefined
  const zone = abilities.zone ? (purpose?.zone?.toLowerCase() ?? '') : ''
  const proof = zone !== '' && purpose?.prove !== undefined && abilities.proof !== undefined
  return { capabilities: isRequested || abilities.isAlwaysRead === true, zone, proof }
}

/** Finds the outcome, then reads abilities. An abort before the outcome ends the check as a timeout. */
async function runCheck(parts: CheckRunParts, asked: Asked, controller: AbortController): Promise<Outcome> {
  const { wanted } = asked
  const run = startRun(parts, asked, controller)
  try {
    return await parts.client.run(async () => {
      const outcome = await findOutcome(run)
      return wanted.capabilities && outcome.kind === 'valid' ? withAbilities(run, outcome, wanted) : outcome
    })
  } finally {
    run.deadline.end()
  }
}

async function inPlace(place: Place, check: () => Promise<Outcome>): Promise<Outcome> {
  let failed: Invalid | undefined
  try {
    const outcome = await check()
    if (outcome.kind === 'invalid') failed = outcome
    return outcome
  } finally {
    const ended = place.end(failed)
    // The next check of a wrong key must find this outcome. Other outcomes only free places, which nobody waits for.
    if (failed) await ended
    else ended.catch(() => undefined)
  }
}

/**
 * Callers share outcomes, but no caller learns that another one checked the same credential. Returns the outcome as this caller's own checks
 * show it.
 */
function createOwnChecks(entriesMax: number, now: () => number): (askedBy: string, found: Found) => Checked {
  /** When each caller got the outcome that was found at that time. */
  const seen = new LRUCache<string, { readonly foundAtMs: number; readonly atMs: number }>(atMost(entriesMax))
  return (askedBy, found) => {
    const { outcome, checkedAtMs: foundAtMs, isKnown } = found
    const own = seen.get(askedBy)
    if (isKnown && own?.foundAtMs === foundAtMs) return { outcome, checkedAtMs: own.atMs, isCached: true }
    const isCached = isKnown && found.askedBy === askedBy
    const checkedAtMs = isKnown && !isCached ? now() : foundAtMs
    seen.set(askedBy, { foundAtMs, atMs: checkedAtMs })
    const isProofSent = !isKnown && outcome.kind === 'valid' && outcome.isProofSent
    return { outcome, checkedAtMs, isCached, ...(isProofSent && { isProofSent }) }
  }
}

/** Recent outcomes and the cool-downs of single credentials, by a keyed hash. Stores no credential and no undetermined outcome. */
export function createVerdictCache(limits: Limits, clock: () => number) {
  /** The end of the cool-down of a credential that reached its own rate limit. */
  const coolDownEndsMs = new LRUCache<string, number>(atMost(limits.cacheEntriesMax))
  const entries = new LRUCache<string, Found>({
    ...atMost(limits.cacheEntriesMax),
    ttl: limits.cacheValidMs,
    ttlResolution: 0,
    perf: { now: clock },
  })

  return {
    /** `sinceMs` says since when the outcome must have been checked. */
    get(key: string, wanted: Wanted, sinceMs: (outcome: Outcome) => number): Found | undefined {
      const entry = entries.get(key)
      if (entry && entry.checkedAtMs >= sinceMs(entry.outcome) && answers(entry, wanted))
        return { ...entry, isKnown: true }
      const leftMs = (coolDownEndsMs.get(key) ?? 0) - clock()
      if (leftMs <= 0) return undefined
      // During a cool-down, an outcome without the requested capabilities is better than none.
      const outcome = undetermined('key_rate_limited', Math.ceil(leftMs / 1_000))
      return { ...(entry ?? { outcome, checkedAtMs: 0, wanted }), isKnown: true }
    },
    set(key: string, entry: Found): void {
      const { outcome, checkedAtMs } = entry
      if (outcome.kind === 'undetermined' && outcome.reason === 'key_rate_limited')
        coolDownEndsMs.set(key, clock() + (outcome.retryAfterSeconds ?? 1) * 1_000)
      const ttl = ttlOf(outcome, checkedAtMs, limits)
      if (ttl > 0) entries.set(key, entry, { ttl })
    },
  }
}

/** An invalid credential can do nothing, whatever was asked. What only a proof shows would tell other callers that one was sent. */
function answers({ outcome, wanted: had }: Found, wanted: Wanted): boolean {
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

interface Flight<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  callers: number
}

type Work<T> = (controller: AbortController) => Promise<T>

/** Coalesces identical work: all callers with the same key share one run. */
export function createSingleFlight<T>() {
  const runs = new Map<string, Flight<T>>()

  function start(key: string, work: Work<T>): Flight<T> {
    const controller = new AbortController()
    const result = work(controller).finally(() => remove(key, run))
    const run: Flight<T> = { result, controller, callers: 0 }
    runs.set(key, run)
    return run
  }

  function remove(key: string, run: Flight<T>): boolean {
    return runs.get(key) === run && runs.delete(key)
  }

  return {
    /**
     * Joins the run of that key, or starts it. If a caller's signal aborts, its promise rejects with the signal's reason and the run
     * continues for the others. When the last caller leaves, the run's controller aborts with `abandoned`. The work may also abort the
     * controller, for example at a deadline.
     */
    async run(key: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
      signal?.throwIfAborted()
      const run = runs.get(key) ?? start(key, work)
      run.callers += 1
      try {
        return await (signal ? abortable(run.result, signal) : run.result)
      } finally {
        run.callers -= 1
        // Remove it first, so that a new caller does not join an aborted run. A finished run is removed already.
        if (run.callers === 0 && remove(key, run)) run.controller.abort(abandoned)
      }
    },
    /** Aborts every run. Callers get the result of the aborted run. */
    abortAll(): void {
      for (const { controller } of runs.values()) controller.abort()
    },
  }
}
