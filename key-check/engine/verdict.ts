import type { Purpose, Result, UndeterminedCode } from '../api.ts'
import type { Credential } from './credential.ts'
import type { Limits } from './limits.ts'
import { unusualPartOf } from './parts.ts'
import type { Outcome, Provider, Valid } from './provider.ts'
import { fitOf } from './purpose.ts'
import type { UndeterminedReason } from './reasons.ts'
import type { CachedOutcome } from './verdict-cache.ts'
import { messageCodeOf, wordingsFor } from './wording.ts'

export interface Found extends Pick<CachedOutcome, 'outcome' | 'checkedAtMs'> {
  readonly isCached: boolean
  /** This check, and no earlier one, sent the write of `proof`. */
  readonly isProofSent?: true
}

interface ResultOptions {
  readonly limits: Limits
  readonly purpose: Purpose | undefined
  readonly outgoingAddresses: readonly string[]
}

/** The outcome as a `Result` with its texts. */
export function resultOf(
  { outcome, checkedAtMs, isCached, isProofSent }: Found,
  credential: Credential,
  { limits, purpose, outgoingAddresses }: ResultOptions,
): Result {
  const { provider, keyType, notes, parts } = credential
  const info = provider.keyTypes[keyType]
  const isExpiringSoon = expiresBefore(outcome, checkedAtMs + limits.endingMs)
  const { label = 'key', advice } = info ?? {}
  const fit = purpose && fitOf(outcome, purpose, provider)
  const { title, permissions } = provider
  const unusualPart = outcome.kind === 'invalid' ? unusualPartOf(info?.parts ?? {}, parts) : undefined
  const shared = { provider: title, label, notes, permissions, unusualPart, outgoingAddresses }
  const wording = { ...shared, isExpiringSoon, advice, fit }
  const { message, warnings, advice: text } = wordingsFor(outcome, wording)
  if (outcome.kind === 'undetermined') {
    const { reason, retryAfterSeconds } = outcome
    const wait = retryAfterSeconds !== undefined && { retryAfterSeconds }
    return { outcome: 'undetermined', code: codeOf[reason], message, ...wait }
  }
  return {
    outcome: outcome.kind,
    message,
    ...(isProofSent && { isProofSent }),
    details: {
      provider: provider.id,
      code: messageCodeOf(outcome),
      credential: outcome.credential ?? keyType,
      ...instant('notBefore', outcome.notBefore),
      ...instant('expiresOn', outcome.expiresOn),
      warnings: [...warnings],
      ...(text !== undefined && { advice: { text, page: provider.smallerKeyPage ?? provider.keyPage } }),
      ...(outcome.kind === 'valid' && capabilitiesOf(outcome, provider)),
      ...fit,
      checkedAt: new Date(checkedAtMs).toISOString(),
      cached: isCached,
    },
  }
}

/** With the provider's names of what the key lacks, or the reason why nothing is known. */
function capabilitiesOf({ capabilities = {} }: Valid, { abilities, permissions = {} }: Provider) {
  const isUnknown = Object.keys(capabilities).length === 0
  if (isUnknown && typeof abilities === 'object' && 'unknown' in abilities)
    return { capabilities: { unknown: abilities.unknown } }
  if (isUnknown) return {}
  const named = (capabilities.lacks ?? []).flatMap((ability) => permissions[ability] ?? [])
  const missing = [...new Set([...(capabilities.missing ?? []), ...named])]
  return { capabilities: { ...capabilities, ...(missing.length > 0 && { missing }) } }
}

const codeOf: Readonly<Record<UndeterminedReason, UndeterminedCode>> = {
  unexpected_answer: 'provider_answer_unexpected',
  refused: 'provider_refused',
  plan_refused: 'provider_refused',
  address_refused: 'provider_address_refused',
  clock_refused: 'provider_clock_refused',
  unreachable: 'provider_unreachable',
  timeout: 'provider_timeout',
  rate_limited: 'provider_busy',
  key_rate_limited: 'provider_busy',
  locked_out: 'provider_busy',
  share_used: 'key_checks_held',
  network_share_used: 'key_checks_held',
  too_many_failures: 'provider_busy',
  overloaded: 'provider_busy',
}

function expiresBefore(outcome: Outcome, untilMs: number): boolean {
  return outcome.kind === 'valid' && outcome.expiresOn !== undefined && Date.parse(outcome.expiresOn) <= untilMs
}

/** Formatted again, so that the provider's own text is never passed on. */
function instant(name: 'notBefore' | 'expiresOn', value: string | undefined): Record<string, string> {
  const ms = Date.parse(value ?? '')
  return Number.isNaN(ms) ? {} : { [name]: new Date(ms).toISOString() }
}
