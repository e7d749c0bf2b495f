import { randomBytes } from 'node:crypto'
import {
  type CheckCaller,
  inputError,
  type KeyCheck,
  KeyCheckError,
  type KeyChecks,
  type KeyChecksOptions,
  type Tunnel,
} from '../api.ts'
import type { Call } from '../calls.ts'
import { createRivalSecrets, type Wanted } from './calls.ts'
import { infoOf, type Providers, readProviders, withAddress, withOutgoingAddress } from './catalogue.ts'
import { canProve, looksUpZones, readsAbilities, runCheck } from './check-run.ts'
import { type Credential, cacheKeyOf, readCredential } from './credential.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { createMisplacedCheck } from './local-checks.ts'
import { type CachedOutcome, createOwnChecks, createVerdictCache } from './outcomes.ts'
import type { Invalid, Outcome, Provider } from './provider.ts'
import { abandonedCode, openProviderClient, type ProviderClient } from './provider-client.ts'
import { findProvider, providersNamed, readInput } from './read-input.ts'
import { createFailureCounts, createShares, type Place, sentAgainMs } from './shares.ts'
import { type Found, fitOf, resultOf } from './verdict.ts'
import { createSingleFlight } from './waiting.ts'

/** The options of `keyChecks`, with every limit of the engine. */
export interface EngineOptions extends Omit<KeyChecksOptions, 'limits'> {
  readonly limits?: Partial<Limits>
  /** Default: those of the provider files. */
  readonly providers?: Providers
}

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
  const outcomes = createOutcomes(clients, options, shared)
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

/** Returns outcomes from the cache, from a running check, or from a new one. */
function createOutcomes(clients: Clients, options: EngineOptions, { limits, now, clock }: Shared) {
  const cache = createVerdictCache(limits, clock)
  const runs = createSingleFlight<FoundOutcome>()
  const ownChecks = createOwnChecks(limits.cacheEntriesMax, now)
  const onCall = reportTo(options, clock)
  const { onAnswer, failureCounts: counts = createFailureCounts(now) } = options
  const shares = createShares(counts, now)
  const digestKey = Buffer.from(options.digestKey ?? randomBytes(32))
  const rivalSecrets = createRivalSecrets(counts, digestKey, now)

  async function run(credential: Credential, runOptions: RunOptions): Promise<FoundOutcome> {
    const { wanted, caller, isBulk } = runOptions
    const { provider } = credential
    const client = clientOf(clients, provider)
    const shared = { provider: provider.id, bounds: client.failureBounds, signal: runOptions.controller.signal }
    const admission = caller || isBulk ? await shares.take({ ...runOptions, ...shared }) : shares.withoutShare(shared)
    if (admission.kind === 'known') return { ...admission, isKnown: true, wanted }
    const outcome =
      admission.kind === 'place'
        ? await ask(credential, { client, runOptions, place: admission.place })
        : admission.outcome
    return { outcome, checkedAtMs: now(), isKnown: false, wanted }
  }

  async function ask(
    credential: Credential,
    { client, runOptions, place }: { client: ProviderClient; runOptions: RunOptions; place: Place },
  ): Promise<Outcome> {
    const run = { client, limits, now, onCall, onFailedAuthentication: place.failed, onAnswer, rivalSecrets }
    return inPlace(place, () => runCheck(run, credential, runOptions))
  }

  /** A zone or an ability that is missing for the purpose may have just been added. */
  function ageMaxMs(outcome: Outcome, provider: Provider, { fresh, for: purpose }: KeyCheck): number {
    if (fresh) return sentAgainMs
    const isUnfit = outcome.kind === 'valid' && purpose && fitOf(outcome, purpose, provider).fitsPurpose === 'no'
    return isUnfit ? limits.cacheInvalidMs : Number.POSITIVE_INFINITY
  }

  return {
    async find(credential: Credential, input: KeyCheck): Promise<Found> {
      const { caller, bulk: isBulk = false, fresh: isFresh = false, signal } = input
      const digest = cacheKeyOf(credential, digestKey)
      const wanted = wantedBy(input, credential.provider)
      const cached = cache.get(digest, wanted, (outcome) => now() - ageMaxMs(outcome, credential.provider, input))
      const askedBy = cacheKeyOf(credential, digestKey, `caller ${caller?.id}`)
      if (cached) return ownChecks.see(askedBy, { ...cached, isKnown: true })
      const work = async (controller: AbortController) => {
        const found = await run(credential, { digest, askedBy, wanted, caller, isBulk, isFresh, controller })
        if (!found.isKnown) cache.set(digest, found, found.checkedAtMs)
        return found
      }
      // Each caller has its own run, because a check may be held back for one caller only.
      const runKey = [digest, ...Object.values(wanted), isBulk, isFresh, caller?.id].join(' ')
      const found = await runs.run(runKey, work, signal)
      return { ...ownChecks.see(askedBy, found), ...proofOf(found) }
    },
    close: runs.abortAll,
  }
}

function wantedBy({ capabilities, for: purpose }: KeyCheck, provider: Provider): Wanted {
  const isRequested = capabilities === true || purpose !== undefined
  const zone = looksUpZones(provider) ? (purpose?.zone?.toLowerCase() ?? '') : ''
  const proof = zone !== '' && purpose?.prove !== undefined && canProve(provider)
  return { capabilities: readsAbilities(provider, isRequested), zone, proof }
}

/** An outcome of this run, not of an earlier one. */
function proofOf({ outcome, isKnown }: FoundOutcome): Pick<Found, 'isProofSent'> {
  return !isKnown && outcome.kind === 'valid' && outcome.isProofSent ? { isProofSent: true } : {}
}

async function inPlace(place: Place, check: () => Promise<Outcome>): Promise<Outcome> {
  let failed: Invalid | undefined
  try {
    const outcome = await check()
    if (outcome.kind === 'invalid') failed = outcome
    return outcome
  } finally {
    const ended = place.end(failed)
    // The next check of a wrong key must find this outcome. Other outcomes only free places, which nobody waits for.
    if (failed) await ended
    else ended.catch(() => undefined)
  }
}

type FoundOutcome = CachedOutcome & { readonly isKnown: boolean; readonly askedBy?: string }

interface RunOptions {
  readonly digest: string
  readonly askedBy: string
  readonly wanted: Wanted
  readonly caller: CheckCaller | undefined
  readonly isBulk: boolean
  readonly isFresh: boolean
  readonly controller: AbortController
}

type Clients = ReadonlyMap<string, ProviderClient>

function clientOf(clients: Clients, { id }: Provider): ProviderClient {
  const client = clients.get(id)
  if (!client) throw new Error(`The provider ${id} has no client`)
  return client
}

function openClients(providers: Providers, baseUrls: Readonly<Record<string, string>>, shared: Shared): Clients {
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
export function createFailureLog(log: NonNullable<KeyChecksOptions['log']>, clock: () => number): (call: Call) => void {
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
