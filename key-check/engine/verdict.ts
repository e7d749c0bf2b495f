import type { Details, Purpose, Result, UndeterminedCode } from '../api.ts'
import type { Capabilities } from './capabilities.ts'
import { type Credential, unusualPartOf } from './credential.ts'
import type { Limits } from './limits.ts'
import type { Outcome, Provider, Valid } from './provider.ts'
import type { UndeterminedReason } from './provider-facts.ts'
import { fill, messageCodeOf, wordingsFor } from './wording.ts'

/** An outcome as a caller's own checks show it. */
export interface Checked {
  readonly outcome: Outcome
  readonly checkedAtMs: number
  /** An earlier check of this caller found it. */
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
  { outcome, checkedAtMs, isCached, isProofSent }: Checked,
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

/**
 * Every sentence of `details.purpose`. `{permission}` comes from the provider file, `{zone}` and `{ability}` from the request; `{of}` is "
 * for <zone>" or empty.
 */
export const purposes = {
  invalid: 'The key is not valid.',
  zone_missing: 'It cannot see {zone}: add this zone to the key, or create a key in the account that has the zone.',
  ability_missing: 'It lacks {ability}: add the permission {permission}{of}.',
  ability_lacking: 'It lacks {ability}.',
  fits: 'It has {ability}{of}.',
  sees: 'It covers {zone}.',
  owner_unknown: 'Its scopes allow {ability}, but it is unknown whether its owner has that permission.',
  zone_unknown: 'It has {ability}, but it is unknown whether that covers {zone}.',
  zone_not_shown: 'It is unknown whether it covers {zone}.',
  ability_not_shown: 'It is unknown whether it has {ability}, which needs the permission {permission}{of}.',
  ability_unknown: 'It is unknown whether it has {ability}{of}.',
} as const

type Fit = Required<Pick<Details, 'fitsPurpose' | 'purpose'>>

/** Whether a credential fits its purpose. `yes` and `no` only if a read has shown it. */
export function fitOf(outcome: Outcome, purpose: Purpose, { permissions = {} }: Provider): Fit {
  const { zone, ability } = purpose
  const permission = ability && permissions[ability]
  const say = (fitsPurpose: Fit['fitsPurpose'], sentence: keyof typeof purposes): Fit => {
    const values = { zone, ability, permission, of: zone === undefined ? '' : ` for ${zone}` }
    return { fitsPurpose, purpose: fill(purposes[sentence], values) }
  }
  if (outcome.kind !== 'valid') return say('no', 'invalid')
  const { capabilities = {} } = outcome
  const hasZone = zone === undefined ? 'yes' : seesZone(outcome, zone.toLowerCase())
  const hasAbility = ability === undefined ? 'yes' : mayDo(capabilities, ability)
  if (hasAbility === 'no') return say('no', permission ? 'ability_missing' : 'ability_lacking')
  if (hasZone === 'no') return say('no', 'zone_missing')
  if (hasAbility === 'by_owner') return say('unknown', 'owner_unknown')
  if (hasAbility === 'unknown') return say('unknown', permission ? 'ability_not_shown' : 'ability_unknown')
  if (hasZone === 'unknown') return say('unknown', ability ? 'zone_unknown' : 'zone_not_shown')
  return say('yes', ability ? 'fits' : 'sees')
}

function mayDo({ abilities, lacks, limitedByOwner }: Capabilities, ability: NonNullable<Purpose['ability']>) {
  if (lacks?.includes(ability)) return 'no'
  if (!abilities?.includes(ability)) return 'unknown'
  return limitedByOwner ? 'by_owner' : 'yes'
}

/**
 * A lookup outweighs the list, which may have zones that the key cannot use. A missing name proves something only if the zone was looked up,
 * or the list is complete; and no listed zone is its parent.
 */
function seesZone({ hasZone, capabilities = {} }: Valid, zone: string) {
  const { zones = [], zonesVisible } = capabilities
  if (hasZone ?? zones.includes(zone)) return 'yes'
  const isAbsent = hasZone === false || zones.length === zonesVisible
  return isAbsent && !zones.some((listed) => zone.endsWith(`.${listed}`)) ? 'no' : 'unknown'
}
