import type { Limits } from './limits.ts'
import { type Undetermined, undetermined } from './provider.ts'

/**
 * Stops calls to a provider that fails, is rate limiting or has locked this server out. One per provider. A call needs a permit. There are
 * no permits during a cool-down, while the circuit is open, or beyond the calls per second.
 */
export interface CircuitBreaker {
  /** Call before every request. Returns a permit, or the outcome if the request must not be sent. May wait up to 1 s, or as long as one call takes at this rate. */
  acquire(signal: AbortSignal): Promise<Permit | Undetermined>
  /** Starts a cool-down: no permits for `retryAfterSeconds`. */
  coolDown(outcome: Undetermined): void
}

export interface Permit {
  readonly kind: 'permit'
  release(result: CallResult): void
}

/** `uncounted`: the result says nothing about the provider, for example because we cancelled the call. */
export type CallResult = 'success' | 'failure' | 'uncounted'

/** `clock` returns milliseconds and is only compared with itself. `callsPerSecondMax` 0 means no throttle. */
export function createCircuitBreaker(limits: Limits, callsPerSecondMax: number, clock: () => number): CircuitBreaker {
  const circuit = createCircuit(limits, clock)
  const throttle = createThrottle(callsPerSecondMax, clock)
  let coolDownReason: Undetermined['reason'] = 'rate_limited'
  let coolDownEndsMs = Number.NEGATIVE_INFINITY

  function refusal(): Undetermined | undefined {
    const coolDownMs = coolDownEndsMs - clock()
    if (coolDownMs > 0) return refused(coolDownReason, coolDownMs)
    const openMs = circuit.openForMs()
    return openMs > 0 ? refused('overloaded', openMs) : undefined
  }

  return {
    async acquire(signal) {
      // The throttle comes last, so that a rejected call does not use it up.
      const refusedNow = refusal()
      if (refusedNow) return refusedNow
      const waitMs = throttle.reserve()
      if (waitMs === undefined) return refused('overloaded', 1_000)
      if (waitMs === 0) return circuit.enter()
      // Smooths bursts instead of rejecting them. A cool-down may have started meanwhile.
      if (!(await pause(waitMs, signal))) return refused('overloaded', 1_000)
      return refusal() ?? circuit.enter()
    },
    coolDown({ reason, retryAfterSeconds = 1 }) {
      const endsMs = clock() + retryAfterSeconds * 1_000
      if (endsMs <= coolDownEndsMs) return
      coolDownEndsMs = endsMs
      coolDownReason = reason
    },
  }
}

function refused(reason: Undetermined['reason'], forMs: number): Undetermined {
  return undetermined(reason, Math.ceil(forMs / 1_000))
}

/**
 * Closed → open when too many calls in the window failed; open → half-open after a while, when one probe call at a time decides.
 * docs/decisions/key-validation.md explains why no library is used.
 */
function createCircuit(limits: Limits, clock: () => number) {
  const window = createWindow(limits.breakerWindowMs, clock)
  let openUntilMs: number | undefined
  let isProbing = false
  // Counts state changes, so that a call that started in an earlier state is ignored.
  let epoch = 0

  function change(untilMs: number | undefined): void {
    epoch += 1
    openUntilMs = untilMs
    isProbing = false
    window.clear()
  }

  function record(result: CallResult): void {
    const isHalfOpen = openUntilMs !== undefined
    isProbing = false
    if (result === 'uncounted') return
    if (isHalfOpen) {
      change(result === 'failure' ? clock() + limits.breakerOpenMs : undefined)
      return
    }
    const { calls, failures } = window.add(result === 'failure')
    if (calls >= limits.breakerCallsMin && failures / calls >= limits.breakerFailureRatio)
      change(clock() + limits.breakerOpenMs)
  }

  return {
    /** Milliseconds until the next call may start; 0 for now. */
    openForMs(): number {
      if (openUntilMs === undefined) return 0
      return Math.max(openUntilMs - clock(), isProbing ? 1 : 0)
    },
    enter(): Permit {
      const enteredIn = epoch
      if (openUntilMs !== undefined) isProbing = true
      return { kind: 'permit', release: (result) => (enteredIn === epoch ? record(result) : undefined) }
    },
  }
}

/** Counts of the last `windowMs` in ten slots, so that memory use is bounded at any rate of calls. */
function createWindow(windowMs: number, clock: () => number) {
  const slotMs = windowMs / 10
  /** The newest comes last. */
  let slots: { readonly number: number; calls: number; failures: number }[] = []
  return {
    add(isFailure: boolean): { calls: number; failures: number } {
      const number = Math.floor(clock() / slotMs)
      let last = slots.at(-1)
      if (last?.number !== number) {
        last = { number, calls: 0, failures: 0 }
        slots = [...slots.filter((slot) => slot.number > number - 10), last]
      }
      last.calls += 1
      if (isFailure) last.failures += 1
      const sum = { calls: 0, failures: 0 }
      for (const { calls, failures } of slots) {
        sum.calls += calls
        sum.failures += failures
      }
      return sum
    },
    clear(): void {
      slots = []
    },
  }
}

/** How many calls may start at once, after a while without any. */
export const callsHeld = (perSecondMax: number): number => Math.max(perSecondMax, 2)

/**
 * A token bucket. It holds one second's calls, but at least the two of a check that reads abilities. A call may wait for the tokens of the
 * next second, or for the next token where a provider allows less than one call per second.
 */
function createThrottle(perSecondMax: number, clock: () => number) {
  const heldMax = callsHeld(perSecondMax)
  let left = heldMax
  let filledAtMs = clock()
  return {
    /** Milliseconds until this call may start; undefined if too many are waiting. */
    reserve(): number | undefined {
      if (perSecondMax === 0) return 0
      const nowMs = clock()
      left = Math.min(heldMax, left + (Math.max(nowMs - filledAtMs, 0) / 1_000) * perSecondMax)
      filledAtMs = nowMs
      if (left - 1 < -Math.max(perSecondMax, 1)) return undefined
      left -= 1
      return left >= 0 ? 0 : (-left / perSecondMax) * 1_000
    },
  }
}

export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/** Limits how much work runs in parallel. Other work waits in order of arrival, and is rejected if too much is waiting. */
export function createQueue(runningMax: number, waitingMax = Number.POSITIVE_INFINITY) {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    /** Rejects with `QueueFull`, or with the error of the work. */
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      if (running < runningMax) running += 1
      else if (waiting.length >= waitingMax) throw new QueueFull('The queue is full.')
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        // Hands the place to the next in line without freeing it.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}

/** Resolves to true after the time, or to false as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(isOver)
    }
    const stop = () => end(false)
    const timer = setTimeout(end, ms, true)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}

/** Rejects with the signal's reason as soon as it aborts, and then ignores the promise. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    const forget = () => signal.removeEventListener('abort', abort)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.finally(forget).then(resolve, reject)
  })
}

/** The abort reason when no caller waits for a run any more. */
export const abandoned = new Error('No caller is waiting any more')
