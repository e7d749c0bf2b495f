import type { AnsweredCall, Call } from '../calls.ts'
import type { CallResult } from './circuit-breaker.ts'
import { classify, isBusy, isProviderFailure, type TransportFailure } from './classify.ts'
import type { Credential } from './credential.ts'
import type { Limits } from './limits.ts'
import { pause } from './pause.ts'
import {
  type Classification,
  type ClockSkew,
  type FoundCapabilities,
  type NextProbe,
  type Outcome,
  type Probe,
  type ProviderAnswer,
  type Retry,
  undetermined,
} from './provider.ts'
import type { ProviderClient, SentRequest } from './provider-client.ts'
import { abandoned } from './single-flight.ts'

interface CheckRunParts {
  readonly client: ProviderClient
  readonly limits: Limits
  readonly onCall: (call: Call) => void
  /** Counts a call whose answer rejected the credential. Resolves to false if another failure would risk a lockout. */
  readonly onFailedAuthentication: () => Promise<boolean>
  readonly onAnswer?: ((call: AnsweredCall) => void) | undefined
}

/** Maximum number of calls in a check run, besides one retry. */
const probesMax = 3

interface Run extends CheckRunParts {
  readonly credential: Credential
  /** Aborts at the deadline, and when no caller is waiting any more. */
  readonly signal: AbortSignal
  probesLeft: number
  hasRetried: boolean
  /** Another failed authentication may lock this server out. */
  isLast: boolean
  /** Offset in milliseconds from the date of an answer that rejected the time of a signature. */
  clockOffsetMs?: number
}

/**
 * Sends one probe after another until the outcome is known. Aborts the controller at the deadline; an abort ends the check as a timeout.
 */
export async function runCheck(
  parts: CheckRunParts,
  credential: Credential,
  { wantsCapabilities, controller }: { wantsCapabilities: boolean; controller: AbortController },
): Promise<Outcome> {
  const timer = setTimeout(() => controller.abort(), parts.limits.deadlineMs)
  const run: Run = {
    ...parts,
    credential,
    signal: controller.signal,
    probesLeft: probesMax,
    hasRetried: false,
    isLast: false,
  }
  try {
    return await parts.client.run(async () => {
      const outcome = await findOutcome(run)
      if (!wantsCapabilities || outcome.kind !== 'valid' || outcome.caveat) return outcome
      if (run.probesLeft === 0) return { ...outcome, caveat: 'capabilities_unknown' }
      const { capabilities, caveat } = await findCapabilities(run)
      return { ...outcome, ...(caveat && { caveat }), ...(capabilities && { capabilities }) }
    })
  } finally {
    clearTimeout(timer)
  }
}

async function findOutcome(run: Run): Promise<Outcome> {
  let probe = run.credential.provider.firstProbe(run.credential)
  while (run.probesLeft > 0) {
    run.probesLeft -= 1
    const classification = await sendWithRetry(run, probe)
    if (classification.kind !== 'next_probe') return classification
    probe = classification.probe
  }
  // Unreachable unless a provider file requests a fourth call.
  return undetermined('unexpected_answer')
}

/** One call and, if the answer allows it, the only retry of the check run. */
async function sendWithRetry(run: Run, probe: Probe): Promise<Outcome | NextProbe> {
  const first = await sendInTime(run, probe)
  if (first.kind !== 'retry') return first
  const isUnconfirmed = first.cause === 'unconfirmed'
  if (run.hasRetried) return settle(first, false)
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
  const second = run.clockOffsetMs === undefined ? undefined : await send(run, probe)
  return second === undefined || second.kind === 'clock_skew' ? undetermined('clock_refused') : second
}

/** Maximum clock difference to a provider. A date further away is ignored. */
const clockOffsetMsMax = 24 * 3_600_000

function learnClock(run: Run, answer: ProviderAnswer): void {
  const offsetMs = Date.parse(answer.headers.date ?? '') - answer.nowMs
  if (Math.abs(offsetMs) <= clockOffsetMsMax) run.clockOffsetMs = offsetMs
}

/** An unconfirmed outcome counts only if the second answer agrees. */
function settle({ cause, otherwise }: Retry, wasUnconfirmed: boolean): Outcome | NextProbe {
  return cause === 'transient' || wasUnconfirmed ? otherwise : undetermined('unexpected_answer')
}

async function send(run: Run, probe: Probe): Promise<Classification> {
  const { client, credential, signal } = run
  if (signal.aborted) return undetermined('timeout')
  if (run.isLast) return undetermined('too_many_failures')
  const permit = await client.breaker.acquire(signal)
  if (permit.kind !== 'permit') return permit
  const startedAtMs = performance.now()
  let request: SentRequest | undefined
  const onRequest = (sent: SentRequest) => {
    request = sent
  }
  const answer = await client.send(probe, credential, { signal, clockOffsetMs: run.clockOffsetMs ?? 0, onRequest })
  permit.release(callResultOf(run, answer))
  const classification = classify(probe, answer, run.limits)
  if (classification.kind === 'clock_skew' && answer.kind === 'answer') learnClock(run, answer)
  if (isFailedAuthentication(answer, classification)) run.isLast = !(await run.onFailedAuthentication())
  // The verdict cache stores the cool-down of a single credential.
  if (isBusy(classification) && classification.reason !== 'key_rate_limited') client.breaker.coolDown(classification)
  if (request) run.onAnswer?.({ request, answer, kind: classification.kind, outcome: nameOf(classification) })
  run.onCall({
    provider: credential.provider.id,
    keyType: credential.keyType,
    shape: credential.shape,
    outcome: nameOf(classification),
    isBusy: isBusy(classification),
    durationMs: Math.round(performance.now() - startedAtMs),
    ...(answer.kind === 'answer' ? { status: answer.status, ...rayOf(answer.headers) } : failureOf(answer)),
  })
  return classification
}

function failureOf({ code, host, phase }: TransportFailure): Pick<Call, 'errorCode' | 'host' | 'phase'> {
  return { errorCode: code, ...(host !== undefined && { host }), ...(phase && { phase }) }
}

function callResultOf({ signal }: Run, answer: ProviderAnswer | TransportFailure): CallResult {
  if (!isProviderFailure(answer)) return 'success'
  return signal.reason === abandoned ? 'abandoned' : 'failure'
}

/** The provider may count a rejection even if it proves nothing. An answer that proves the credential genuine is no failure. */
function isFailedAuthentication(answer: ProviderAnswer | TransportFailure, classification: Classification): boolean {
  if (answer.kind === 'failure' || classification.kind === 'valid' || isBusy(classification)) return false
  return answer.status === 400 || answer.status === 401 || answer.status === 403 || classification.kind === 'invalid'
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

/**
 * One more read to find out what a valid credential without a caveat can do. A failed read becomes a caveat: a limit of the credential may
 * have caused it.
 */
async function findCapabilities(run: Run): Promise<FoundCapabilities> {
  const { capabilities: reader } = run.credential.provider
  let found: FoundCapabilities = { caveat: 'capabilities_unknown' }
  if (!reader) return found
  await send(run, {
    request: reader.request,
    classify(answer) {
      found = reader.read(answer) ?? found
      return undetermined('unexpected_answer')
    },
  })
  return found
}
