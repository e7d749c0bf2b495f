import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import { createSingleFlight } from '../../platform/single-flight.ts'

/** A set of verification keys, and when (milliseconds since 1970) its issuer was asked for it. */
export interface KeySet {
  readonly keys: readonly JWK[]
  readonly askedAtMs: number
}

interface UsableSet extends KeySet {
  readonly resolve: JWTVerifyGetKey
}

export interface RenewalOptions {
  readonly issuer: string
  /** Asks the issuer. Must reject when the signal does. */
  readonly fetchKeys: (signal: AbortSignal) => Promise<readonly JWK[]>
  /** The set of an earlier process. */
  readonly kept?: KeySet | undefined
  /** Keeps a set for a later process. Never rejects. */
  readonly keep?: (set: KeySet) => Promise<void>
  readonly deadlineMs: number
  readonly now: Clock
  readonly log: Logger
}

/** The last good key set of one issuer, and how the last attempt to renew it went. When to renew is for others to decide. */
export interface Renewal {
  current(): UsableSet | undefined
  /** Milliseconds since the issuer was asked for the current set; infinite where there is none. */
  ageMs(): number
  /** A factor close to 1, another one for each set, so that nodes do not ask all at once. */
  jitter(): number
  /** Milliseconds since the last attempt began. */
  restedMs(): number
  /** What went wrong in the last attempt. */
  failure(): Error | undefined
  isRunning(): boolean
  /**
   * Callers at the same time share one attempt, so that no slow old answer can replace a newer one. Rejects where it fails; the
   * current set stays.
   */
  renew(): Promise<void>
  close(): Promise<void>
}

export function createRenewal(options: RenewalOptions): Renewal {
  const { issuer, fetchKeys, keep, deadlineMs, now, log } = options
  const closing = new AbortController()
  let current = options.kept && usableSet(options.kept, now())
  let jitter = nextJitter()
  let triedAtMs = Number.NEGATIVE_INFINITY
  let failure: Error | undefined
  const renewals = createSingleFlight<void>()
  let keeping: Promise<void> | undefined

  async function load(): Promise<void> {
    const askedAtMs = now()
    triedAtMs = askedAtMs
    // A timer of our own: Node collects an AbortSignal.timeout() inside AbortSignal.any(), which then never aborts (nodejs/node#57736).
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new DOMException('no answer in time', 'TimeoutError')), deadlineMs)
    try {
      const keys = await fetchKeys(AbortSignal.any([deadline.signal, closing.signal]))
      current = usableSet({ keys, askedAtMs }, askedAtMs)
      jitter = nextJitter()
      failure = undefined
    } catch (error) {
      failure = error instanceof Error ? error : new Error('the keys cannot be had', { cause: error })
      if (!closing.signal.aborted) log.warn({ issuer, err: failure }, 'the keys of an issuer cannot be had')
      throw failure
    } finally {
      clearTimeout(timer)
    }
    // Not waited for: callers need the keys, and not the database, to go on.
    keeping = keep?.(current)
  }

  return {
    current: () => current,
    ageMs: () => (current ? now() - current.askedAtMs : Number.POSITIVE_INFINITY),
    jitter: () => jitter,
    // A clock that was set back must not stop the attempts for as long as it went back.
    restedMs: () => (now() < triedAtMs ? Number.POSITIVE_INFINITY : now() - triedAtMs),
    failure: () => failure,
    isRunning: () => renewals.isRunning(issuer),
    renew: () => renewals.run(issuer, load),
    async close() {
      closing.abort()
      if (renewals.isRunning(issuer)) await renewals.run(issuer, load).catch(() => undefined)
      await keeping
    },
  }
}

/** A set that another node kept may come from a clock that is ahead: it is never younger than now. */
function usableSet({ keys, askedAtMs }: KeySet, nowMs: number): UsableSet {
  return { keys, askedAtMs: Math.min(askedAtMs, nowMs), resolve: createLocalJWKSet({ keys: [...keys] }) }
}

function nextJitter(): number {
  return 0.9 + Math.random() * 0.2
}
