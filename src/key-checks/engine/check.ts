import { randomBytes } from 'node:crypto'
import { type ProblemCode, refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { createSingleFlight } from '../../platform/single-flight.ts'
import type { KeyVerdict, ProviderInfo } from '../contract.ts'
import type { KeyDetails, KeyPurpose } from '../details-contract.ts'
import { findProvider, infoOf, type Providers, readProviders, withAddress } from './catalogue.ts'
import { type AnsweredCall, type CallReport, runCheck } from './check-run.ts'
import { type Credential, cacheKeyOf, readCredential } from './credential.ts'
import { createFailureCounts, createTurns, type FailureCounts } from './failures.ts'
import { defaultLimits, type Limits, shareOf } from './limits.ts'
import { messageCodeOf, wordingsFor } from './messages.ts'
import { createMisplacedCheck } from './misplaced.ts'
import {
  invalid,
  type KeyType,
  type Outcome,
  type Undetermined,
  type UndeterminedReason,
  undetermined,
} from './provider.ts'
import { openProviderClient, type ProviderClient } from './provider-client.ts'
import { fitOf } from './purpose.ts'
import { type CachedOutcome, createVerdictCache } from './verdict-cache.ts'

export interface ValidationOptions {
  /** Base addresses the operator configured, by provider id. They may lie in a private network. */
  readonly baseUrls?: Readonly<Record<string, string>>
  /** The provider of a check that names none. */
  readonly defaultProvider?: string
  readonly limits?: Partial<Limits>
  /** Milliseconds since 1970. Given, it also moves the caches and the breaker, which otherwise use a steady clock. */
  readonly now?: () => number
  readonly log?: ValidationLog
  /** Called after every call to a provider, for metrics. */
  readonly onCall?: (call: CallReport) => void
  /** Called after every call to a provider with the whole answer, which may hold an echo of the credential: never for a log. */
  readonly onAnswer?: (call: AnsweredCall) => void
  /** Called when a provider asks for a cool-down, so that other processes keep to it. */
  readonly onCoolDown?: (provider: string, outcome: Undetermined) => void
  /** Failed authentications of all that check keys from this address. Default: those of this process. */
  readonly failureCounts?: FailureCounts
  /** What lists the providers, for the problem of an unsupported one. Default: the operation of the service. */
  readonly listedBy?: string
  /** Where the provider files are. */
  readonly providersFolder?: URL
}

/** The part of a pino logger that is used: every call at `debug`, a cool-down that begins at `warn`. */
export interface ValidationLog {
  debug(fields: object, text: string): void
  warn(fields: object, text: string): void
}

export interface CheckInput {
  readonly provider?: string | undefined
  readonly keyType: KeyType
  readonly apiKey: Secret
  readonly email?: string | undefined
  /** The other parts of the credential, by the names that the key type declares. */
  readonly parts?: Readonly<Record<string, Secret>> | undefined
  /** Also find out what the credential can do, where one cheap read tells. */
  readonly details?: boolean | undefined
  /** What it is for. It changes neither the calls nor the verdict: only with `details` is there something to compare it with. */
  readonly purpose?: KeyPurpose | undefined
  /** One of many keys: its failures leave room for single checks, so that the provider does not lock this service out. */
  readonly isBulk?: boolean | undefined
  /** Aborts when the caller is gone: the check then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A known answer, as the contract has it. What is not known is thrown as a problem instead. */
export interface Verdict extends KeyVerdict {
  readonly details: KeyDetails
}

export interface Validation {
  catalogue(): readonly ProviderInfo[]
  /** Calls that are made to the provider each second at most; 0 where nothing bounds them or there is no such provider. */
  callsPerSecondMax(provider: string): number
  /**
   * Does the provider accept this credential? Answers only what is known.
   * Problems: `input_invalid`, `provider_unsupported`, `provider_answer_unexpected`, `provider_refused`, `provider_address_refused`,
   * `provider_clock_refused`, `provider_unreachable`, `provider_timeout`, `provider_busy`, `shutting_down`.
   */
  check(input: CheckInput): Promise<Verdict>
  /** Failed authentications at that provider within the window, up to which checks of many keys go on; 0 where there is no such provider. */
  bulkFailuresMax(provider: string): number
  /** Another process was asked for a cool-down by that provider: no call is made from here either, until it is over. */
  coolDown(provider: string, outcome: Undetermined): void
  /** Ends the checks under way and closes every connection. */
  close(): Promise<void>
}

/** What the operator may configure of providers. */
export interface ProviderSettings {
  readonly defaultId: string
  readonly baseUrls: ReadonlyMap<string, string>
  /** 0 leaves it to each provider. */
  readonly callsPerSecond: number
  /** 0 leaves it to each provider. */
  readonly bulkFailuresMax: number
  readonly failureWindowSeconds: number
}

/** The options of a validation as configured, for the service and for the command line alike. */
export function validationOptions(settings: ProviderSettings): ValidationOptions {
  const { defaultId, baseUrls, callsPerSecond, bulkFailuresMax, failureWindowSeconds } = settings
  return {
    defaultProvider: defaultId,
    baseUrls: Object.fromEntries(baseUrls),
    limits: {
      failureWindowMs: failureWindowSeconds * 1_000,
      ...(callsPerSecond !== 0 && { callsPerSecondMax: callsPerSecond }),
      ...(bulkFailuresMax !== 0 && { bulkFailuresMax }),
    },
  }
}

export async function createValidation(options: ValidationOptions = {}): Promise<Validation> {
  const providers = withAddress(await readProviders(options.providersFolder), options.baseUrls ?? {})
  const shared: Shared = {
    limits: shareOf({ ...defaultLimits, ...options.limits }),
    now: options.now ?? Date.now,
    clock: options.now ?? (() => performance.now()),
  }
  const { limits, now } = shared
  const clients = openClients(providers, options.baseUrls ?? {}, shared)
  const { listedBy = 'GET /api/v1/providers' } = options
  const defaultProvider = findProvider(providers, options.defaultProvider ?? 'cloudflare', listedBy)
  const misplaced = createMisplacedCheck(providers.values())
  const outcomes = createOutcomes(clients, options, shared)
  let isClosed = false

  return {
    catalogue: () => [...providers.values()].map(infoOf),
    callsPerSecondMax: (id) => clients.get(id)?.callsPerSecondMax ?? 0,
    bulkFailuresMax: (id) => clients.get(id)?.bulkFailuresMax ?? 0,
    async check(input) {
      if (isClosed) refuse('shutting_down')
      const provider =
        input.provider === undefined ? defaultProvider : findProvider(providers, input.provider, listedBy)
      const { credential, unusable } = readCredential(provider, input)
      const unsent =
        unusable === 'empty' ? invalid(unusable) : (misplaced(credential) ?? (unusable && invalid(unusable)))
      if (unsent) {
        const found = { outcome: unsent, checkedAtMs: now(), isCached: false }
        return verdictOf(found, credential, { limits, purpose: input.purpose })
      }
      const found = await outcomes.find(credential, input)
      // Closing aborts what is under way; that says something about this service, not about the provider.
      if (isClosed && found.outcome.kind === 'undetermined') refuse('shutting_down')
      return verdictOf(found, credential, { limits, purpose: input.purpose })
    },
    coolDown(provider, outcome) {
      clients.get(provider)?.breaker.coolDown(outcome)
    },
    async close() {
      isClosed = true
      outcomes.close()
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}

interface Shared {
  readonly limits: Limits
  readonly now: () => number
  readonly clock: () => number
}

/** Outcomes from the cache, from a check run under way, or from a new one. */
function createOutcomes(clients: Clients, options: ValidationOptions, { limits, now, clock }: Shared) {
  const cache = createVerdictCache(limits, clock)
  const runs = createSingleFlight<CachedOutcome>()
  const onCall = reportTo(options)
  const failures = options.failureCounts ?? createFailureCounts(limits.failureWindowMs, clock)
  const turns = createTurns(failures)
  // New in every process and never written: a cache key from elsewhere, or from before a restart, means nothing here.
  const cacheSecret = randomBytes(32)

  async function ask(credential: Credential, { isBulk, ...asked }: Asked): Promise<Outcome> {
    const { id } = credential.provider
    const client = clients.get(id) ?? refuse('internal_error')
    const onCoolDown = (outcome: Undetermined) => {
      client.breaker.coolDown(outcome)
      options.onCoolDown?.(id, outcome)
    }
    let failed = 0
    const onFailedAuthentication = () => {
      failed += 1
    }
    const places = isBulk ? await turns.take(id, client.bulkFailuresMax) : undefined
    if (places?.kind === 'no_place') return undetermined('too_many_failures', Math.ceil(places.waitMs / 1_000))
    try {
      const run = { client, limits, onCall, onCoolDown, onFailedAuthentication, onAnswer: options.onAnswer }
      return await runCheck(run, credential, asked)
    } finally {
      if (places) await places.settle(failed)
      else if (failed > 0) await failures.add(id, failed)
    }
  }

  return {
    async find(credential: Credential, { details, isBulk = false, signal }: CheckInput): Promise<Found> {
      const key = cacheKeyOf(credential, cacheSecret)
      const wantsCapabilities = details === true && credential.provider.capabilities !== undefined
      const cached = cache.get(key, wantsCapabilities)
      if (cached) return { ...cached, isCached: true }
      const run = async (controller: AbortController) => {
        const outcome = await ask(credential, { wantsCapabilities, isBulk, controller })
        const entry = { outcome, checkedAtMs: now(), includesCapabilities: wantsCapabilities }
        cache.set(key, entry, entry.checkedAtMs)
        return entry
      }
      const runKey = `${key}${wantsCapabilities ? ' details' : ''}${isBulk ? ' bulk' : ''}`
      return { ...(await runs.run(runKey, run, signal)), isCached: false }
    },
    close: runs.abortAll,
  }
}

interface Asked {
  readonly wantsCapabilities: boolean
  readonly isBulk: boolean
  readonly controller: AbortController
}

type Clients = ReadonlyMap<string, ProviderClient>

function openClients(providers: Providers, baseUrls: Readonly<Record<string, string>>, shared: Shared): Clients {
  // A base address of an unknown provider is a misspelt setting: it stops the start rather than being ignored.
  for (const id of Object.keys(baseUrls))
    if (!providers.has(id)) throw new Error(`A base address is set for "${id}", which is no provider`)
  const open = [...providers.values()].map(
    (provider) => [provider.id, openProviderClient({ ...shared, provider, baseUrl: baseUrls[provider.id] })] as const,
  )
  return new Map(open)
}

function reportTo({ log, onCall }: ValidationOptions) {
  return (call: CallReport) => {
    if (call.isBusy) log?.warn({ call }, 'provider rate limit or lock-out: a cool-down begins')
    else log?.debug({ call }, 'provider called')
    onCall?.(call)
  }
}

type Found = Pick<CachedOutcome, 'outcome' | 'checkedAtMs'> & { readonly isCached: boolean }

/** Problems: those of `problemOf`. */
function verdictOf(
  { outcome, checkedAtMs, isCached }: Found,
  credential: Credential,
  { limits, purpose }: { limits: Limits; purpose: KeyPurpose | undefined },
): Verdict {
  const { provider, keyType, notes } = credential
  const info = provider.keyTypes[keyType]
  const isEnding = expiresBefore(outcome, checkedAtMs + limits.endingMs)
  const { label = 'key', advice } = info ?? {}
  const fit = purpose && fitOf(outcome, purpose, provider)
  const { fitsPurpose } = fit ?? {}
  const wording = { provider: provider.title, label, notes, isEnding, advice, fitsPurpose }
  const { message, warnings } = wordingsFor(outcome, wording)
  if (outcome.kind === 'undetermined') {
    const { reason, retryAfterSeconds } = outcome
    return refuse(problemOf[reason], { detail: message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
  }
  return {
    isValid: outcome.kind === 'valid',
    message,
    details: {
      provider: provider.id,
      code: messageCodeOf(outcome),
      credential: outcome.credential ?? keyType,
      ...instant('notBefore', outcome.notBefore),
      ...instant('expiresOn', outcome.expiresOn),
      warnings: [...warnings],
      ...(outcome.kind === 'valid' && outcome.capabilities && { capabilities: { ...outcome.capabilities } }),
      ...fit,
      checkedAt: new Date(checkedAtMs).toISOString(),
      cached: isCached,
    },
  }
}

const problemOf = {
  unexpected_answer: 'provider_answer_unexpected',
  refused: 'provider_refused',
  address_refused: 'provider_address_refused',
  clock_refused: 'provider_clock_refused',
  unreachable: 'provider_unreachable',
  timeout: 'provider_timeout',
  rate_limited: 'provider_busy',
  key_rate_limited: 'provider_busy',
  locked_out: 'provider_busy',
  too_many_failures: 'provider_busy',
  overloaded: 'provider_busy',
} as const satisfies Record<UndeterminedReason, ProblemCode>

/** The problems of a check that proved nothing. */
export type UndeterminedProblem = (typeof problemOf)[UndeterminedReason]

function expiresBefore(outcome: Outcome, untilMs: number): boolean {
  return outcome.kind === 'valid' && outcome.expiresOn !== undefined && Date.parse(outcome.expiresOn) <= untilMs
}

/** Written anew: the provider's own text is not passed on, not even where it was an instant. */
function instant(name: 'notBefore' | 'expiresOn', value: string | undefined): Record<string, string> {
  const ms = Date.parse(value ?? '')
  return Number.isNaN(ms) ? {} : { [name]: new Date(ms).toISOString() }
}
