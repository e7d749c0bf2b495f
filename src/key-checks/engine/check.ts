import { randomBytes } from 'node:crypto'

import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { ProviderInfo, Providers } from './catalogue.ts'
import { findProvider, infoOf, readProviders } from './catalogue.ts'
import type { CallReport, Finding } from './check-run.ts'
import type { Credential } from './credential.ts'
import { digestOf, readCredential } from './credential.ts'
import type { Limits } from './limits.ts'
import { defaultLimits, shareOf } from './limits.ts'
import type { KeyType, Undetermined } from './provider.ts'
import { invalid } from './provider.ts'
import type { Desk } from './provider-client.ts'
import { openDesk } from './provider-client.ts'
import { createFlights } from './single-flight.ts'
import type { Verdict } from './verdict.ts'
import { verdictOf } from './verdict.ts'
import { createMemory } from './verdict-cache.ts'

export interface ValidationOptions {
  /** Base addresses the operator configured, by provider id. They may lie in a private network. */
  readonly baseUrls?: Readonly<Record<string, string>>
  /** The provider of a check that names none. */
  readonly defaultProvider?: string
  readonly limits?: Partial<Limits>
  /** Milliseconds since 1970. Given, it also moves the caches and the breaker, which otherwise use a steady clock. */
  readonly now?: () => number
  readonly log?: ValidationLog
  /** Told of every call that was made, for metrics. */
  readonly onCall?: (call: CallReport) => void
  /** Told when a provider asked for quiet, for whoever else asks it. */
  readonly onQuiet?: (provider: string, outcome: Undetermined) => void
  /** Where the provider files are. */
  readonly providersFolder?: URL
}

/** The part of a pino logger that is used: every call at `debug`, a provider that asks for quiet at `warn`. */
export interface ValidationLog {
  debug(fields: object, text: string): void
  warn(fields: object, text: string): void
}

export interface CheckInput {
  readonly provider?: string | undefined
  readonly keyType: KeyType
  readonly apiKey: Secret
  readonly email?: string | undefined
  /** Also find out what the credential can do, where one cheap read tells. */
  readonly details?: boolean | undefined
  /** Aborts when the caller is gone: the check then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface Validation {
  catalogue(): readonly ProviderInfo[]
  /**
   * Is this credential alive? Answers only what is known.
   * Problems: `input_invalid`, `provider_unsupported`, `provider_answer_unexpected`, `provider_unreachable`,
   * `provider_timeout`, `provider_busy`, `shutting_down`.
   */
  check(input: CheckInput): Promise<Verdict>
  /** Somebody else was asked for quiet by that provider: nothing is sent from here either, until then. */
  quiet(provider: string, outcome: Undetermined): void
  /** Ends the checks under way and closes every connection. */
  close(): Promise<void>
}

export async function createValidation(options: ValidationOptions = {}): Promise<Validation> {
  const limits: Limits = shareOf({ ...defaultLimits, ...options.limits })
  const now = options.now ?? Date.now
  const clock = options.now ?? (() => performance.now())
  const providers = await readProviders(options.providersFolder)
  const desks = openDesks(providers, options, limits, { now, clock })
  const defaultProvider = findProvider(providers, options.defaultProvider ?? 'cloudflare')
  const memory = createMemory(limits, clock)
  const flights = createFlights<Finding>()
  // New in every process and never written: a digest from elsewhere, or from before a restart, means nothing here.
  const digestKey = randomBytes(32)
  let isClosed = false

  async function find(credential: Credential, input: CheckInput): Promise<{ finding: Finding; isCached: boolean }> {
    const digest = digestOf(credential, digestKey)
    const wantsMore = input.details === true && credential.provider.capabilities !== undefined
    const remembered = memory.get(digest, wantsMore)
    if (remembered) return { finding: remembered, isCached: true }
    const finding = await flights.join(`${digest}${wantsMore ? '+' : ''}`, input.signal, async (control) => {
      const desk = desks.get(credential.provider.id) ?? refuse('internal_error')
      const found = await desk.ask(credential, wantsMore, control)
      memory.set(digest, found, now())
      return found
    })
    return { finding, isCached: false }
  }

  return {
    catalogue: () => [...providers.values()].map(infoOf),
    async check(input) {
      if (isClosed) refuse('shutting_down')
      const provider = input.provider === undefined ? defaultProvider : findProvider(providers, input.provider)
      const { credential, unusable } = readCredential(provider, input)
      if (unusable) {
        const finding = { outcome: invalid(unusable), checkedAtMs: now(), hasLooked: true }
        return verdictOf(finding, credential, false, limits)
      }
      const { finding, isCached } = await find(credential, input)
      // Closing aborts what is under way; that says something about this service, not about the provider.
      if (isClosed && finding.outcome.kind === 'undetermined') refuse('shutting_down')
      return verdictOf(finding, credential, isCached, limits)
    },
    quiet(provider, outcome) {
      desks.get(provider)?.quiet(outcome)
    },
    async close() {
      isClosed = true
      flights.stop()
      memory.clear()
      await Promise.all([...desks.values()].map((desk) => desk.close()))
    },
  }
}

function openDesks(
  providers: Providers,
  { baseUrls = {}, log, onCall, onQuiet }: ValidationOptions,
  limits: Limits,
  clocks: { now: () => number; clock: () => number },
): ReadonlyMap<string, Desk> {
  // A base address for nobody is a misspelt setting: it stops the start rather than being ignored.
  for (const id of Object.keys(baseUrls))
    if (!providers.has(id)) throw new Error(`A base address is set for "${id}", which is no provider`)
  const report = (call: CallReport) => {
    if (call.isBusy) log?.warn({ call }, 'the provider asked for quiet')
    else log?.debug({ call }, 'the provider was asked')
    onCall?.(call)
  }
  const desks = new Map<string, Desk>()
  for (const provider of providers.values()) {
    const baseUrl = baseUrls[provider.id]
    desks.set(
      provider.id,
      openDesk({
        provider,
        baseUrl,
        limits,
        ...clocks,
        onCall: report,
        onQuiet: (outcome) => onQuiet?.(provider.id, outcome),
      }),
    )
  }
  return desks
}
