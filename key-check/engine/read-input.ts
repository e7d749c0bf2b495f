import {
  abilityNames,
  credentialCharsMax,
  type InputFault,
  inputError,
  type KeyCheck,
  keyTypeNames,
  type Limits,
  proofNames,
  zonePattern,
} from '../api.ts'
import type { CredentialInput } from './credential.ts'
import { Secret } from './secret.ts'

/**
 * The validated input of a check, with its values wrapped as secrets. Checks types too, because untyped programs call it. Throws a
 * `KeyCheckError` that lists every fault and no value.
 */
export function readInput(input: KeyCheck, allowsProofs = true): CredentialInput {
  const faults = [...faultsOf(input), ...proofFaultsOf(input, allowsProofs)]
  if (faults.length > 0) throw inputError(faults)
  const { keyType, apiKey, email, parts = {} } = input
  const closed = Object.entries(parts).map(([name, value]) => [name, new Secret(value)] as const)
  return { keyType, apiKey: new Secret(apiKey), email, parts: Object.fromEntries(closed) }
}

/** Throws a RangeError if a limit is unknown or out of range. */
export function readLimits(limits: Partial<Limits>): Partial<Limits> {
  for (const [name, value] of Object.entries(limits)) {
    const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined
    if (!range) throw new RangeError(`Unknown limit ${name}; the limits are ${Object.keys(ranges).join(', ')}.`)
    const [least, most] = range
    if (!Number.isInteger(value) || value < least || value > most)
      throw new RangeError(`The limit ${name} must be a whole number from ${least} to ${most}.`)
  }
  return limits
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  deadlineMs: [1, 600_000],
  checksAtOnceMax: [1, 100_000],
  checksWaitingMax: [0, 1_000_000],
  callsPerSecondMax: [0, 1_000_000],
  cacheValidMs: [0, 86_400_000],
  cacheInvalidMs: [0, 86_400_000],
  lockOutFailures: [1, 1_000_000],
  lockOutWindowMs: [1_000, 86_400_000],
} satisfies Record<keyof Limits, readonly [number, number]>

function faultsOf({ provider, keyType, apiKey, email, parts = {}, for: purpose }: KeyCheck): InputFault[] {
  const isShort = (value: unknown) => typeof value === 'string' && value.length <= credentialCharsMax
  const inText = `must be a text of at most ${credentialCharsMax} characters.`
  const checks: (readonly [boolean, string, string])[] = [
    [
      provider === undefined || typeof provider === 'string',
      '/provider',
      'The provider must be an id from providers().',
    ],
    [keyTypeNames.includes(keyType), '/keyType', `The key type must be one of ${keyTypeNames.join(', ')}.`],
    [isShort(apiKey), '/apiKey', `The key ${inText}`],
    [email === undefined || isShort(email), '/email', `The email address ${inText}`],
    ...Object.entries(parts).map(([name, value]) => [isShort(value), `/parts/${name}`, `A part ${inText}`] as const),
    [isPurpose(purpose), '/for', `The purpose must be a zone, an ability (${abilityNames.join(', ')}), or both.`],
  ]
  return checks.flatMap(([isRight, at, detail]) => (isRight ? [] : [{ at, detail }]))
}

function proofFaultsOf({ for: purpose }: KeyCheck, allowsProofs: boolean): InputFault[] {
  const { prove, zone, ability } = purpose ?? {}
  if (prove === undefined) return []
  const at = '/for/prove'
  if (!proofNames.includes(prove)) return [{ at, detail: `The proof must be ${proofNames.join(' or ')}.` }]
  if (zone === undefined || ability !== 'dns:edit')
    return [{ at, detail: 'A proof needs a zone and the ability dns:edit.' }]
  return allowsProofs ? [] : [{ at, detail: 'Proofs are switched off here: omit this member.' }]
}

const zoneForm = new RegExp(zonePattern)

function isPurpose(purpose: KeyCheck['for']): boolean {
  if (purpose === undefined) return true
  const { zone, ability } = purpose
  const isZone = zone === undefined || (zone.length <= 253 && zoneForm.test(zone))
  const isAbility = ability === undefined || abilityNames.includes(ability)
  return isZone && isAbility && (zone ?? ability) !== undefined
}
