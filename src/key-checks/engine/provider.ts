/**
 * The interface that a provider file fills in. A provider is a value: how to ask (`request`) and what each answer of
 * that provider proves (`classify`). Files in `src/key-checks/providers/` import from here and from nowhere else in `src`.
 */

export type KeyType = 'api_token' | 'api_key'

/** What one check proved. `undetermined` proves nothing: a 502, 503 or 504 at the edge, never `isValid: false`. */
export type Outcome = Valid | Invalid | Undetermined

export interface Valid extends Facts {
  readonly kind: 'valid'
  readonly caveat?: Caveat
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

/** Genuine and in force, but with something the owner should know (providers are free to limit a key). */
export type Caveat = 'limited_permissions' | 'ip_filtered' | 'state_not_shown' | 'account_restricted'

/** Every reason has its sentence in `messages.ts`. `refused` is a no without a reason and is never remembered. */
export type InvalidReason =
  | 'not_recognised'
  | 'not_accepted_from_here'
  | 'wrong_pair'
  | 'malformed'
  | 'malformed_email'
  | 'malformed_pair'
  | 'disabled'
  | 'expired'
  | 'not_yet_valid'
  | 'not_active'
  | 'suspended'
  | 'refused'
  | 'empty'
  | 'impossible_characters'

/**
 * `rate_limited` and `locked_out` hold back every check of the provider. `key_rate_limited` holds back that credential alone: for
 * an answer of which it is documented that the provider counts each credential for itself.
 */
export type UndeterminedReason =
  | 'unexpected_answer'
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'key_rate_limited'
  | 'locked_out'
  | 'overloaded'

/** What the value looks like. A hint improves a message; it never decides (key formats change without notice). */
export type Hint =
  | 'looks_like_global_key'
  | 'looks_like_token'
  | 'looks_like_id'
  | 'looks_like_origin_ca_key'
  | 'looks_like_oauth_token'
  | 'looks_mistyped'
  | 'looks_quoted'

/** What the provider told beside the verdict. `label` replaces the label of the key type in the message. */
export interface Facts {
  readonly credential?: string
  readonly label?: string
  /** Instants as the provider wrote them, ISO 8601. */
  readonly notBefore?: string
  readonly expiresOn?: string
  /** The provider's own word for a state, sanitised before it is shown. */
  readonly status?: string
  readonly hint?: Hint
}

export function valid(caveat?: Caveat, facts: Facts = {}): Valid {
  return { kind: 'valid', ...(caveat && { caveat }), ...facts }
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
}

/** `path` is appended to the base address and never depends on the credential. `body` makes the call a POST of JSON. */
export interface ProviderRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What is known of the credential outside the headers: its stated type and its class of shape, never its value. */
export interface About {
  readonly keyType: KeyType
  readonly shape: string
}

/** One answer of a provider. `headers` are in lower case; `body` is the parsed JSON, undefined when it is not JSON. */
export interface Answer extends About {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly text: string
  /** The clock of the service, milliseconds since 1970. */
  readonly nowMs: number
}

/** One call and its judgement. */
export interface Step {
  request(credential: OpenCredential): ProviderRequest
  classify(answer: Answer): Judgement
}

export type Judgement = Outcome | Ask | Again

/** Not known yet: another call decides. A check makes at most three. */
export interface Ask {
  readonly kind: 'ask'
  readonly step: Step
}

/** The same call deserves one more try; `otherwise` holds only when the second answer is judged the same. */
export interface Again {
  readonly kind: 'again'
  readonly otherwise: Outcome
}

export function ask(step: Step): Ask {
  return { kind: 'ask', step }
}

export function again(otherwise: Outcome): Again {
  return { kind: 'again', otherwise }
}

/** Bearer authentication, which most providers use. */
export function bearer(path: string): Step['request'] {
  return ({ apiKey }) => ({ path, headers: { authorization: `Bearer ${apiKey}` } })
}

export type Certainty = 'documented' | 'logged' | 'client code' | 'guess'

export interface KeyTypeInfo {
  /** What the provider calls it, at most 40 characters, fit for the middle of a sentence. */
  readonly label: string
  readonly email: 'required' | 'unused'
  /** A sentence for the owner of a valid key of this type, such as that a weaker one would do. */
  readonly advice?: string
}

/** What a valid credential can do, as far as one cheap read tells. Undefined when that could not be found out. */
export interface CapabilityProbe {
  request: Step['request']
  read(answer: Answer): Capabilities | undefined
}

export type Capabilities = Readonly<Record<string, number | string | boolean | readonly string[]>>

export interface ProviderFacts {
  readonly id: string
  readonly title: string
  /** Where the provider documents the call that is made. */
  readonly docs: string
  /** Where a person makes a key. */
  readonly keyPage: string
  readonly baseUrl: string
  readonly keyTypes: Readonly<Partial<Record<KeyType, KeyTypeInfo>>>
  /** How sure the answers in `classify` are, and what to know about them. */
  readonly certainty: Certainty
  readonly remarks?: string
  /** Calls a second from this service, below what the provider allows one address. Default 50. */
  readonly callsPerSecondMax?: number
  /** A class of shape for hints and logs: one of a few fixed words, never a part of the value. */
  readonly shapeOf?: (apiKey: string) => string
  readonly capabilities?: CapabilityProbe
}

/** One call (`request`, `classify`), or a first step chosen by what is known of the credential. */
export type ProviderDefinition = ProviderFacts & (Step | { readonly firstStep: (about: About) => Step })

export interface Provider extends ProviderFacts {
  readonly firstStep: (about: About) => Step
}

const made = new WeakSet<object>()

export function provider(definition: ProviderDefinition): Provider {
  const whole: Provider = 'firstStep' in definition ? definition : { ...definition, firstStep: () => definition }
  made.add(Object.freeze(whole))
  return whole
}

/** True only for what `provider()` returned: the border at which a file found in the folder becomes a provider. */
export function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && made.has(value)
}

/** The value at a dotted path (`error.code`, `errors.0.reason`), '' for the whole. Own members only. */
export function valueAt(body: unknown, path: string): unknown {
  let here = body
  for (const name of namesIn(path)) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined
    here = Reflect.get(here, name)
  }
  return here
}

/** Split once each: paths are literals of the provider files, so there are few, and every answer is read with several. */
function namesIn(path: string): readonly string[] {
  const known = splitPaths.get(path)
  if (known) return known
  const names = path === '' ? [] : path.split('.')
  splitPaths.set(path, names)
  return names
}

const splitPaths = new Map<string, readonly string[]>()

/** The text at a path; '' when there is none or it is not text, so that it compares without further checks. */
export function textAt(body: unknown, path: string): string {
  const value = valueAt(body, path)
  return typeof value === 'string' ? value : ''
}

/** The list at a path; undefined when there is none, which is not the same as an empty list. */
export function listAt(body: unknown, path = ''): readonly unknown[] | undefined {
  const value = valueAt(body, path)
  return Array.isArray(value) ? value : undefined
}

/** The object at a path; undefined when there is none. A list is not one. */
export function objectAt(body: unknown, path = ''): object | undefined {
  const value = valueAt(body, path)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** HTTP Basic credentials (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
