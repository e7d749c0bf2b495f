import { randomBytes } from 'node:crypto'
import { inputError, KeyCheckError, type KeyChecks, type KeyChecksOptions, type Tunnel } from '../api.ts'
import type { Call } from '../calls.ts'
import { infoOf, type Providers, readProviders, withAddress, withOutgoingAddress } from './catalogue.ts'
import { readCredential } from './credential.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { createMisplacedCheck } from './local-checks.ts'
import { createOutcomes } from './outcomes.ts'
import { abandonedCode, openProviderClient, type ProviderClient } from './provider-client.ts'
import { findProvider, providersNamed, readInput } from './read-input.ts'
import { createFailureCounts } from './shares.ts'
import { resultOf } from './verdict.ts'

/** The options of `keyChecks`, with every limit of the engine. */
export interface EngineOptions extends Omit<KeyChecksOptions, 'limits'> {
  readonly limits?: Partial<Limits>
  /** The default is every file in `providers/`. */
  readonly providers?: Providers
}

/**
 * Opens key checks. A check passes these files, in this order:
 * - `read-input.ts` and `credential.ts`: the input, cleaned and wrapped as secrets
 * - `local-checks.ts`: what needs no call, such as a placeholder or a key of another provider
 * - `outcomes.ts` and `shares.ts`: the cache, running checks, and the failed keys of each caller
 * - `check-run.ts` and `calls.ts`: the calls that the provider file asks for, retries, abilities and proof
 * - `circuit-breaker.ts`, `provider-client.ts`, `connections.ts` and `carriers.ts`: one call
 * - `classify.ts`: what its answer proves
 * - `verdict.ts`, `wording.ts` and `messages.ts`: the result with its texts
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
      const provider = findProvider(providers, id, listedBy)
      const { credential, unusable } = readCredential(provider, credentialInput)
      const unsent = unusable?.reason === 'empty' ? unusable : (misplaced(credential) ?? unusable)
      if (unsent) {
        const found = { outcome: unsent, checkedAtMs: now(), isCached: false }
        return resultOf(found, credential, { limits, purpose: input.for, outgoingAddresses })
      }
      const found = await outcomes.find(credential, input)
      // Closing aborts checks in progress. That says nothing about the provider.
      if (isClosed && found.outcome.kind === 'undetermined') throw closed()
      return resultOf(found, credential, { limits, purpose: input.for, outgoingAddresses })
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
