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
import { type CheckRunParts, type Run, send, startRun, type Wanted } from './run.ts'

/**
 * Sends one probe after another until the outcome is known, then reads abilities. Aborts the controller at the deadline; an abort before the
 * outcome ends the check as a timeout.
 */
export async function runCheck(
  parts: CheckRunParts,
  credential: Credential,
  { wanted, controller }: { wanted: Wanted; controller: AbortController },
): Promise<Outcome> {
  const run = startRun(parts, credential, controller.signal)
  const abort = () => controller.abort()
  let timer = setTimeout(abort, parts.limits.deadlineMs)
  const leave = (ms: number) => {
    const untilMs = Math.max(run.deadlineAtMs, performance.now() + ms)
    run.deadlineAtMs = untilMs
    clearTimeout(timer)
    timer = setTimeout(abort, untilMs - performance.now())
  }
  try {
    return await parts.client.run(async () => {
      const outcome = await afterRivals(run, await findOutcome(run), leave)
      return wanted.capabilities && outcome.kind === 'valid' ? withAbilities(run, outcome, wanted) : outcome
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * If another secret of the same ID was rejected just before, a rejection proves nothing until the provider has forgotten that one. Then the
 * check asks once more, with a later deadline. `leave` moves the deadline, so that at least these milliseconds are left.
 */
async function afterRivals(run: Run, outcome: Outcome, leave: (ms: number) => void): Promise<Outcome> {
  const { credential, rivalSecrets, limits, now } = run
  const rival = credential.provider.rivalSecrets
  if (!rival || outcome.kind !== 'invalid' || outcome.reason !== 'wrong_part') return outcome
  const isRecent = (ms: number | undefined) => ms !== undefined && ms + rival.afterMs > now()
  const rejectedMs = await rivalSecrets.lastRejectedMs(credential)
  let judged: Outcome = outcome
  if (rejectedMs !== undefined) {
    const waitMs = Math.max(0, rejectedMs + rival.afterMs - now())
    leave(waitMs + limits.rivalSecretMs)
    if (!(await pause(waitMs, run.signal))) return undetermined('timeout')
    judged = await findOutcome(run)
    // A third secret came between.
    if (judged.kind === 'invalid' && isRecent(await rivalSecrets.lastRejectedMs(credential)))
      return undetermined('refused')
  }
  if (judged.kind === 'invalid') await rivalSecrets.reject(credential)
  return judged
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
  if (!(await pause(pauseMsBefore(first, run), run.signal)))
    return isUnconfirmed ? undetermined('timeout') : first.otherwise
  const second = await sendInTime(run, probe)
  return second.kind === 'retry' ? marked(settle(second, isUnconfirmed), run) : second
}

function pauseMsBefore({ cause }: Retry, { credential, limits }: Run): number {
  const { newKeys } = credential.provider
  // Jitter, so that checks that failed together do not retry together.
  const usualMs = (cause === 'unconfirmed' ? 300 : 100) + Math.random() * 200
  return Math.min(cause === 'unconfirmed' && newKeys ? newKeys.settlesAfterMs : usualMs, limits.pauseMsMax)
}

/** Corrects a rejected clock once. A second rejection has another cause, and still says nothing about the credential. */
async function sendInTime(run: Run, probe: Probe): Promise<Exclude<Classification, ClockSkew>> {
  const first = await send(run, probe)
  if (first.kind !== 'clock_skew') return first
  const canRepeat = run.clockOffsetMs !== undefined && run.callsLeft > 0
  const second = canRepeat ? await send(run, probe) : first
  return second.kind === 'clock_skew' ? undetermined('clock_refused') : second
}

/** A confirmed rejection may still be about a new key. */
function marked(settled: Outcome | NextProbe, { credential }: Run): Outcome | NextProbe {
  return settled.kind === 'invalid' && credential.provider.newKeys ? { ...settled, mayBeNew: true } : settled
}

/** An unconfirmed outcome counts only if the second answer agrees. */
function settle({ cause, otherwise }: Retry, wasUnconfirmed: boolean): Outcome | NextProbe {
  return cause === 'transient' || wasUnconfirmed ? otherwise : undetermined('unexpected_answer')
}
