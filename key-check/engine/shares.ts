import type { CheckCaller } from '../api.ts'
import type { FailedKey, FailureCounts, PlacesInShare, ShareChange, Taken } from '../failure-counts.ts'
import { pause } from './backpressure.ts'
import { type Invalid, type Undetermined, undetermined } from './provider.ts'
import type { UndeterminedReason } from './provider-facts.ts'

interface SharedCheck {
  readonly provider: string
  readonly bounds: FailureBounds
  /** undefined for a command run by an operator. */
  readonly caller: CheckCaller | undefined
  /** One of many keys: must not use the reserve. */
  readonly isBulk: boolean
  readonly digest: string
  /** A keyed hash of the credential and its caller. */
  readonly askedBy: string
  /** Whether to send a failed key again. */
  readonly isFresh: boolean
  readonly signal: AbortSignal
}

/** Maximum failures at one provider within the window. */
export interface FailureBounds {
  readonly windowMs: number
  /** Of all callers: one less than the lockout. */
  readonly all: number
  /** Of all callers, for a caller that already has failures. The rest is the reserve. */
  readonly open: number
  /** Of one network. */
  readonly network: number
}

export function boundsOf(lockOutFailures: number, windowMs: number): FailureBounds {
  const part = (percent: number) => Math.max(1, Math.floor((lockOutFailures * percent) / 100))
  return { windowMs, all: Math.max(1, lockOutFailures - 1), open: part(60), network: part(80) }
}

type Admission =
  | { readonly kind: 'place'; readonly place: Place }
  | ({ readonly kind: 'known'; readonly outcome: Invalid } & Pick<FailedKey, 'checkedAtMs' | 'askedBy'>)
  | { readonly kind: 'refused'; readonly outcome: Undetermined }

export interface Place {
  /** Counts a failed call. Resolves to whether another failure is safe. */
  failed(): Promise<boolean>
  /** Ends the check. Stores the outcome if the key is invalid. */
  end(outcome?: Invalid): Promise<void>
}

/** A wrong key fails in two calls at most: an old-format Cloudflare token fails at the user's endpoint and at the account's. */
const failuresPerKey = 2
/** Minimum time before a failed key is sent again. */
export const sentAgainMs = 5_000
/** Interval for checking places held by another process. */
const pollMs = 100

/**
 * Providers lock an address out after some failed authentications, which blocks the checks of all callers. So each caller and each network
 * has a share of the failures, and a reserve is kept for callers without failures.
 */
export function createShares(counts: FailureCounts, now: () => number) {
  const queues = new Map<string, Promise<unknown>>()
  const waiting = new Set<() => void>()
  const onEnd = () => {
    for (const look of waiting) look()
    waiting.clear()
  }

  async function placeOrRefusal(check: SharedCheck): Promise<Admission> {
    const requested = sharesOf(check)
    while (!check.signal.aborted) {
      const placeFreed = new Promise<void>((resolve) => waiting.add(resolve))
      const taken = await counts.take({ ...requested, digest: check.digest })
      const refusal = knownKey(check, taken, now()) ?? refusalOf(check, requested.shares, { taken, nowMs: now() })
      if (refusal && taken.isHeld) await counts.record(freed(requested.shares))
      if (refusal) return refusal
      if (taken.isHeld) return { kind: 'place', place: placeFor(check, requested, { counts, now, onEnd }) }
      await Promise.race([placeFreed, pause(pollMs, check.signal)])
    }
    return { kind: 'refused', outcome: undetermined('timeout') }
  }

  return {
    /** Waits while the caller's running checks may still use up its share. */
    take(check: SharedCheck): Promise<Admission> {
      const queue = `${check.provider} ${check.caller?.id}`
      const before = queues.get(queue)
      const admission = before ? before.then(() => placeOrRefusal(check)) : placeOrRefusal(check)
      const last = admission.catch(() => undefined).finally(() => queues.get(queue) === last && queues.delete(queue))
      queues.set(queue, last)
      return admission
    },
    /** Counts failures without holding checks back. */
    withoutShare({ provider, bounds }: Pick<SharedCheck, 'provider' | 'bounds'>): Admission {
      const change = { share: shareOf(provider), failures: 1, freedPlaces: 0 }
      const failed = async () => {
        await counts.record([{ ...change, endsAtMs: now() + bounds.windowMs }])
        return true
      }
      return { kind: 'place', place: { failed, end: async () => undefined } }
    },
  }
}

function knownKey({ isFresh }: SharedCheck, { known }: Taken, nowMs: number): Admission | undefined {
  if (!known) return undefined
  // Trust boundary to the store of counts: it returns what `end` stored.
  const outcome = known.outcome as Invalid
  const mayBeSent = isFresh || outcome.mayBeNew === true
  return mayBeSent && nowMs - known.checkedAtMs >= sentAgainMs ? undefined : { ...known, kind: 'known', outcome }
}

/** The longest wait of all shares; undefined if a running check may free a place. */
function refusalOf(
  { caller, isBulk, bounds }: SharedCheck,
  [keys, calls]: SharePair,
  { taken, nowMs }: { taken: Taken; nowMs: number },
): Admission | undefined {
  const [failedKeys = [], failedCalls = []] = taken.shares
  const hasFailed = failedKeys.length > 0
  const own = caller ? 'share_used' : 'too_many_failures'
  const providerMax = hasFailed || isBulk ? bounds.open - calls.places : bounds.all - 1
  const waits: readonly (readonly [UndeterminedReason, number])[] = [
    [own, waitUntil(failedKeys, keys.max - keys.places)],
    [caller?.network === undefined ? own : 'network_share_used', waitUntil(failedCalls, calls.max - calls.places)],
    [hasFailed ? own : 'too_many_failures', waitUntil(taken.provider, providerMax)],
  ]
  const [reason, endMs] = waits.reduce((longest, wait) => (wait[1] > longest[1] ? wait : longest))
  if (endMs === 0) return undefined
  return { kind: 'refused', outcome: undetermined(reason, Math.max(1, Math.ceil((endMs - nowMs) / 1_000))) }
}

interface Surroundings {
  readonly counts: FailureCounts
  readonly now: () => number
  readonly onEnd: () => void
}

function placeFor(
  { digest, askedBy, bounds }: SharedCheck,
  { shares, provider }: RequestedShares,
  { counts, now, onEnd }: Surroundings,
): Place {
  const held = new Map(shares.map(({ share, places }) => [share, places]))
  const [keys, calls] = shares
  let hasFailed = false
  const failureIn = (share: string): ShareChange => {
    const places = held.get(share) ?? 0
    const freedPlaces = Math.min(1, places)
    held.set(share, places - freedPlaces)
    return { share, failures: 1, freedPlaces, endsAtMs: now() + bounds.windowMs }
  }
  return {
    async failed() {
      const changes = [failureIn(provider), failureIn(calls.share), ...(hasFailed ? [] : [failureIn(keys.share)])]
      hasFailed = true
      const [failures = 0] = await counts.record(changes)
      return failures < bounds.all
    },
    async end(outcome) {
      const checkedAtMs = now()
      try {
        if (outcome)
          await counts.remember({ digest, askedBy, outcome, checkedAtMs, endsAtMs: checkedAtMs + bounds.windowMs })
        await counts.record(freed([...held].map(([share, places]) => ({ share, places }))))
      } finally {
        onEnd()
      }
    },
  }
}

type SharePair = readonly [PlacesInShare, PlacesInShare]

interface RequestedShares {
  readonly shares: SharePair
  readonly provider: string
}

/** A caller's share counts keys, its network's share counts calls. A caller without a network gets its own share of calls. */
function sharesOf({ provider, bounds, caller }: SharedCheck): RequestedShares {
  const { id = 'operator', failedKeysMax = 0, network } = caller ?? {}
  const callsMax = network === undefined ? bounds.open : bounds.network
  const calls = network === undefined ? `${provider} calls of ${id}` : `${provider} network ${network}`
  return {
    shares: [
      { share: `${provider} keys of ${id}`, places: 1, max: failedKeysMax || bounds.open },
      { share: calls, places: Math.min(failuresPerKey, callsMax), max: callsMax },
    ],
    provider: shareOf(provider),
  }
}

function shareOf(provider: string): string {
  return `provider ${provider}`
}

function freed(shares: readonly Pick<PlacesInShare, 'share' | 'places'>[]): ShareChange[] {
  return shares
    .filter(({ places }) => places > 0)
    .map(({ share, places }) => ({ share, failures: 0, freedPlaces: places, endsAtMs: 0 }))
}

/** When the number of failures drops to the maximum; 0 if it is there already. */
function waitUntil(ends: readonly number[], failuresMax: number): number {
  return ends.length <= failuresMax ? 0 : (ends[ends.length - failuresMax - 1] ?? 0)
}
