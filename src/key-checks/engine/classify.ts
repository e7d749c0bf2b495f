import type { Limits } from './limits.ts'
import type { Sent } from './probe.ts'
import type { About, Answer, Judgement, Outcome, Step, Undetermined, UndeterminedReason } from './provider.ts'
import { undetermined } from './provider.ts'

/** What one call proved, and what else the engine has to know of it. */
export interface Judged {
  readonly judgement: Judgement
  /** One more try may help: a broken connection or a gateway's error, never a refusal. */
  readonly isRetryable: boolean
  /** The call failed at the provider's side (for the breaker); an odd answer about one credential does not count. */
  readonly isFailure: boolean
}

/**
 * Judges one call. What holds for every provider stands here, the rest in the provider's `classify`:
 * a 429 is a rate limit, a 5xx, a redirect and a page of HTML prove nothing, whatever else they say.
 */
export function judge(step: Step, sent: Sent, about: About, nowMs: number, limits: Limits): Judged {
  if (sent.kind === 'failure')
    return { judgement: undetermined(sent.reason), isRetryable: sent.isRetryable, isFailure: true }
  const { status, headers, text } = sent
  const { keyType, shape } = about
  const answer: Answer = { keyType, shape, status, headers, text, body: parse(text), nowMs }
  const judgement = judgeAnswer(step, answer)
  return {
    judgement: isBusy(judgement) ? withRetryAfter(judgement, headers, nowMs, limits) : judgement,
    isRetryable: isGatewayError(status) && !isBusy(judgement),
    isFailure: status >= 500,
  }
}

function judgeAnswer(step: Step, answer: Answer): Judgement {
  if (isPage(answer)) return undetermined(answer.status === 429 ? 'rate_limited' : 'unexpected_answer')
  const judgement = step.classify(answer)
  // A lock-out is one whatever its status, so the classifier is heard first on that.
  if (isBusy(judgement)) return judgement
  if (answer.status === 429) return undetermined('rate_limited')
  const isVerdict = (answer.status >= 200 && answer.status < 300) || (answer.status >= 400 && answer.status < 500)
  return isVerdict ? judgement : undetermined('unexpected_answer')
}

/** A page made for people: a firewall, a challenge, a captive proxy, a gateway. It says nothing of the credential. */
function isPage({ headers, text }: Answer): boolean {
  const isHtml = /^(?:text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '') || /^\s*</.test(text)
  return isHtml || headers['cf-mitigated'] !== undefined
}

/** undefined when it is not JSON. A byte order mark is allowed (RFC 8259 §8.1 lets a reader ignore it). */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    return undefined
  }
}

function isGatewayError(status: number): boolean {
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 530)
}

export function isBusy(judgement: Judgement): judgement is Undetermined {
  return judgement.kind === 'undetermined' && busyReasons.has(judgement.reason)
}

const busyReasons: ReadonlySet<string> = new Set<UndeterminedReason>(['rate_limited', 'key_rate_limited', 'locked_out'])

function withRetryAfter(outcome: Undetermined, headers: Answer['headers'], nowMs: number, limits: Limits): Outcome {
  const asked = outcome.retryAfterSeconds ?? readRetryAfter(headers, nowMs)
  const seconds = asked ?? (outcome.reason === 'locked_out' ? limits.retryAfterSecondsMax : 60)
  return undetermined(outcome.reason, Math.min(Math.max(Math.ceil(seconds), 1), limits.retryAfterSecondsMax))
}

/** RFC 9110 §10.2.3: seconds or a date. Providers without it name the reset, in seconds or as an epoch. */
function readRetryAfter(headers: Answer['headers'], nowMs: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Number(value)
  const dateMs = Date.parse(value)
  if (value !== '' && !Number.isNaN(dateMs)) return (dateMs - nowMs) / 1_000
  const reset = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? ''
  if (!/^\d{1,10}$/.test(reset)) return undefined
  return Number(reset) > 1_000_000_000 ? Number(reset) - nowMs / 1_000 : Number(reset)
}
