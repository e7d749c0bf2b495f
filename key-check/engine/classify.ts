import { objectAt } from './answer-body.ts'
import type { Limits } from './limits.ts'
import type { Classification, Probe, ProviderAnswer, Undetermined, UndeterminedReason } from './provider.ts'
import { retry, undetermined } from './provider.ts'

/** Why there is no answer. It holds no error object and no text of one. */
export interface TransportFailure {
  readonly kind: 'failure'
  readonly reason: 'unreachable' | 'timeout' | 'unexpected_answer'
  /** The code of the error, for the log. */
  readonly code: string
  /** One more try may help: no connection, or a broken one. */
  readonly isTransient: boolean
  /** No such host, where a part of the credential makes a label of it: that is no failure of the provider. */
  readonly isUnknownHost?: true
}

/**
 * What one call proves. What holds for every provider stands here, the rest in the provider's own `classify`: a 429 is a rate
 * limit; a 5xx, a redirect, an unexpected 2xx and a page of HTML prove nothing, whatever else they say; a 401 or 403 of no known form is a
 * refusal without a reason, which proves nothing either: any gateway answers so, and to more than wrong credentials.
 */
export function classify(probe: Probe, answer: ProviderAnswer | TransportFailure, limits: Limits): Classification {
  if (answer.kind === 'failure') {
    const outcome = undetermined(answer.reason)
    return answer.isTransient ? retry(outcome, 'transient') : outcome
  }
  const classification = classifyAnswer(probe, answer)
  if (isBusy(classification)) return withRetryAfter(classification, answer, limits)
  return isGatewayError(answer.status) ? retry(undetermined('unexpected_answer'), 'transient') : classification
}

/** The provider's side failed (for the circuit breaker); an odd answer about one credential does not count. */
export function isProviderFailure(answer: ProviderAnswer | TransportFailure): boolean {
  return answer.kind === 'failure' ? answer.isUnknownHost !== true : answer.status >= 500
}

function classifyAnswer(probe: Probe, answer: ProviderAnswer): Classification {
  if (isPage(probe, answer)) return undetermined(answer.status === 429 ? 'rate_limited' : 'unexpected_answer')
  const classification = probe.classify(answer)
  // A lock-out is one whatever its status, so it goes before the rules about the status.
  if (isBusy(classification)) return classification
  if (answer.status === 429) return undetermined('rate_limited')
  if (!mayDecide(answer.status, probe, classification)) return undetermined('unexpected_answer')
  const isUnexpected = classification.kind === 'undetermined' && classification.reason === 'unexpected_answer'
  return isUnexpected && isRefusal(answer) ? undetermined('refused') : classification
}

/** JSON or nothing at all: another text may come from a machine on the way. */
function isRefusal({ status, body, text }: ProviderAnswer): boolean {
  return (status === 401 || status === 403) && (body !== undefined || text === '')
}

/** Only the success status and a 4xx decide anything. A 4xx never proves a credential valid without a caveat. */
function mayDecide(status: number, { successStatus = 200 }: Probe, classification: Classification): boolean {
  if (status === successStatus) return true
  const isPlainYes = classification.kind === 'valid' && classification.caveat === undefined
  return status >= 400 && status < 500 && !isPlainYes
}

/** A page made for people: a firewall, a challenge, a captive proxy, a gateway. It says nothing of the credential. */
function isPage({ answersXml }: Probe, { headers, text, body }: ProviderAnswer): boolean {
  const isReadXml = answersXml === true && objectAt(body, 'html') === undefined && body !== undefined
  const isHtml =
    /^(?:text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '') || (/^\s*</.test(text) && !isReadXml)
  return isHtml || headers['cf-mitigated'] !== undefined
}

function isGatewayError(status: number): boolean {
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 530)
}

interface Busy extends Undetermined {
  readonly reason: 'rate_limited' | 'key_rate_limited' | 'locked_out'
}

/** A rate limit or a lock-out. */
export function isBusy(classification: Classification): classification is Busy {
  return classification.kind === 'undetermined' && busyReasons.has(classification.reason)
}

const busyReasons: ReadonlySet<string> = new Set<UndeterminedReason>(['rate_limited', 'key_rate_limited', 'locked_out'])

function withRetryAfter(outcome: Undetermined, answer: ProviderAnswer, limits: Limits): Undetermined {
  const seconds =
    outcome.retryAfterSeconds ??
    readRetryAfter(answer) ??
    (outcome.reason === 'locked_out' ? limits.retryAfterSecondsMax : 60)
  return undetermined(outcome.reason, Math.min(Math.max(Math.ceil(seconds), 1), limits.retryAfterSecondsMax))
}

/** RFC 9110 §10.2.3: seconds or a date. Providers without it name the reset, in seconds or as an epoch. */
function readRetryAfter({ headers, nowMs }: ProviderAnswer): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Number(value)
  const dateMs = Date.parse(value)
  if (value !== '' && !Number.isNaN(dateMs)) return (dateMs - nowMs) / 1_000
  const reset = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? ''
  if (!/^\d{1,10}$/.test(reset)) return undefined
  return Number(reset) > 1_000_000_000 ? Number(reset) - nowMs / 1_000 : Number(reset)
}
