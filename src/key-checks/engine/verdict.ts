import type { ProblemCode } from '../../platform/problems.ts'
import { refuse } from '../../platform/problems.ts'
import type { Finding } from './check-run.ts'
import type { Credential } from './credential.ts'
import type { Limits } from './limits.ts'
import type { MessageCode } from './messages.ts'
import { codeOf, messageFor, warningsFor } from './messages.ts'
import type { Capabilities, Outcome, UndeterminedReason } from './provider.ts'

/** A known answer. Whatever is not known is thrown as a problem instead. */
export interface Verdict {
  readonly isValid: boolean
  readonly message: string
  readonly details: VerdictDetails
}

export interface VerdictDetails {
  readonly provider: string
  readonly code: MessageCode
  /** What the credential turned out to be, such as `user_token`; the key type where the provider does not tell. */
  readonly credential: string
  /** Instants in ISO 8601, UTC. */
  readonly notBefore?: string
  readonly expiresOn?: string
  /** Sentences about a valid credential: limits, an end that is near, a weaker credential that would do. */
  readonly warnings: readonly string[]
  /** Only when asked for and found out. */
  readonly capabilities?: Capabilities
  readonly checkedAt: string
  readonly cached: boolean
}

/** Problems: `provider_answer_unexpected`, `provider_unreachable`, `provider_timeout`, `provider_busy`. */
export function verdictOf(finding: Finding, credential: Credential, isCached: boolean, limits: Limits): Verdict {
  const { outcome, capabilities } = finding
  const { provider, keyType, notes } = credential
  const info = provider.keyTypes[keyType]
  const isEnding = endsWithin(outcome, finding.checkedAtMs + limits.endingMs)
  const message = messageFor(outcome, { provider: provider.title, label: info?.label ?? 'key', notes, isEnding })
  if (outcome.kind === 'undetermined') {
    const more = outcome.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: outcome.retryAfterSeconds }
    return refuse(problemOf[outcome.reason], { detail: message, ...more })
  }
  return {
    isValid: outcome.kind === 'valid',
    message,
    details: {
      provider: provider.id,
      code: codeOf(outcome),
      credential: outcome.credential ?? keyType,
      warnings: warningsFor(outcome, isEnding, info?.advice),
      checkedAt: new Date(finding.checkedAtMs).toISOString(),
      cached: isCached,
      ...instant('notBefore', outcome.notBefore),
      ...instant('expiresOn', outcome.expiresOn),
      ...(capabilities && { capabilities }),
    },
  }
}

const problemOf = {
  unexpected_answer: 'provider_answer_unexpected',
  unreachable: 'provider_unreachable',
  timeout: 'provider_timeout',
  rate_limited: 'provider_busy',
  key_rate_limited: 'provider_busy',
  locked_out: 'provider_busy',
  overloaded: 'provider_busy',
} as const satisfies Record<UndeterminedReason, ProblemCode>

function endsWithin(outcome: Outcome, untilMs: number): boolean {
  return outcome.kind === 'valid' && outcome.expiresOn !== undefined && Date.parse(outcome.expiresOn) <= untilMs
}

/** Written anew: what the provider sent is not passed on, not even where it was an instant. */
function instant(name: 'notBefore' | 'expiresOn', value: string | undefined): Record<string, string> {
  const ms = Date.parse(value ?? '')
  return Number.isNaN(ms) ? {} : { [name]: new Date(ms).toISOString() }
}
