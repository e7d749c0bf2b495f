import type { KeyType, ProviderInfo } from '../api.ts'
import type { Capabilities, PermissionNames } from './answers.ts'
import type {
  Caveat,
  CredentialFault,
  CredentialTraits,
  Facts,
  Hint,
  Invalid,
  InvalidReason,
  KeyTypeFacts,
  Moment,
  NewKeys,
  OpenCredential,
  Outcome,
  ProviderAnswer,
  ProviderRequest,
  RivalSecretsFacts,
  Undetermined,
  UndeterminedReason,
  Valid,
} from './provider-facts.ts'

export type {
  Caveat,
  CredentialFault,
  CredentialTraits,
  Facts,
  Hint,
  Invalid,
  Moment,
  OpenCredential,
  Outcome,
  ProviderAnswer,
  ProviderRequest,
  Undetermined,
  Valid,
}

/**
 * The interface of a provider file. A provider is a value: the call (`request`) and what each answer proves (`classify`). Provider files
 * may import only this file, `answers.ts` and `signatures.ts`.
 */

export function valid(caveat?: Caveat, facts: Facts = {}, capabilities: Capabilities = {}): Valid {
  const hasAny = Object.keys(capabilities).length > 0
  return { kind: 'valid', ...(caveat && { caveat }), ...facts, ...(hasAny && { capabilities }) }
}

export function invalid(reason: InvalidReason, facts: Facts = {}): Invalid {
  return { kind: 'invalid', reason, ...facts }
}

export function undetermined(reason: UndeterminedReason, retryAfterSeconds?: number): Undetermined {
  return { kind: 'undetermined', reason, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
}

/** One call, and what each answer to it proves. */
export interface Probe {
  request(credential: OpenCredential, moment: Moment): ProviderRequest
  classify(answer: ProviderAnswer): Classification
  /** The status of a positive answer. Default 200. No other 2xx proves anything. */
  readonly successStatus?: number
  /** Also reads an XML body, as members of the same names. */
  readonly answersXml?: true
  /** The beginning of a long 200 may decide. Its last value may be missing, and `body` has no sign of that. */
  readonly readsBeginning?: true
}

/** What one answer proves: an outcome, or that another call is needed. */
export type Classification = Outcome | NextProbe | Retry | ClockSkew

/** Another call decides. A check run makes at most four. */
export interface NextProbe {
  readonly kind: 'next_probe'
  readonly probe: Probe
}

/**
 * Send the same call once more. `unconfirmed`: `otherwise` counts only if the second answer is classified the same. A provider with
 * `newKeys` gets the second call later. `transient`: a
 * temporary failure; `otherwise` applies if no retry is left.
 */
export interface Retry {
  readonly kind: 'retry'
  readonly cause: 'unconfirmed' | 'transient'
  readonly otherwise: Outcome | NextProbe
}

/** The provider rejects the time in the signature: this server's clock is wrong, and the credential was not checked. */
export interface ClockSkew {
  readonly kind: 'clock_skew'
}

export const clockSkew: ClockSkew = { kind: 'clock_skew' }

export function nextProbe(probe: Probe): NextProbe {
  return { kind: 'next_probe', probe }
}

export function retry(otherwise: Retry['otherwise'], cause: Retry['cause'] = 'unconfirmed'): Retry {
  return { kind: 'retry', cause, otherwise }
}

/** Bearer authentication, which most providers use. */
export function bearer(path: string): Probe['request'] {
  return ({ apiKey }) => ({ path, headers: { authorization: `Bearer ${apiKey}` } })
}

/** The same for the zone that the check is for. */
export function bearerFor(path: (zone: string) => string): AbilityRead['request'] {
  return ({ apiKey }, _, { zone }) => ({ path: path(zone), headers: { authorization: `Bearer ${apiKey}` } })
}

type Certainty = ProviderInfo['certainty']

/**
 * How a check finds out what a valid key can do: from the answer that decides, or from more reads. `unknown` says why no read shows it:
 * one sentence for users.
 */
export type Abilities = 'in the first answer' | UnknownAbilities | AbilityReads

interface UnknownAbilities {
  readonly unknown: string
}

/** Reads after a plain yes, if the check asks for details or for a purpose. */
interface AbilityReads {
  /** Lists zones, or reads the permissions of the key. Default: the first answer shows what can be shown without a zone. */
  readonly list?: AbilityRead
  /** Looks up the zone that the check is for. Default: `list`. */
  readonly zone?: AbilityRead
  /**
   * One write that cannot succeed, and changes nothing whatever the key may do. Its refusal shows whether the key may edit records, which no
   * read shows. Both refusals must be logged. It is sent once, if the check asks for it and `zone` or `list` has found the `zoneId`.
   */
  readonly proof?: AbilityRead<ProofContext>
  /** Every check makes the reads, because the first answer says nothing about DNS. */
  readonly isAlwaysRead?: true
}

/** One read, and what its answer shows. It never changes the verdict. */
export interface AbilityRead<Context = AbilityContext> extends Pick<Probe, 'answersXml'> {
  request(credential: OpenCredential, moment: Moment, context: Context): ProviderRequest
  /** Gets an answer with status 200 or 4xx. Returns undefined if it shows nothing, and an outcome only for a rate limit or a lockout. */
  find(answer: ProviderAnswer, context: Context): FoundAbilities | Undetermined | undefined
}

export interface AbilityContext {
  /** The zone that the check is for: ASCII in lower case, or '' if it names none. */
  readonly zone: string
  /** The answer that decided, for example with the access token of an exchange. */
  readonly decided: ProviderAnswer
}

export interface ProofContext extends AbilityContext {
  readonly zoneId: string
  /** 128 random bits in hexadecimal, so that no record has this value. */
  readonly unusedValue: string
}

export interface FoundAbilities
  extends Pick<Valid, 'capabilities' | 'caveat' | 'excess' | 'hasZone' | 'refusedAddress'> {
  /** The provider's ID of the zone, for `proof`. */
  readonly zoneId?: string
  /** A read that shows more. If it fails, what was found stays. */
  readonly next?: AbilityRead
}

/** What the call that decides needs, and how its answer grows with the account. */
interface FirstRead {
  /** The provider's name of the permission. If it is missing, any genuine key may make the call. */
  readonly needs?: string
  readonly grows: 'never' | 'with one zone' | 'with all zones'
}

interface ProviderFacts {
  readonly id: string
  readonly title: string
  /** The provider's documentation of the call. */
  readonly docs: string
  /** Where users create a key. */
  readonly keyPage: string
  /** Where users create a key with fewer permissions, if that is another page. */
  readonly smallerKeyPage?: string
  /** A `*` is one label of the host, below a domain of the provider. No other part of an address comes from a credential. */
  readonly baseUrl: string
  /** Self-hosted: available only if its address is configured; `baseUrl` is an example. */
  readonly isOwnServer?: true
  /** Other addresses that a request may name. */
  readonly origins?: Readonly<Record<string, string>>
  readonly keyTypes: Readonly<Partial<Record<KeyType, KeyTypeFacts>>>
  /** Evidence for `classify`. */
  readonly certainty: Certainty
  readonly remarks?: string
  /** Calls per second from this server, below the provider's limit per address. Default 50. */
  readonly callsPerSecondMax?: number
  /** Failed authentications that lock an address out. Default: 200 in five minutes, a guess. */
  readonly lockOut?: { readonly failures: number; readonly windowSeconds: number }
  readonly newKeys?: NewKeys
  readonly rivalSecrets?: RivalSecretsFacts
  /** The documented rate limit, if any. `callsPerSecondMax` is below it. */
  readonly documentedRate?: DocumentedRate
  /** The shape for hints and logs: one of a few fixed words, never part of the value. */
  readonly shapeOf?: (apiKey: string) => string
  readonly firstRead: FirstRead
  /** Default: no call is known that shows them. */
  readonly abilities: Abilities
  readonly permissions?: PermissionNames
}

interface DocumentedRate {
  readonly calls: number
  readonly seconds: number
  readonly source: string
}

/** One probe (`request`, `classify`), or a function that chooses the first probe. */
type ProviderDefinition = Omit<ProviderFacts, 'abilities'> &
  Partial<Pick<ProviderFacts, 'abilities'>> &
  (Probe | Pick<Provider, 'firstProbe'>)

export interface Provider extends ProviderFacts {
  /** Of the parts, it sees only the names. */
  readonly firstProbe: (traits: CredentialTraits & { readonly parts?: Pick<ReadonlySet<string>, 'has'> }) => Probe
}

const made = new WeakSet<object>()

export function provider(definition: ProviderDefinition): Provider {
  const { abilities = { unknown: 'No call is known that shows what this key can do.' }, firstRead } = definition
  const chooses = 'firstProbe' in definition
  const probe = chooses || firstRead.grows === 'never' ? definition : { ...definition, readsBeginning: true as const }
  const firstProbe = 'firstProbe' in probe ? probe.firstProbe : () => probe
  const whole: Provider = Object.freeze({ ...definition, abilities, firstProbe })
  made.add(whole)
  return whole
}

/** True only for what `provider()` returned. Checks the files in the folder. */
export function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && made.has(value)
}

/** HTTP Basic credentials (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
