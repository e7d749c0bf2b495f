import type { Details, Purpose } from '../api.ts'
import type { Capabilities } from './capabilities.ts'
import { fill } from './messages.ts'
import type { Outcome, Provider } from './provider.ts'

/** Every sentence of `details.purpose`. `{permission}` is in the words of the provider file, the rest in those of the request; `{of}` is for the zone, if any. */
export const purposes = {
  invalid: 'A key that is not valid is fit for nothing.',
  zone_missing:
    '{zone} is not among the zones that are visible to it: add this zone to it, or make a key in the account that has the zone.',
  ability_missing: 'It lacks {ability}: add the permission {permission}{of}.',
  ability_lacking: 'It lacks {ability}.',
  fits: 'It has {ability}{of}.',
  sees: 'It is for {zone}.',
  owner_unknown: 'Its scopes allow {ability}, but not more than its owner may do, which no read shows.',
  zone_unknown: 'It has {ability}, but no read shows whether that is for {zone}.',
  zone_not_shown: 'No read shows whether it is for {zone}.',
  ability_not_shown: 'No read shows whether it has {ability}: that needs the permission {permission}{of}.',
  ability_unknown: 'No read shows whether it has {ability}{of}.',
} as const

type Fit = Required<Pick<Details, 'fitsPurpose' | 'purpose'>>

/** Whether a credential is good for what it is for. A yes and a no only where a read has shown it. */
export function fitOf(outcome: Outcome, purpose: Purpose, { permissions = {} }: Provider): Fit {
  const { zone, ability } = purpose
  const permission = ability && permissions[ability]
  const say = (fitsPurpose: Fit['fitsPurpose'], sentence: keyof typeof purposes): Fit => {
    const values = { zone, ability, permission, of: zone === undefined ? '' : ` for ${zone}` }
    return { fitsPurpose, purpose: fill(purposes[sentence], values) }
  }
  if (outcome.kind !== 'valid') return say('no', 'invalid')
  const { capabilities = {} } = outcome
  const hasZone = zone === undefined ? 'yes' : seesZone(capabilities, zone.toLowerCase())
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

/** A list without the name proves something only where it is whole and no zone above it is in the list. */
function seesZone({ zones = [], zonesVisible }: Capabilities, zone: string) {
  if (zones.includes(zone)) return 'yes'
  const isWhole = zones.length === zonesVisible
  return isWhole && !zones.some((listed) => zone.endsWith(`.${listed}`)) ? 'no' : 'unknown'
}
