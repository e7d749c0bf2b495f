import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'

/** Verification keys, and when they were requested (milliseconds since 1970). */
export interface KeySet {
  readonly keys: readonly JWK[]
  readonly requestedAtMs: number
}

interface UsableSet extends KeySet {
  readonly resolve: JWTVerifyGetKey
}

export interface RenewalOptions {
  readonly issuer: string
  /** Fetches the keys from the issuer. Must reject when the signal aborts. */
  readonly fetchKeys: (signal: AbortSignal) => Promise<readonly JWK[]>
  /** Loads the set that an earlier process stored. */
  readonly stored?: KeySet | undefined
  /** Stores a set for a later process. Never rejects. */
  readonly store?: (set: KeySet) => Promise<void>
  readonly deadlineMs: number
  readonly now: Clock
  readonly log: Logger
}

/** Holds the last good key set of one issuer and the result of the last fetch. The caller decides when to renew. */
interface Renewal {
  current(): UsableSet | undefined
  /** Milliseconds since the current set was requested. Infinity without a set. */
  ageMs(): number
  /** A random factor close to 1 per set, so that nodes do not renew at the same time. */
  jitter(): number
  /** Milliseconds since the last attempt started. */
  sinceAttemptMs(): number
  /** The error of the last attempt. */
  failure(): Error | undefined
  isRunning(): boolean
  /**
   * Concurrent callers share one fetch, so that a slow old response cannot replace a newer one. Rejects if the fetch
   * fails; the current set stays.
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
    // Not AbortSignal.timeout(): inside AbortSignal.any() it is garbage-collected and never aborts (nodejs/node#57736).
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
    // Not awaited: callers need only the keys.
    storing = store?.(current)
  }

  return {
    current: () => current,
    ageMs: () => (current ? now() - current.requestedAtMs : Number.POSITIVE_INFINITY),
    jitter: () => jitter,
    // If the clock was set back, it must not delay the next attempts.
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

/** The clock of the node that stored the set may be ahead. */
function usableSet({ keys, requestedAtMs }: KeySet, nowMs: number): UsableSet {
  return { keys, requestedAtMs: Math.min(requestedAtMs, nowMs), resolve: createLocalJWKSet({ keys: [...keys] }) }
}

function nextJitter(): number {
  return 0.9 + Math.random() * 0.2
}
