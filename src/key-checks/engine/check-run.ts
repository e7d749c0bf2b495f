import type { Brakes } from './circuit-breaker.ts'
import { isBusy, judge } from './classify.ts'
import type { Signal } from './control.ts'
import type { Credential } from './credential.ts'
import type { Limits } from './limits.ts'
import { pause } from './pause.ts'
import type { Probe } from './probe.ts'
import type { Capabilities, Judgement, Outcome, Step } from './provider.ts'
import { undetermined } from './provider.ts'
import { everybodyLeft } from './single-flight.ts'

/** What a chain of calls found out. */
export interface Finding {
  readonly outcome: Outcome
  readonly checkedAtMs: number
  /** Capabilities were asked for. They may still be missing: not to be found out is not the same as none. */
  readonly hasLooked: boolean
  readonly capabilities?: Capabilities
}

export interface ChainParts {
  readonly probe: Probe
  readonly brakes: Brakes
  readonly limits: Limits
  /** The wall clock, milliseconds since 1970. */
  readonly now: () => number
  readonly onCall: (call: CallReport) => void
}

/** For the log and the metrics: nothing of the credential but its type and its class of shape. */
export interface CallReport {
  readonly provider: string
  readonly keyType: string
  readonly shape: string
  readonly status?: number
  readonly errorCode?: string
  readonly judgement: string
  /** A rate limit or a lock-out: nothing more is sent for a while. */
  readonly isBusy: boolean
  readonly cfRay?: string
  readonly durationMs: number
}

/** A check is at most so many calls, and one more when a call deserved a second try. */
const callsMax = 3

/** Asks the provider, step by step, until the answer is known. Aborting the signal ends it as a timeout. */
export async function runChain(
  parts: ChainParts,
  credential: Credential,
  wantsCapabilities: boolean,
  signal: Signal,
): Promise<Finding> {
  const chain = { parts, credential, signal, callsLeft: callsMax, hasRetried: false }
  const outcome = await decide(chain, credential.provider.firstStep(credential))
  const found = { outcome, checkedAtMs: parts.now(), hasLooked: wantsCapabilities }
  if (!wantsCapabilities || outcome.kind !== 'valid' || chain.callsLeft === 0) return found
  const capabilities = await look(chain)
  return { ...found, ...(capabilities && { capabilities }) }
}

interface Chain {
  readonly parts: ChainParts
  readonly credential: Credential
  readonly signal: Signal
  callsLeft: number
  hasRetried: boolean
}

async function decide(chain: Chain, firstStep: Step): Promise<Outcome> {
  let step = firstStep
  while (chain.callsLeft > 0) {
    chain.callsLeft -= 1
    const judgement = await callWithRetry(chain, step)
    if (judgement.kind !== 'ask') return judgement
    step = judgement.step
  }
  // Only a provider file that asks for a fourth call comes here.
  return undetermined('unexpected_answer')
}

/** One call and, where the first answer justifies it, the one retry of the whole check. */
async function callWithRetry(chain: Chain, step: Step): Promise<Exclude<Judgement, { kind: 'again' }>> {
  const first = await call(chain, step)
  const isDoubtful = first.judgement.kind === 'again'
  if (chain.hasRetried || !(first.isRetryable || isDoubtful)) return settle(first.judgement, false)
  chain.hasRetried = true
  // Jitter, so that many checks that failed together do not come back together.
  const pauseMs = isDoubtful ? 300 + Math.random() * 200 : 100 + Math.random() * 200
  if (!(await pause(pauseMs, chain.signal)))
    return isDoubtful ? undetermined('timeout') : settle(first.judgement, false)
  const second = await call(chain, step)
  return settle(second.judgement, isDoubtful)
}

/** A doubtful no counts only when it was given twice: once proves nothing. */
function settle(judgement: Judgement, wasDoubtful: boolean): Exclude<Judgement, { kind: 'again' }> {
  if (judgement.kind !== 'again') return judgement
  return wasDoubtful ? judgement.otherwise : undetermined('unexpected_answer')
}

interface Called {
  readonly judgement: Judgement
  readonly isRetryable: boolean
}

async function call(chain: Chain, step: Step): Promise<Called> {
  const { parts, credential, signal } = chain
  const { probe, brakes, limits, now } = parts
  if (signal.isAborted) return { judgement: undetermined('timeout'), isRetryable: false }
  const admission = await brakes.admit(signal)
  if (admission.kind === 'held') return { judgement: admission.outcome, isRetryable: false }
  const startedAtMs = performance.now()
  const sent = await probe.send(step, credential, signal)
  const { judgement, isRetryable, isFailure } = judge(step, sent, credential, now(), limits)
  admission.done(isFailure ? (isGivenUp(signal) ? 'given_up' : 'failed') : 'answered')
  // What one credential used up is remembered by its digest, in `validate.ts`.
  if (isBusy(judgement) && judgement.reason !== 'key_rate_limited') brakes.quiet(judgement)
  parts.onCall({
    provider: credential.provider.id,
    keyType: credential.keyType,
    shape: credential.shape,
    judgement: nameOf(judgement),
    isBusy: isBusy(judgement),
    durationMs: Math.round(performance.now() - startedAtMs),
    ...(sent.kind === 'answer' ? { status: sent.status, ...rayOf(sent.headers) } : { errorCode: sent.code }),
  })
  return { judgement, isRetryable }
}

function isGivenUp(signal: Signal): boolean {
  return signal.isAborted && signal.reason === everybodyLeft
}

/** The id of a request at Cloudflare, safe to log and useful to its support. Anything else in the header is not. */
function rayOf(headers: Readonly<Record<string, string>>): { cfRay?: string } {
  const ray = headers['cf-ray'] ?? ''
  return /^[0-9a-f]{16}(?:-[A-Z]{3})?$/.test(ray) ? { cfRay: ray } : {}
}

function nameOf(judgement: Judgement): string {
  if (judgement.kind === 'valid') return judgement.caveat ?? 'valid'
  return judgement.kind === 'ask' || judgement.kind === 'again' ? judgement.kind : judgement.reason
}

/** One more read for what a valid credential can do. Any failure of it leaves the verdict as it is. */
async function look(chain: Chain): Promise<Capabilities | undefined> {
  const probe = chain.credential.provider.capabilities
  if (!probe) return undefined
  let capabilities: Capabilities | undefined
  const step: Step = {
    request: probe.request,
    classify(answer) {
      capabilities = probe.read(answer)
      return undetermined('unexpected_answer')
    },
  }
  await call(chain, step)
  return capabilities
}
