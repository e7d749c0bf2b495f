import type { AnsweredCall, Call } from '../calls.ts'
import type { FailureCounts } from '../failure-counts.ts'
import { abandoned, type CallResult, pause } from './backpressure.ts'
import {
  classify,
  isBusy,
  isProviderFailure,
  type Shown,
  type TransportFailure,
  withRefusedAddress,
} from './classify.ts'
import { type Credential, partDigestOf } from './credential.ts'
import type { Limits } from './limits.ts'
import {
  type Classification,
  type ClockSkew,
  type NextProbe,
  type Outcome,
  type Probe,
  type ProviderAnswer,
  type Retry,
  type Undetermined,
  undetermined,
} from './provider.ts'
import type { ProviderClient, Sent } from './provider-client.ts'
import type { RivalSecretsFacts } from './provider-facts.ts'

/** Maximum number of calls in a check run, whatever they are for. */
const callsMax = 4

export interface CheckRunParts {
  readonly client: ProviderClient
  readonly limits: Limits
  readonly onCall: (call: Call) => void
  /** Counts a call whose answer rejected the credential. Resolves to false if another failure would risk a lockout. */
  readonly onFailedAuthentication: () => Promise<boolean>
  readonly onAnswer?: ((call: AnsweredCall) => void) | undefined
  readonly counts: Pick<FailureCounts, 'take' | 'remember'>
  readonly digestKey: Buffer
  /** The wall clock, milliseconds since 1970. */
  readonly now: () => number
}

export interface Run extends CheckRunParts {
  readonly credential: Credential
  /** A keyed hash of the credential. */
  readonly digest: string
  /** Aborts at the deadline, and when no caller is waiting any more. */
  readonly signal: AbortSignal
  readonly deadline: Deadline
  callsLeft: number
  hasRetried: boolean
  /** Another failed authentication may lock this server out. */
  isLast: boolean
  /** Offset in milliseconds from the date of an answer that rejected the time of a signature. */
  clockOffsetMs?: number
  /** The last answer of the calls that decide. */
  decided?: ProviderAnswer
}

export function startRun(
  parts: CheckRunParts,
  { credential, digest }: Pick<Run, 'credential' | 'digest'>,
  controller: AbortController,
): Run {
  const deadline = startDeadline(parts.limits.deadlineMs, controller)
  const { signal } = controller
  return { ...parts, credential, digest, signal, deadline, callsLeft: callsMax, hasRetried: false, isLast: false }
}

interface Deadline {
  leftMs(): number
  /** Moves the deadline, so that at least these milliseconds are left. */
  leave(ms: number): void
  end(): void
}

/** Aborts the controller at the deadline. */
function startDeadline(ms: number, controller: AbortController): Deadline {
  const start = (ms: number) => ({ atMs: performance.now() + ms, timer: setTimeout(() => controller.abort(), ms) })
  let current = start(ms)
  const leftMs = () => current.atMs - performance.now()
  return {
    leftMs,
    leave(ms) {
      if (leftMs() >= ms) return
      clearTimeout(current.timer)
      current = start(ms)
    },
    end: () => clearTimeout(current.timer),
  }
}

/** Sends one probe after another until the outcome is known. */
export async function findOutcome(run: Run): Promise<Outcome> {
  return afterRivals(run, await outcomeOfProbes(run))
}

async function outcomeOfProbes(run: Run): Promise<Outcome> {
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
  const first = await decide(run, probe)
  if (first.kind !== 'clock_skew') return first
  const canRepeat = run.clockOffsetMs !== undefined && run.callsLeft > 0
  const second = canRepeat ? await decide(run, probe) : first
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

/** One call that decides. */
async function decide(run: Run, probe: Probe): Promise<Classification> {
  const made = await makeCall(run, probe, (answer) => callResultOf(run, answer))
  if (made.kind === 'undetermined') return made
  const { answer } = made
  const found = withRefusedAddress(classify(probe, answer, run.limits), answer)
  if (answer.kind === 'answer') run.decided = answer
  if (answer.kind === 'answer' && found.kind === 'clock_skew') learnClock(run, answer)
  await countRejection(run, answer, found)
  coolDown(run, found)
  report(run, made, found)
  return found
}

function callResultOf({ signal }: Run, answer: ProviderAnswer | TransportFailure): CallResult {
  if (!isProviderFailure(answer)) return 'success'
  return signal.reason === abandoned ? 'uncounted' : 'failure'
}

/** Maximum clock difference to a provider. A date further away is ignored. */
const clockOffsetMsMax = 24 * 3_600_000

function learnClock(run: Run, answer: ProviderAnswer): void {
  const offsetMs = Date.parse(answer.headers.date ?? '') - answer.nowMs
  if (Math.abs(offsetMs) <= clockOffsetMsMax) run.clockOffsetMs = offsetMs
}

export interface MadeCall extends Sent {
  readonly kind: 'made'
  readonly startedAtMs: number
}

/** Makes one call. Returns the reason if it must not be made. `resultOf` says what the answer means to the circuit breaker. */
export async function makeCall(
  run: Run,
  probe: Probe,
  resultOf: (answer: MadeCall['answer']) => CallResult,
): Promise<MadeCall | Undetermined> {
  const { client, credential, signal, clockOffsetMs = 0 } = run
  if (signal.aborted) return undetermined('timeout')
  if (run.isLast) return undetermined('too_many_failures')
  const permit = await client.breaker.acquire(signal)
  if (permit.kind === 'undetermined') return permit
  run.callsLeft -= 1
  const startedAtMs = performance.now()
  const sent = await client.send(probe, credential, { signal, clockOffsetMs })
  permit.release(resultOf(sent.answer))
  return { ...sent, kind: 'made', startedAtMs }
}

/** The provider may count a rejection even if it proves nothing. An answer that proves the credential genuine is no failure. */
export async function countRejection(run: Run, answer: MadeCall['answer'], found: Classification): Promise<void> {
  if (answer.kind === 'failure' || found.kind === 'valid' || isBusy(found)) return
  const isRejection = [400, 401, 403].includes(answer.status) || found.kind === 'invalid'
  if (isRejection) run.isLast = !(await run.onFailedAuthentication())
}

/** The verdict cache stores the cool-down of a single credential. */
export function coolDown({ client }: Run, found: Classification): void {
  if (isBusy(found) && found.reason !== 'key_rate_limited') client.breaker.coolDown(found)
}

/** Reports a call to `onCall` and `onAnswer`. */
export function report(run: Run, { request, answer, startedAtMs }: MadeCall, found: Classification | Shown): void {
  const { credential, onAnswer, onCall } = run
  const outcome = nameOf(found)
  if (request) onAnswer?.({ request, answer, kind: found.kind, outcome })
  onCall({
    provider: credential.provider.id,
    keyType: credential.keyType,
    shape: credential.shape,
    outcome,
    isBusy: isBusy(found),
    ...refusedAddressOf(found.kind === 'abilities' ? found.found : found),
    durationMs: Math.round(performance.now() - startedAtMs),
    ...(answer.kind === 'answer' ? { status: answer.status, ...rayOf(answer.headers) } : failureOf(answer)),
  })
}

function nameOf(found: Classification | Shown): string {
  if (found.kind === 'valid') return found.caveat ?? 'valid'
  if (found.kind === 'invalid' || found.kind === 'undetermined') return found.reason
  return found.kind === 'retry' && found.cause === 'transient' ? nameOf(found.otherwise) : found.kind
}

function refusedAddressOf(found: object): Pick<Call, 'refusedAddress'> {
  const { refusedAddress } = 'refusedAddress' in found ? found : {}
  return typeof refusedAddress === 'string' ? { refusedAddress } : {}
}

/** Cloudflare's request id, which is safe to log and useful to its support. Any other header value is dropped. */
function rayOf(headers: Readonly<Record<string, string>>): { cfRay?: string } {
  const ray = headers['cf-ray'] ?? ''
  return /^[0-9a-f]{16}(?:-[A-Z]{3})?$/.test(ray) ? { cfRay: ray } : {}
}

function failureOf({ code, host, phase }: TransportFailure): Pick<Call, 'errorCode' | 'host' | 'phase'> {
  return { errorCode: code, ...(host !== undefined && { host }), ...(phase && { phase }) }
}

/**
 * If another secret of the same ID was rejected just before, a rejection proves nothing until the provider has forgotten that one. Then the
 * check asks once more, with a later deadline.
 */
async function afterRivals(run: Run, outcome: Outcome): Promise<Outcome> {
  const { credential, limits, now } = run
  const rival = credential.provider.rivalSecrets
  if (!rival || outcome.kind !== 'invalid' || outcome.reason !== 'wrong_part') return outcome
  const isRecent = (ms: number | undefined) => ms !== undefined && ms + rival.afterMs > now()
  const rejectedMs = await lastRejectedMs(run, rival)
  let judged: Outcome = outcome
  if (rejectedMs !== undefined) {
    const waitMs = Math.max(0, rejectedMs + rival.afterMs - now())
    run.deadline.leave(waitMs + limits.rivalSecretMs)
    if (!(await pause(waitMs, run.signal))) return undetermined('timeout')
    judged = await outcomeOfProbes(run)
    // A third secret came between.
    if (judged.kind === 'invalid' && isRecent(await lastRejectedMs(run, rival))) return undetermined('refused')
  }
  if (judged.kind === 'invalid') await rejectSecret(run, rival)
  return judged
}

/** When another secret of this ID was last rejected, milliseconds since 1970. Undefined if that does not matter any more. */
async function lastRejectedMs(run: Run, { part }: RivalSecretsFacts): Promise<number | undefined> {
  const { counts, credential, digest, digestKey } = run
  const idDigest = partDigestOf(credential, part, digestKey)
  const { known } = await counts.take({ digest: idDigest, shares: [], provider: credential.provider.id })
  return known && known.askedBy !== digest ? known.checkedAtMs : undefined
}

/** Stores in the shared store of failed keys that this secret was rejected now. */
async function rejectSecret(run: Run, { part, afterMs }: RivalSecretsFacts): Promise<void> {
  const { counts, credential, digest: askedBy, digestKey, now } = run
  const checkedAtMs = now()
  // Twice the time, because the clocks of nodes differ.
  const endsAtMs = checkedAtMs + 2 * afterMs
  await counts.remember({
    digest: partDigestOf(credential, part, digestKey),
    askedBy,
    outcome: {},
    checkedAtMs,
    endsAtMs,
  })
}
