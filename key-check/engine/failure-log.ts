import type { KeyChecksOptions } from '../api.ts'
import type { Call } from '../calls.ts'

/** Minimum time between two lines about the same failure. */
const quietMs = 60_000

/**
 * Logs failed calls and refusals of this server's address. The first of a kind is logged immediately, later ones at most once a minute, with
 * the number of calls since the last line. A kind is one error code in one phase at one host, or one address.
 */
export function createFailureLog(log: NonNullable<KeyChecksOptions['log']>, clock: () => number): (call: Call) => void {
  const kinds = new Map<string, { readonly quietUntilMs: number; failures: number }>()
  return (call) => {
    const kind = JSON.stringify([call.provider, call.host, call.phase, call.errorCode, call.refusedAddress])
    const known = kinds.get(kind)
    const failures = (known?.failures ?? 0) + 1
    if (known && clock() < known.quietUntilMs) {
      known.failures = failures
      return
    }
    kinds.set(kind, { quietUntilMs: clock() + quietMs, failures: 0 })
    const isRefusal = call.refusedAddress !== undefined
    log.warn({ call, failures }, isRefusal ? 'provider refuses the address of this service' : 'provider call failed')
  }
}
