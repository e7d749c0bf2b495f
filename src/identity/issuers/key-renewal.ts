import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'

/** A set of verification keys, and when (milliseconds since 1970) it was requested. */
export interface KeySet {
  readonly keys: readonly JWK[]
  readonly requestedAtMs: number
}

interface UsableSet extends KeySet {
  readonly resolve: JWTVerifyGetKey
}

export interface RenewalOptions {
  readonly issuer: string
  /** Requests the keys from the issuer. Must reject when the signal aborts. */
  readonly fetchKeys: (signal: AbortSignal) => Promise<readonly JWK[]>
  /** The set that an earlier process stored. */
  readonly stored?: KeySet | undefined
  /** Stores a set for a later process. Never rejects. */
  readonly store?: (set: KeySet) => Promise<void>
  readonly deadlineMs: number
  readonly now: Clock
  readonly log: Logger
}

/** The last good key set of one issuer, and the result of the last attempt to renew it. The caller decides when to renew. */
export interface Renewal {
  current(): UsableSet | undefined
  /** Milliseconds since the current set was requested; infinite where there is none. */
  ageMs(): number
  /** A random factor close to 1 for each set, so that nodes do not renew at the same time. */
  jitter(): number
  /** Milliseconds since the last attempt started. */
  sinceAttemptMs(): number
  /** The error of the last attempt. */
  failure(): Error | undefined
  isRunning(): boolean
  /**
   * Concurrent callers share one attempt, so that a slow old response cannot replace a newer one. Rejects where it fails; the current set
   * stays.
   */
  renew(): Promise<void>
  close(): Promise<void>
}

export function createRenewal(options: RenewalOptions): Renewal {
  const { issuer, fetchKeys, store, deadlineMs, now, log } = options
  const closing = new AbortController()
  let current = options.stored && usableSet(options.stored, now())
  let jitter = nextJitter()
  let triedAtMs = Number.NEGATIVE_INFINITY
  let failure: Error | undefined
  let renewing: Promise<void> | undefined
  let storing: Promise<void> | undefined

  async function load(): Promise<void> {
    const requestedAtMs = now()
    triedAtMs = requestedAtMs
    // A timer of our own: Node collects an AbortSignal.timeout() inside AbortSignal.any(), which then never aborts (nodejs/node#57736).
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new DOMException('no response in time', 'TimeoutError')), deadlineMs)
    try {
      const keys = await fetchKeys(AbortSignal.any([deadline.signal, closing.signal]))
      current = usableSet({ keys, requestedAtMs }, requestedAtMs)
      jitter = nextJitter()
      failure = undefined
    } catch (error) {
      failure = error instanceof Error ? error : new Error('fetching the keys failed', { cause: error })
      if (!closing.signal.aborted) log.warn({ issuer, err: failure }, 'cannot fetch the keys of an issuer')
      throw failure
    } finally {
      clearTimeout(timer)
    }
    // Not awaited: callers need the keys and not the database.
    storing = store?.(current)
  }

  return {
    current: () => current,
    ageMs: () => (current ? now() - current.requestedAtMs : Number.POSITIVE_INFINITY),
    jitter: () => jitter,
    // A clock that was set back must not delay the attempts by as much.
    sinceAttemptMs: () => (now() < triedAtMs ? Number.POSITIVE_INFINITY : now() - triedAtMs),
    failure: () => failure,
    isRunning: () => renewing !== undefined,
    renew() {
      renewing ??= load().finally(() => {
        renewing = undefined
      })
      return renewing
    },
    async close() {
      closing.abort()
      await renewing?.catch(() => undefined)
      await storing
    },
  }
}

/** The clock of the node that stored the set may be ahead: its time is capped at now. */
function usableSet({ keys, requestedAtMs }: KeySet, nowMs: number): UsableSet {
  return { keys, requestedAtMs: Math.min(requestedAtMs, nowMs), resolve: createLocalJWKSet({ keys: [...keys] }) }
}

function nextJitter(): number {
  return 0.9 + Math.random() * 0.2
}
