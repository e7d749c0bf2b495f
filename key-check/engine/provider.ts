import type { KeyType, ProviderInfo } from '../api.ts'
import type { Capabilities, PermissionNames } from './capabilities.ts'
import type { KeyTypeFacts } from './key-type.ts'

/**
 * The interface that a provider file fills in. A provider is a value: the call that is made (`request`) and what each answer to
 * it proves (`classify`). Provider files import this file, `answer-body.ts`, `signatures.ts` and `capabilities.ts` only.
 */

/** What one check proved. `undetermined` proves nothing: a 502, 503 or 504 at the edge, never `isValid: false`. */
export type Outcome = Valid | Invalid | Undetermined

export interface Valid extends Facts {
  readonly kind: 'valid'
  readonly caveat?: Caveat
  /** From the answer that decides, or set by the engine after a further read. */
  readonly capabilities?: Capabilities
}

export interface Invalid extends Facts {
  readonly kind: 'invalid'
  readonly reason: InvalidReason
}

export interface Undetermined {
  readonly kind: 'undetermined'
  readonly reason: UndeterminedReason
  readonly retryAfterSeconds?: number
}

/** Genuine and in force, with a restriction that the owner should know. */
export type Caveat =
  | 'limited_permissions'
  | 'ip_filtered'
  | 'state_not_shown'
  | 'account_restricted'
  | 'account_not_entitled'
  | 'no_zones'
  | 'zones_refused'
  | 'capabilities_unknown'

/** Every reason has its sentence in `messages.ts`. */
export type InvalidReason =
  | 'not_recognised'
  | 'wrong_pair'
  | 'wrong_part'
  | 'unknown_part'
  | 'wrong_parts'
  | 'other_provider'
  | 'other_service'
  | 'other_part'
  | 'malformed'
  | 'malformed_email'
  | 'malformed_pair'
  | 'disabled'
  | 'expired'
  | 'not_yet_valid'
  | 'not_active'
  | 'suspended'
  | 'empty'
  | 'impossible_characters'

/**
 * `rate_limited` and `locked_out` start a cool-down of the whole provider, `key_rate_limited` one of that credential alone: it is
 * for answers that are documented to come from a limit per credential. `refused` is a no without a reason that is known: the credential
 * may be wrong, expired or limited, or the provider may refuse for the moment. `address_refused` and `clock_refused` speak of this
 * service: the provider did not look at the credential. `share_used`, `network_share_used` and `too_many_failures` hold a check back, so
 * that the provider does not lock this service out.
 */
export type UndeterminedReason =
  | 'unexpected_answer'
  | 'refused'
  | 'address_refused'
  | 'clock_refused'
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'key_rate_limited'
  | 'locked_out'
  | 'share_used'
  | 'network_share_used'
  | 'too_many_failures'
  | 'overloaded'

/** What the value looks like. A hint improves a message; it never decides (key formats change without notice). */
export type Hint =
  | 'looks_like_global_key'
  | 'looks_like_token'
  | 'looks_like_id'
  | 'looks_like_origin_ca_key'
  | 'looks_like_oauth_token'
  | 'looks_like_secret_id'
  | 'looks_mistyped'
  | 'looks_base64'
  | 'looks_quoted'

/** What the answer says beside the verdict. `label` replaces the label of the key type in the message. */
export interface Facts {
  readonly credential?: string
  readonly label?: string
  /** Instants as the provider wrote them, ISO 8601. */
  readonly notBefore?: string
  readonly expiresOn?: string
  /** The provider's own word for a state, sanitised before it is shown. */
  readonly status?: string
  /** The label of the part of which a `wrong_part` or an `unknown_part` speaks. */
  readonly part?: string
  /** Where a value belongs to: the title of another provider, or the label of another part. */
  readonly other?: string
  readonly hint?: Hint
}

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

/** The credential as the provider gets it. It exists only while the headers of one call are built. */
export interface OpenCredential {
  readonly apiKey: string
  readonly email: string
  readonly keyType: KeyType
  /** The other parts, by the names that the key type declares. */
  readonly parts: Readonly<Record<string, string>>
}

/** What a signature takes in beside the credential. A time that the provider refused is corrected once, by the date of its answer. */
export interface Moment {
  readonly nowMs: number
  readonly nonce: string
}

/**
 * `path` is appended to the base address and never depends on a secret. `body` makes the call a POST of JSON, `form` one of a form.
 * `origin` is a name of the provider's `origins`, where it is not the base address. `label` stands for the `*` in the address.
 */
export interface ProviderRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly form?: Readonly<Record<string, string>>
  readonly origin?: string
  readonly label?: string
}

/** What is known of the credential outside the headers: its stated type and its class of shape, never its value. */
export interface CredentialTraits {
  readonly keyType: KeyType
  readonly shape: string
}

/** What the provider answered. `headers` are in lower case; `body` is the parsed JSON, undefined when it is not JSON. */
export interface ProviderAnswer extends CredentialTraits {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly text: string
  /** When it arrived by the clock of the service, milliseconds since 1970. */
  readonly nowMs: number
}

/** One call, and what each answer to it proves. */
export interface Probe {
  request(credential: OpenCredential, moment: Moment): ProviderRequest
  classify(answer: ProviderAnswer): Classification
  /** The status of a positive answer. Default 200. No other 2xx decides anything. */
  readonly successStatus?: number
  /** Also reads a body of XML, as members of the same names. */
  readonly answersXml?: true
}

/** What one answer proves: an outcome, or that it takes another call. */
export type Classification = Outcome | NextProbe | Retry | ClockSkew

/** Not known yet: another call decides. A check run makes at most three. */
export interface NextProbe {
  readonly kind: 'next_probe'
  readonly probe: Probe
}

/**
 * The same call deserves one more try. `unconfirmed`: `otherwise` holds only when the second answer is classified the same.
 * `transient`: the call failed in a way that may pass, and `otherwise` holds where there is no second try.
 */
export interface Retry {
  readonly kind: 'retry'
  readonly cause: 'unconfirmed' | 'transient'
  readonly otherwise: Outcome | NextProbe
}

/** The provider refuses the time in the signature: the clock of this service is wrong, and the credential was not looked at. */
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

export type Certainty = ProviderInfo['certainty']

/** One cheap read that shows what a valid credential can do. */
export interface CapabilityProbe {
  request: Probe['request']
  /** Undefined for an answer that shows nothing. */
  read(answer: ProviderAnswer): FoundCapabilities | undefined
}

/** `caveat` is a restriction that the read met. */
export type FoundCapabilities = Pick<Valid, 'capabilities' | 'caveat'>

export interface ProviderFacts {
  readonly id: string
  readonly title: string
  /** Where the provider documents the call that is made. */
  readonly docs: string
  /** Where a person makes a key. */
  readonly keyPage: string
  /** A `*` in it is one label of the host, below a domain of the provider's own. No more of an address ever comes from a credential. */
  readonly baseUrl: string
  /** Runs at the operator's. It is there only where its address is configured; `baseUrl` is an example. */
  readonly isOwnServer?: true
  /** Further addresses that a request may name. */
  readonly origins?: Readonly<Record<string, string>>
  readonly keyTypes: Readonly<Partial<Record<KeyType, KeyTypeFacts>>>
  /** How sure the answers in `classify` are, and what to know about them. */
  readonly certainty: Certainty
  readonly remarks?: string
  /** Calls a second from this service, below what the provider allows one address. Default 50. */
  readonly callsPerSecondMax?: number
  /** Failed authentications after which the provider locks an address out. Default: 200 in five minutes, a guess. */
  readonly lockOut?: { readonly failures: number; readonly windowSeconds: number }
  /** It refuses a new key for some seconds. So a key that failed is sent again before it leaves the window. */
  readonly refusesNewKeys?: true
  /** What the provider documents, where a source tells. `callsPerSecondMax` stays below it. */
  readonly documentedRate?: DocumentedRate
  /** A class of shape for hints and logs: one of a few fixed words, never a part of the value. */
  readonly shapeOf?: (apiKey: string) => string
  readonly capabilities?: CapabilityProbe
  readonly permissions?: PermissionNames
}

export interface DocumentedRate {
  readonly calls: number
  readonly seconds: number
  readonly source: string
}

/** One probe (`request`, `classify`), or a first probe chosen by what is known of the credential. */
export type ProviderDefinition = ProviderFacts & (Probe | Pick<Provider, 'firstProbe'>)

export interface Provider extends ProviderFacts {
  /** Of the parts, it learns only which there are. */
  readonly firstProbe: (traits: CredentialTraits & { readonly parts?: Pick<ReadonlySet<string>, 'has'> }) => Probe
}

const made = new WeakSet<object>()

export function provider(definition: ProviderDefinition): Provider {
  const whole: Provider = 'firstProbe' in definition ? definition : { ...definition, firstProbe: () => definition }
  made.add(Object.freeze(whole))
  return whole
}

/** True only for what `provider()` returned: the border at which a file found in the folder becomes a provider. */
export function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && made.has(value)
}

/** HTTP Basic credentials (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
