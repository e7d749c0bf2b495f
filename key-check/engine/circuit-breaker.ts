import type { Limits } from './limits.ts'
import { pause } from './pause.ts'
import type { Undetermined } from './provider.ts'
import { undetermined } from './provider.ts'

/**
 * Keeps the service from calling a provider that fails, limits or has locked it out. One per provider. A call needs a permit;
 * there is none during a cool-down that the provider asked for, while the circuit is open, and beyond the calls per second.
 */
export interface CircuitBreaker {
  /** Asked before every call: a permit, or the outcome of a call that is not made. May wait up to a second for its turn. */
  acquire(signal: AbortSignal): Promise<Permit | Undetermined>
  /** The provider asked for a cool-down: no permits until its `retryAfterSeconds` are over. */
  coolDown(outcome: Undetermined): void
}

export interface Permit {
  readonly kind: 'permit'
  release(result: CallResult): void
}

/** `abandoned`: given up on this side, which says nothing about the provider. */
export type CallResult = 'success' | 'failure' | 'abandoned'

/** `clock` counts milliseconds and is only compared with itself. `callsPerSecondMax` 0 means no throttle. */
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
      // The throttle comes last: a call that is refused anyway takes nothing from it.
      const refusedNow = refusal()
      if (refusedNow) return refusedNow
      const waitMs = throttle.reserve()
      if (waitMs === undefined) return refused('overloaded', 1_000)
      if (waitMs === 0) return circuit.enter()
      // A burst is smoothed rather than refused. A cool-down may have started meanwhile.
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
 * Closed → open when enough of the calls in the window failed; open → half-open after a while, when one probe call at a time
 * decides. Why it is our own: docs/decisions/key-validation.md.
 */
function createCircuit(limits: Limits, clock: () => number) {
  const window = createWindow(limits.breakerWindowMs, clock)
  let openUntilMs: number | undefined
  let isProbing = false
  // Counts the changes of state: a call that began in an earlier state comes back late and decides nothing.
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
    if (result === 'abandoned') return
    if (isHalfOpen) {
      change(result === 'failure' ? clock() + limits.breakerOpenMs : undefined)
      return
    }
    const { calls, failures } = window.add(result === 'failure')
    if (calls >= limits.breakerCallsMin && failures / calls >= limits.breakerFailureRatio)
      change(clock() + limits.breakerOpenMs)
  }

  return {
    /** Milliseconds until a call may be tried; 0 when it may now. */
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

/** Counts of the last `windowMs`, in ten slots: bounded memory at any rate of calls. */
function createWindow(windowMs: number, clock: () => number) {
  const slotMs = windowMs / 10
  let slots: ReadonlyMap<number, { calls: number; failures: number }> = new Map()
  return {
    add(isFailure: boolean): { calls: number; failures: number } {
      const number = Math.floor(clock() / slotMs)
      const { calls, failures } = slots.get(number) ?? { calls: 0, failures: 0 }
      const last = { calls: calls + 1, failures: failures + (isFailure ? 1 : 0) }
      slots = new Map([...slots].filter(([other]) => other > number - 10)).set(number, last)
      return [...slots.values()].reduce((sum, slot) => ({
        calls: sum.calls + slot.calls,
        failures: sum.failures + slot.failures,
      }))
    },
    clear(): void {
      slots = new Map()
    },
  }
}

/**
 * A token bucket: it holds the calls of one second, and at least one, because a provider may allow less than one call a second.
 * A call may borrow from the next second by waiting for its turn.
 */
function createThrottle(perSecondMax: number, clock: () => number) {
  const heldMax = Math.max(perSecondMax, 1)
  let left = heldMax
  let filledAtMs = clock()
  return {
    /** Milliseconds until the turn of this call; undefined when that is more than a second away. */
    reserve(): number | undefined {
      if (perSecondMax === 0) return 0
      const nowMs = clock()
      left = Math.min(heldMax, left + (Math.max(nowMs - filledAtMs, 0) / 1_000) * perSecondMax)
      filledAtMs = nowMs
      if (left - 1 < -perSecondMax) return undefined
      left -= 1
      return left >= 0 ? 0 : (-left / perSecondMax) * 1_000
    },
  }
}
