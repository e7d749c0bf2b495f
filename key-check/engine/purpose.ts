import type { Details, Purpose } from '../api.ts'
import type { Capabilities } from './answers.ts'
import type { Outcome, Provider, Valid } from './provider.ts'
import { fill } from './result.ts'

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
