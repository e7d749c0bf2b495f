import type { Signal } from './control.ts'
import type { Limits } from './limits.ts'
import { pause } from './pause.ts'
import type { Undetermined } from './provider.ts'
import { undetermined } from './provider.ts'

/** What keeps the service from pressing on a provider that fails, limits or locks. One set per provider. */
export interface Brakes {
  /** Asked before every call: either the reason why it is not made, or a pass that is handed back after it. */
  admit(signal: Signal): Promise<Admission>
  /** The provider asked for quiet: nothing is sent until then. */
  quiet(outcome: Undetermined): void
}

export type Admission = { readonly kind: 'held'; readonly outcome: Undetermined } | Pass

export interface Pass {
  readonly kind: 'pass'
  done(end: CallEnd): void
}

/** `given_up`: on this side, which tells nothing about the provider. */
export type CallEnd = 'answered' | 'failed' | 'given_up'

/** `clock` counts milliseconds and is only compared with itself. `callsPerSecondMax` 0 means no budget. */
export function createBrakes(limits: Limits, callsPerSecondMax: number, clock: () => number): Brakes {
  const breaker = createBreaker(limits, clock)
  const budget = createBudget(callsPerSecondMax, clock)
  let quietReason: Undetermined['reason'] = 'rate_limited'
  let quietUntilMs = Number.NEGATIVE_INFINITY

  function stop(): Admission | undefined {
    const quietMs = quietUntilMs - clock()
    if (quietMs > 0) return held(quietReason, quietMs)
    const openMs = breaker.openForMs()
    return openMs > 0 ? held('overloaded', openMs) : undefined
  }

  return {
    async admit(signal) {
      // The budget comes after the others, so that a call that is held anyway spends nothing of it.
      const stopped = stop()
      if (stopped) return stopped
      const waitMs = budget.reserve()
      if (waitMs === undefined) return held('overloaded', 1_000)
      if (waitMs === 0) return breaker.enter()
      // A burst is smoothed rather than refused; what happened meanwhile counts.
      if (!(await pause(waitMs, signal))) return held('overloaded', 1_000)
      return stop() ?? breaker.enter()
    },
    quiet({ reason, retryAfterSeconds = 1 }) {
      const untilMs = clock() + retryAfterSeconds * 1_000
      if (untilMs <= quietUntilMs) return
      quietUntilMs = untilMs
      quietReason = reason
    },
  }
}

function held(reason: Undetermined['reason'], forMs: number): Admission {
  return { kind: 'held', outcome: undetermined(reason, Math.ceil(forMs / 1_000)) }
}

/**
 * Closed → open when enough of the calls in the window failed; open → half-open after a while, when one call at a time
 * decides. Our own, because cockatiel's breaker reads `Date.now()`: a step of the wall clock would open or close it,
 * and no test could move it.
 */
function createBreaker(limits: Limits, clock: () => number) {
  const window = createWindow(limits.breakerWindowMs, clock)
  let openUntilMs: number | undefined
  let isTrying = false
  // Counts the changes of state: a call that began in an earlier state comes back late and decides nothing.
  let era = 0

  function turn(untilMs: number | undefined): void {
    era += 1
    openUntilMs = untilMs
    isTrying = false
    window.clear()
  }

  function record(end: CallEnd): void {
    const isTrial = openUntilMs !== undefined
    if (isTrial) isTrying = false
    if (end === 'given_up') return
    if (isTrial) {
      turn(end === 'failed' ? clock() + limits.breakerOpenMs : undefined)
      return
    }
    const { calls, failures } = window.add(end === 'failed')
    if (calls >= limits.breakerCallsMin && failures / calls >= limits.breakerFailureRatio)
      turn(clock() + limits.breakerOpenMs)
  }

  return {
    /** Milliseconds until a call may be tried; 0 when it may now. */
    openForMs(): number {
      if (openUntilMs === undefined) return 0
      return Math.max(openUntilMs - clock(), isTrying ? 1 : 0)
    },
    enter(): Pass {
      const began = era
      if (openUntilMs !== undefined) isTrying = true
      return { kind: 'pass', done: (end) => (began === era ? record(end) : undefined) }
    },
  }
}

/** Counts of the last `windowMs`, in ten slots: at thousands of calls a second a list of calls would cost too much. */
function createWindow(windowMs: number, clock: () => number) {
  const slotMs = windowMs / 10
  let slots: { number: number; calls: number; failures: number }[] = []
  return {
    add(isFailure: boolean): { calls: number; failures: number } {
      const number = Math.floor(clock() / slotMs)
      let last = slots.at(-1)
      if (last?.number !== number) {
        last = { number, calls: 0, failures: 0 }
        slots = [...slots.filter((slot) => slot.number > number - 10), last]
      }
      last.calls += 1
      last.failures += isFailure ? 1 : 0
      return slots.reduce((sum, slot) => ({ calls: sum.calls + slot.calls, failures: sum.failures + slot.failures }), {
        calls: 0,
        failures: 0,
      })
    },
    clear(): void {
      slots = []
    },
  }
}

/** A token bucket that holds one second's worth and lends one more: a call may have to wait for its turn. */
function createBudget(perSecondMax: number, clock: () => number) {
  let left = perSecondMax
  let filledAtMs = clock()
  return {
    /** Milliseconds until the turn of this call; undefined when that is more than a second away. */
    reserve(): number | undefined {
      if (perSecondMax === 0) return 0
      const nowMs = clock()
      left = Math.min(perSecondMax, left + (Math.max(nowMs - filledAtMs, 0) / 1_000) * perSecondMax)
      filledAtMs = nowMs
      if (left - 1 < -perSecondMax) return undefined
      left -= 1
      return left >= 0 ? 0 : (-left / perSecondMax) * 1_000
    },
  }
}
