import type { AnsweredCall, Call } from '../calls.ts'
import type { FailureCounts } from '../failure-counts.ts'
import type { CallResult } from './circuit-breaker.ts'
import { classify, isBusy, isProviderFailure, type TransportFailure, withRefusedAddress } from './classify.ts'
import { type Credential, partDigestOf } from './credential.ts'
import type { Limits } from './limits.ts'
import {
  type Classification,
  type ClockSkew,
  type FoundAbilities,
  type NextProbe,
  type Outcome,
  type Probe,
  type Retry,
  type Undetermined,
  undetermined,
} from './provider.ts'
import type { ProviderClient, SentRequest } from './provider-client.ts'
import type { ProviderAnswer, RivalSecretsFacts } from './provider-facts.ts'
import { abandoned, pause } from './waiting.ts'

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
  /** By the clock of `performance.now()`. */
  deadlineAtMs: number
  callsLeft: number
  hasRetried: boolean
  /** Another failed authentication may lock this server out. */
  isLast: boolean
  /** Offset in milliseconds from the date of an answer that rejected the time of a signature. */
  clockOffsetMs?: number
  lastAnswer?: ProviderAnswer
}

export function startRun(parts: CheckRunParts, asked: Pick<Run, 'credential' | 'digest'>, signal: AbortSignal): Run {
  const { credential, digest } = asked
  const deadlineAtMs = performance.now() + parts.limits.deadlineMs
  return { ...parts, credential, digest, signal, deadlineAtMs, callsLeft: callsMax, hasRetried: false, isLast: false }
}

/** What a check finds out besides the verdict. */
export interface Wanted {
  readonly capabilities: boolean
  /** The zone to look up by name, or ''. */
  readonly zone: string
  /** Whether to send the write of `proof`. */
  readonly proof: boolean
}

/** What a read of abilities found in its answer. It decides nothing. */
export interface ReadResult {
  found?: FoundAbilities | undefined
  /** A rate limit or lockout that the answer names. */
  busy?: Undetermined | undefined
  /** The call was sent, whatever came of it. */
  isSent?: true
}

/**
 * Makes one call. A read of abilities may be limited or fail at another server of the provider, or for one customer only. So it starts a
 * cool-down only if the provider file says so, and does not count for the circuit breaker.
 */
export async function send(run: Run, probe: Probe, read?: ReadResult): Promise<Classification> {
  const { client, credential, signal } = run
  if (signal.aborted) return undetermined('timeout')
  if (run.isLast) return undetermined('too_many_failures')
  const permit = await client.breaker.acquire(signal)
  if (permit.kind !== 'permit') return permit
  run.callsLeft -= 1
  const startedAtMs = performance.now()
  let request: SentRequest | undefined
  const onRequest = (sent: SentRequest) => {
    request = sent
    if (read) read.isSent = true
  }
  const answer = await client.send(probe, credential, { signal, clockOffsetMs: run.clockOffsetMs ?? 0, onRequest })
  permit.release(read ? 'uncounted' : callResultOf(run, answer))
  const classification = withRefusedAddress(classify(probe, answer, run.limits), answer)
  if (answer.kind === 'answer') run.lastAnswer = answer
  if (classification.kind === 'clock_skew' && answer.kind === 'answer') learnClock(run, answer)
  const isShown = read?.found !== undefined
  if (!isShown && isFailedAuthentication(answer, classification)) run.isLast = !(await run.onFailedAuthentication())
  // The verdict cache stores the cool-down of a single credential.
  const mayCoolDown = read === undefined || read.busy !== undefined
  if (mayCoolDown && isBusy(classification) && classification.reason !== 'key_rate_limited')
    client.breaker.coolDown(classification)
  const outcome = isShown ? 'abilities' : nameOf(classification)
  if (request) run.onAnswer?.({ request, answer, kind: isShown ? 'abilities' : classification.kind, outcome })
  run.onCall({
    provider: credential.provider.id,
    keyType: credential.keyType,
    shape: credential.shape,
    outcome,
    isBusy: isBusy(classification),
    ...refusedAddressOf(read?.found ?? classification),
    durationMs: Math.round(performance.now() - startedAtMs),
    ...(answer.kind === 'answer' ? { status: answer.status, ...rayOf(answer.headers) } : failureOf(answer)),
  })
  return classification
}

/** Maximum clock difference to a provider. A date further away is ignored. */
const clockOffsetMsMax = 24 * 3_600_000

function learnClock(run: Run, answer: ProviderAnswer): void {
  const offsetMs = Date.parse(answer.headers.date ?? '') - answer.nowMs
  if (Math.abs(offsetMs) <= clockOffsetMsMax) run.clockOffsetMs = offsetMs
}

function failureOf({ code, host, phase }: TransportFailure): Pick<Call, 'errorCode' | 'host' | 'phase'> {
  return { errorCode: code, ...(host !== undefined && { host }), ...(phase && { phase }) }
}

function callResultOf({ signal }: Run, answer: ProviderAnswer | TransportFailure): CallResult {
  if (!isProviderFailure(answer)) return 'success'
  return signal.reason === abandoned ? 'uncounted' : 'failure'
}

/** The provider may count a rejection even if it proves nothing. An answer that proves the credential genuine is no failure. */
function isFailedAuthentication(answer: ProviderAnswer | TransportFailure, classification: Classification): boolean {
  if (answer.kind === 'failure' || classification.kind === 'valid' || isBusy(classification)) return false
  return answer.status === 400 || answer.status === 401 || answer.status === 403 || classification.kind === 'invalid'
}

function refusedAddressOf(found: Classification | FoundAbilities): Pick<Call, 'refusedAddress'> {
  const { refusedAddress } = 'refusedAddress' in found ? found : {}
  return refusedAddress === undefined ? {} : { refusedAddress }
}

/** Cloudflare's request id, which is safe to log and useful to its support. Any other header value is dropped. */
function rayOf(headers: Readonly<Record<string, string>>): { cfRay?: string } {
  const ray = headers['cf-ray'] ?? ''
  return /^[0-9a-f]{16}(?:-[A-Z]{3})?$/.test(ray) ? { cfRay: ray } : {}
}

function nameOf(classification: Classification): string {
  if (classification.kind === 'next_probe' || classification.kind === 'clock_skew') return classification.kind
  if (classification.kind === 'valid') return classification.caveat ?? 'valid'
  if (classification.kind !== 'retry') return classification.reason
  return classification.cause === 'transient' ? nameOf(classification.otherwise) : 'retry'
}

/** Sends one probe after another until the outcome is known. */
export async function findOutcome(run: Run): Promise<Outcome> {
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

/**
 * If another secret of the same ID was rejected just before, a rejection proves nothing until the provider has forgotten that one. Then the
 * check asks once more, with a later deadline. `leave` moves the deadline, so that at least these milliseconds are left.
 */
export async function afterRivals(run: Run, outcome: Outcome, leave: (ms: number) => void): Promise<Outcome> {
  const { credential, limits, now } = run
  const rival = credential.provider.rivalSecrets
  if (!rival || outcome.kind !== 'invalid' || outcome.reason !== 'wrong_part') return outcome
  const isRecent = (ms: number | undefined) => ms !== undefined && ms + rival.afterMs > now()
  const rejectedMs = await lastRejectedMs(run, rival)
  let judged: Outcome = outcome
  if (rejectedMs !== undefined) {
    const waitMs = Math.max(0, rejectedMs + rival.afterMs - now())
    leave(waitMs + limits.rivalSecretMs)
    if (!(await pause(waitMs, run.signal))) return undetermined('timeout')
    judged = await findOutcome(run)
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
