import { withAbilities } from './ability-reads.ts'
import type { Credential } from './credential.ts'
import { pause } from './pause.ts'
import {
  type Classification,
  type ClockSkew,
  type NextProbe,
  type Outcome,
  type Probe,
  type Retry,
  undetermined,
} from './provider.ts'
import { type CheckRunParts, type Run, send, startRun } from './run.ts'

/** What a check finds out besides the verdict. */
export interface Wanted {
  readonly capabilities: boolean
  /** The zone to look up by name, or ''. */
  readonly zone: string
}

/**
 * Sends one probe after another until the outcome is known, then reads abilities. Aborts the controller at the deadline; an abort before the
 * outcome ends the check as a timeout.
 */
export async function runCheck(
  parts: CheckRunParts,
  credential: Credential,
  { wanted, controller }: { wanted: Wanted; controller: AbortController },
): Promise<Outcome> {
  const timer = setTimeout(() => controller.abort(), parts.limits.deadlineMs)
  const run = startRun(parts, credential, controller.signal)
  try {
    return await parts.client.run(async () => {
      const outcome = await findOutcome(run)
      return wanted.capabilities && outcome.kind === 'valid' ? withAbilities(run, outcome, wanted.zone) : outcome
    })
  } finally {
    clearTimeout(timer)
  }
}

async function findOutcome(run: Run): Promise<Outcome> {
  let probe = run.credential.provider.firstProbe(run.credential)
  while (run.callsLeft > 0) {
    const classification = await sendWithRetry(run, probe)
    if (classification.kind !== 'next_probe') return classification
    probe = classification.probe
  }
  return undetermined('unexpected_answer')
}

/** One call and, if the answer allows it, the only retry of the check run. */
async function sendWithRetry(run: Run, probe: Probe): Promise<Outcome | NextProbe> {
  const first = await sendInTime(run, probe)
  if (first.kind !== 'retry') return first
  const isUnconfirmed = first.cause === 'unconfirmed'
  if (run.hasRetried || run.callsLeft === 0) return settle(first, false)
  run.hasRetried = true
  // Jitter, so that checks that failed together do not retry together.
  const pauseMs = (isUnconfirmed ? 300 : 100) + Math.random() * 200
  if (!(await pause(pauseMs, run.signal))) return isUnconfirmed ? undetermined('timeout') : first.otherwise
  const second = await sendInTime(run, probe)
  return second.kind === 'retry' ? settle(second, isUnconfirmed) : second
}

/** Corrects a rejected clock once. A second rejection has another cause, and still says nothing about the credential. */
async function sendInTime(run: Run, probe: Probe): Promise<Exclude<Classification, ClockSkew>> {
  const first = await send(run, probe)
  if (first.kind !== 'clock_skew') return first
  const canRepeat = run.clockOffsetMs !== undefined && run.callsLeft > 0
  const second = canRepeat ? await send(run, probe) : first
  return second.kind === 'clock_skew' ? undetermined('clock_refused') : second
}

/** An unconfirmed outcome counts only if the second answer agrees. */
function settle({ cause, otherwise }: Retry, wasUnconfirmed: boolean): Outcome | NextProbe {
  return cause === 'transient' || wasUnconfirmed ? otherwise : undetermined('unexpected_answer')
}
