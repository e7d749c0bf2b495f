import { randomBytes } from 'node:crypto'
import {
  abilityNames,
  credentialCharsMax,
  type InputFault,
  inputError,
  type KeyCheck,
  KeyCheckError,
  type KeyChecks,
  type KeyChecksOptions,
  keyTypeNames,
  proofNames,
  type Tunnel,
  zonePattern,
} from '../api.ts'
import type { Call } from '../calls.ts'
import { createFailureCounts } from '../failure-counts.ts'
import { infoOf, type Providers, readProviders, withAddress, withOutgoingAddress } from './catalogue.ts'
import { abandonedCode } from './classify.ts'
import { type CredentialInput, readCredential, Secret } from './credential.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { createMisplacedCheck } from './local-checks.ts'
import { createOutcomes } from './outcomes.ts'
import { openProviderClient, type ProviderClient } from './provider-client.ts'
import { findProvider, providersNamed } from './provider-names.ts'
import { fitOf } from './purpose.ts'
import { type Checked, resultOf } from './result.ts'

/** The options of `keyChecks`, with every limit of the engine. */
export interface EngineOptions extends Omit<KeyChecksOptions, 'limits'> {
  readonly limits?: Partial<Limits>
  /** The default is every file in `providers/`. */
  readonly providers?: Providers
}

/**
 * Opens key checks. A check passes these files, in this order:
 * - `provider-names.ts` and `credential.ts`: the provider, and the credential, cleaned and wrapped as secrets
 * - `local-checks.ts`: what needs no call, such as a placeholder or a key of another provider
 * - `outcomes.ts` and `shares.ts`: the cache, running checks, and the failed keys of each caller
 * - `calls.ts` and `abilities.ts`: the calls that the provider file asks for, retries, abilities and proof
 * - `backpressure.ts`, `provider-client.ts`, `connections.ts` and `carriers.ts`: one call
 * - `classify.ts`: what its answer proves
 * - `purpose.ts`, `result.ts` and `messages.ts`: the result with its texts
 */
export async function openKeyChecks(options: EngineOptions = {}): Promise<KeyChecks> {
  const { outgoingAddresses = [] } = options
  const known = withAddress(options.providers ?? (await readProviders()), options.baseUrls ?? {})
  const providers = withOutgoingAddress(known, outgoingAddresses)
  const shared: Shared = {
    limits: { ...defaultLimits, ...options.limits },
    now: options.now ?? Date.now,
    clock: options.now ?? (() => performance.now()),
    tunnel: options.tunnel,
  }
  const { limits, now } = shared
  const clients = openClients(providers, options.baseUrls ?? {}, shared)
  const { listedBy = 'providers()', defaultProvider } = options
  if (defaultProvider !== undefined && findProvider(providers, defaultProvider, listedBy).id !== defaultProvider)
    throw new KeyCheckError('provider_unsupported', 'The default provider must be the id of a provider.')
  const misplaced = createMisplacedCheck(providers.values())
  const { onAnswer, failureCounts: counts = createFailureCounts(now) } = options
  const digestKey = Buffer.from(options.digestKey ?? randomBytes(32))
  const onCall = reportTo(options, shared.clock)
  const outcomes = createOutcomes({ ...shared, clients, counts, digestKey, onCall, onAnswer })
  let isClosed = false

  return {
    providers: () => [...providers.values()].map(infoOf),
    outgoingAddresses,
    providerId(name = defaultProvider ?? '') {
      const [found, ...others] = providersNamed(providers, name)
      return others.length === 0 ? found?.id : undefined
    },
    callsPerSecondMax: (id) => clients.get(id)?.callsPerSecondMax ?? 0,
    async check(input) {
      if (isClosed) throw closed()
      const credentialInput = readInput(input, options.proofs)
      const id = input.provider ?? defaultProvider ?? rejectMissingProvider(listedBy)
      const provider = providers.get(id) ?? findProvider(providers, id, listedBy)
      const { credential, unusable } = readCredential(provider, credentialInput)
      const unsent = unusable?.reason === 'empty' ? unusable : (misplaced(credential) ?? unusable)
      const found: Checked = unsent
        ? { outcome: unsent, checkedAtMs: now(), isCached: false }
        : await outcomes.find(credential, input)
      // Closing aborts checks in progress. That says nothing about the provider.
      if (isClosed && found.outcome.kind === 'undetermined') throw closed()
      const fit = input.for && fitOf(found.outcome, input.for, provider)
      return resultOf(found, credential, { limits, fit, outgoingAddresses })
    },
    async close() {
      isClosed = true
      outcomes.close()
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}

function closed(): KeyCheckError {
  return new KeyCheckError('closed', 'The key checks are closed.')
}

function rejectMissingProvider(listedBy: string): never {
  throw inputError([
    { at: '/provider', detail: `The provider is missing; see ${listedBy} for the supported providers.` },
  ])
}

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

interface Shared {
  readonly limits: Limits
  readonly now: () => number
  readonly clock: () => number
  readonly tunnel: Tunnel | undefined
}

function openClients(
  providers: Providers,
  baseUrls: Readonly<Record<string, string>>,
  shared: Shared,
): ReadonlyMap<string, ProviderClient> {
  // An address for an unknown provider is probably a typo, so it stops the start.
  for (const id of Object.keys(baseUrls))
    if (!providers.has(id)) throw new Error(`A base address is set for the unknown provider "${id}"`)
  const open = [...providers.values()].map(
    (provider) => [provider.id, openProviderClient({ ...shared, provider, baseUrl: baseUrls[provider.id] })] as const,
  )
  return new Map(open)
}

function reportTo({ log, onCall }: EngineOptions, clock: () => number) {
  const logFailure = log && createFailureLog(log, clock)
  return (call: Call) => {
    if (call.isBusy) log?.warn({ call }, 'provider rate limit or lockout: cool-down started')
    else log?.debug({ call }, 'provider called')
    const isFailure = call.errorCode !== undefined && call.errorCode !== abandonedCode
    if (isFailure || call.refusedAddress !== undefined) logFailure?.(call)
    onCall?.(call)
  }
}

/** Minimum time between two lines about the same failure. */
const quietMs = 60_000

/**
 * Logs failed calls and refusals of this server's address. The first of a kind is logged immediately, later ones at most once a minute, with
 * the number of calls since the last line. A kind is one error code in one phase at one host, or one address.
 */
function createFailureLog(log: NonNullable<KeyChecksOptions['log']>, clock: () => number): (call: Call) => void {
  const kinds = new Map<string, { readonly quietUntilMs: number; failures: number }>()
  return (call) => {
    const kind = JSON.stringify([call.provider, call.host, call.phase, call.errorCode, call.refusedAddress])
    const known = kinds.get(kind)
    const failures = (known?.failures ?? 0) + 1
    if (known && clock() < known.quietUntilMs) {
      known.failures = failures
      return
    }
    kinds.set(kind, { quietUntilMs: clock() + quietMs, failures: 0 })
    const isRefusal = call.refusedAddress !== undefined
    log.warn({ call, failures }, isRefusal ? 'provider refuses the address of this service' : 'provider call failed')
  }
}
