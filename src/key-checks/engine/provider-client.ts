import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import type { CallReport, Finding } from './check-run.ts'
import { runChain } from './check-run.ts'
import { createBrakes } from './circuit-breaker.ts'
import type { Control } from './control.ts'
import type { Credential } from './credential.ts'
import type { Limits } from './limits.ts'
import { openProbe } from './probe.ts'
import type { Provider, Undetermined } from './provider.ts'
import { undetermined } from './provider.ts'

/** Everything that one provider has of its own: connections, places, brakes. One that hangs takes none of another's. */
export interface Desk {
  /** Aborts the control at the deadline; whoever else aborts it ends the chain, too. */
  ask(credential: Credential, wantsCapabilities: boolean, control: Control): Promise<Finding>
  /** A sibling was asked for quiet: nothing is sent from here either. */
  quiet(outcome: Undetermined): void
  close(): Promise<void>
}

export interface DeskOptions {
  readonly provider: Provider
  /** The address the operator configured in place of the built-in one. */
  readonly baseUrl: string | undefined
  readonly limits: Limits
  readonly now: () => number
  readonly clock: () => number
  readonly onCall: (call: CallReport) => void
  readonly onQuiet: (outcome: Undetermined) => void
}

export function openDesk({ provider, baseUrl, limits, now, clock, onCall, onQuiet }: DeskOptions): Desk {
  const isConfigured = baseUrl !== undefined
  const probe = openProbe({ baseUrl: baseUrl ?? provider.baseUrl, isConfigured, limits })
  const callsPerSecondMax = limits.callsPerSecondMax ?? provider.callsPerSecondMax ?? 50
  const brakes = createBrakes(limits, callsPerSecondMax / limits.workers, clock)
  const quiet = (outcome: Undetermined) => {
    brakes.quiet(outcome)
    onQuiet(outcome)
  }
  const places = bulkhead(limits.checksAtOnceMax, limits.checksWaitingMax)
  const parts = { probe, brakes: { ...brakes, quiet }, limits, now, onCall }

  async function ask(credential: Credential, wantsCapabilities: boolean, control: Control): Promise<Finding> {
    const timer = setTimeout(() => control.abort('deadline'), limits.deadlineMs)
    try {
      // cockatiel 3.2.1 is not given the signal: a waiting task that was aborted would not free the place behind it.
      return await places.execute(() => runChain(parts, credential, wantsCapabilities, control.signal))
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error
      return { outcome: undetermined('overloaded', 1), checkedAtMs: now(), hasLooked: false }
    } finally {
      clearTimeout(timer)
    }
  }

  return { ask, quiet: brakes.quiet, close: () => probe.close() }
}
