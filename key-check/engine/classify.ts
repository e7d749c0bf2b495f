import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Phase } from '../calls.ts'
import { objectAt, ofBeginning } from './answers.ts'
import { abandoned } from './backpressure.ts'
import { http2Codes } from './carriers.ts'
import type { Limits } from './limits.ts'
import {
  type AbilityRead,
  type Classification,
  type FoundAbilities,
  type Probe,
  type ProviderAnswer,
  retry,
  type Undetermined,
  undetermined,
} from './provider.ts'
import type { UndeterminedReason } from './provider-facts.ts'

/** Why there is no answer. Contains no error object and no error text. */
export interface TransportFailure {
  readonly kind: 'failure'
  readonly reason: 'unreachable' | 'timeout' | 'unexpected_answer'
  /** The error code, for the log. */
  readonly code: string
  /** As in a `Call`. Both are absent if the request could not be made. */
  readonly host?: string
  readonly phase?: Phase | undefined
  /** A retry may help: the connection failed or broke. */
  readonly isTransient: boolean
  /** The host does not exist, and part of its name comes from the credential. This is not a failure of the provider. */
  readonly isUnknownHost?: true
}

/**
 * Decides what one answer proves. The rules for every provider are here; the provider's own `classify` has the rest. A 429 is a rate limit.
 * A 5xx, a redirect, an unexpected 2xx and an HTML page prove nothing. An unknown 401 or 403 is a refusal without a reason, which proves
 * nothing either: gateways send them too.
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

/** What the answer to a read of abilities shows. */
export interface Shown {
  readonly kind: 'abilities'
  readonly found: FoundAbilities
}

/** `busy`: the provider file says that the answer is a rate limit or a lockout. `nothing`: the answer shows nothing. */
type ReadFinding =
  | Shown
  | { readonly kind: 'busy'; readonly why: Undetermined }
  | { readonly kind: 'nothing'; readonly why: Classification }

interface ReadOptions {
  readonly limits: Limits
  /** Gets an answer with status 200 or 4xx. */
  readonly find: (answer: ProviderAnswer) => ReturnType<AbilityRead['find']>
}

/** Decides what the answer to a read of abilities shows. The rules of `classify` say why it shows nothing. */
export function classifyRead(
  probe: Probe,
  answer: ProviderAnswer | TransportFailure,
  { limits, find }: ReadOptions,
): ReadFinding {
  if (answer.kind === 'answer' && !isPage(probe, answer) && (answer.status === 200 || isClientError(answer.status))) {
    const found = find(answer)
    if (found && 'kind' in found) return { kind: 'busy', why: withRetryAfter(found, answer, limits) }
    if (found && answer.status !== 429)
      return { kind: 'abilities', found: withRefusedAddress(answer.isCutOff ? foundInBeginning(found) : found, answer) }
  }
  return { kind: 'nothing', why: classify(probe, answer, limits) }
}

/** The beginning of a list never shows that a zone is missing. */
function foundInBeginning({ hasZone, caveat: _, capabilities = {}, ...found }: FoundAbilities): FoundAbilities {
  return { ...found, ...(hasZone && { hasZone }), capabilities: ofBeginning(capabilities) }
}

/** Whether the provider failed, for the circuit breaker. An odd answer about one credential does not count. */
export function isProviderFailure(answer: ProviderAnswer | TransportFailure): boolean {
  return answer.kind === 'failure' ? answer.isUnknownHost !== true : answer.status >= 500
}

function classifyAnswer(probe: Probe, answer: ProviderAnswer): Classification {
  if (isPage(probe, answer)) return undetermined(answer.status === 429 ? 'rate_limited' : 'unexpected_answer')
  const classification = probe.classify(answer)
  // A lockout can have any status, so it comes before the rules about the status.
  if (isBusy(classification)) return classification
  if (answer.status === 429) return undetermined('rate_limited')
  if (!mayDecide(answer.status, probe, classification) || isContradiction(probe, answer, classification))
    return undetermined('unexpected_answer')
  if (classification.kind === 'valid' && answer.isCutOff)
    return { ...classification, capabilities: ofBeginning(classification.capabilities ?? {}) }
  const isUnexpected = classification.kind === 'undetermined' && classification.reason === 'unexpected_answer'
  return isUnexpected && isRefusal(answer) ? undetermined('refused') : classification
}

/** JSON or an empty body. Any other text may come from a proxy. */
function isRefusal({ status, body, text }: ProviderAnswer): boolean {
  return (status === 401 || status === 403) && (body !== undefined || text === '')
}

/** Only the success status and a 4xx prove anything. A 4xx never proves a credential valid without a caveat. */
function mayDecide(status: number, { successStatus = 200 }: Probe, classification: Classification): boolean {
  if (status === successStatus) return true
  const isPlainYes = classification.kind === 'valid' && classification.caveat === undefined
  return isClientError(status) && !isPlainYes
}

function isClientError(status: number): boolean {
  return status >= 400 && status < 500
}

const refusalStatuses = [400, 401, 403, 404]

/**
 * A success whose members would be a rejection with another status, or the reverse. Real answers have the members of one of the two, so this
 * one is a mistake, for example of a gateway that joins two answers.
 */
function isContradiction(probe: Probe, answer: ProviderAnswer, classification: Classification): boolean {
  const { successStatus = 200 } = probe
  const kind = kindOf(classification)
  const readAs = (status: number, read = answer) => kindOf(probe.classify({ ...read, status }))
  if (answer.status !== successStatus) return kind === 'invalid' && readAs(successStatus) === 'valid'
  const withoutBody = { ...answer, body: undefined, text: '' }
  // A rejection by the status alone says nothing about the members.
  const isRejection = (status: number) => readAs(status) === 'invalid' && readAs(status, withoutBody) !== 'invalid'
  return kind === 'valid' && refusalStatuses.some(isRejection)
}

function kindOf(classification: Classification): Classification['kind'] {
  return classification.kind === 'retry' ? classification.otherwise.kind : classification.kind
}

/** An HTML page from a firewall, a challenge, a captive portal or a gateway. It says nothing about the credential. */
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

/** A rate limit or a lockout. */
export function isBusy(classification: Classification | Shown): classification is Busy {
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

/** RFC 9110 §10.2.3: seconds or a date. Otherwise reads the reset headers, in seconds or as a Unix time. */
function readRetryAfter({ headers, nowMs }: ProviderAnswer): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Number(value)
  const dateMs = Date.parse(value)
  if (value !== '' && !Number.isNaN(dateMs)) return (dateMs - nowMs) / 1_000
  const reset = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? ''
  if (!/^\d{1,10}$/.test(reset)) return undefined
  return Number(reset) > 1_000_000_000 ? Number(reset) - nowMs / 1_000 : Number(reset)
}

/** Adds the address of this server to a refusal of it, if the provider's answer names one address and no other. */
export function withRefusedAddress<Found extends Classification | FoundAbilities>(
  found: Found,
  answer: ProviderAnswer | TransportFailure,
): Found {
  if (answer.kind === 'failure' || !isAddressRefusal(found)) return found
  const [refusedAddress, ...others] = addressesIn(answer.text)
  return refusedAddress === undefined || others.length > 0 ? found : { ...found, refusedAddress }
}

function isAddressRefusal(found: Classification | FoundAbilities): boolean {
  if ('caveat' in found) return found.caveat === 'ip_filtered'
  return 'reason' in found && found.reason === 'address_refused'
}

/** Each is parsed and written again, so no other text of the provider is passed on. */
function addressesIn(text: string): ReadonlySet<string> {
  const words = text.match(/[0-9A-Fa-f][0-9A-Fa-f:.]{2,44}/g) ?? []
  const addresses = words.map((word) => word.replace(/[.:]$/, '')).filter((word) => isIP(word) !== 0)
  // `process` turns ::ffff:10.0.0.1 into 10.0.0.1.
  return new Set(addresses.map((address) => ipaddr.process(address).toString()))
}

/** The failure behind an error code. */
export function explain(code: string, signal: AbortSignal): TransportFailure {
  // If abandoned, no caller sees the reason.
  if (signal.aborted) return failure('timeout', signal.reason === abandoned ? abandonedCode : 'DEADLINE')
  if (timeouts.has(code) || code === 'PROXY_TIMEOUT') return failure('timeout', code)
  if (transient.has(code.replace(/^PROXY_/, '')) || /^(?:ERR_HTTP2_|PROXY_5\d\d$)/.test(code))
    return { ...failure('unreachable', code), isTransient: true }
  const isAnswer = code.startsWith('HPE_') || (code.startsWith('UND_ERR_') && code !== 'UND_ERR_INVALID_ARG')
  return failure(isAnswer ? 'unexpected_answer' : 'unreachable', code)
}

/** The code of a call that no caller waits for any more. */
export const abandonedCode = 'ABANDONED'

export function failure(reason: TransportFailure['reason'], code: string): TransportFailure {
  return { kind: 'failure', reason, code, isTransient: false }
}

const timeouts: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  http2Codes.headersTimeout,
  http2Codes.bodyTimeout,
  'ETIMEDOUT',
])

/** llhttp's error code. */
export const brokenOff = 'HPE_INVALID_EOF_STATE'

/** Failed and broken connections, where a retry may help. */
const transient: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  http2Codes.cut,
  brokenOff,
])
