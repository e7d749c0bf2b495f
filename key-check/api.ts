import type { Socket } from 'node:net'
import type { AnsweredCall, Call } from './calls.ts'
import type { FailureCounts } from './failure-counts.ts'

/** The public API. The types are written out, so that users of the library need no types of its dependencies. */

export const keyTypeNames = ['api_token', 'api_key'] as const
export type KeyType = (typeof keyTypeNames)[number]

/** What a provider's answers are known from. A guess is about the call: an answer that no source shows proves nothing. */
export const certainties = ['documented', 'logged', 'client code', 'guess'] as const

/** What a key can do, in terms shared by all providers. */
export const abilityNames = [
  'zones:list',
  'dns:read',
  'dns:edit',
  'cdn:read',
  'cdn:edit',
  'cdn:purge',
  'cdn:purge_all',
] as const
export type Ability = (typeof abilityNames)[number]

/** How a check may find out what no read shows. `refused_write`: it sends one write that the provider must refuse. */
export const proofNames = ['refused_write'] as const

/** A host name in LDH form (RFC 1123 §2.1) with at least two labels; a label may start with an underscore. */
export const zonePattern =
  '^(?:[A-Za-z0-9_](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$'

/** Maximum characters of a credential, or of one of its parts. */
export const credentialCharsMax = 4_096

/** Key checks with their own connections, caches and limits. A process needs one. */
export interface KeyChecks {
  /** The providers whose keys can be checked. */
  providers(): readonly ProviderInfo[]
  /** The option of the same name. */
  readonly outgoingAddresses: readonly string[]
  /** The id of the provider that a check with this name, or without a name, calls. Undefined if such a check throws. */
  providerId(name?: string): string | undefined
  /** Maximum calls per second to the provider; 0 if unlimited or unknown. */
  callsPerSecondMax(provider: string): number
  /**
   * Asks the provider whether it accepts the credential. `undetermined` says nothing about the credential. Rejects with a `KeyCheckError`
   * if the input cannot be a credential, and with the signal's reason if that aborts.
   */
  check(input: KeyCheck): Promise<Result>
  /** Aborts running checks, closes every connection and clears the cache. */
  close(): Promise<void>
}

export interface KeyChecksOptions {
  /** Addresses that replace the providers' own, by provider id, for example of a simulator or a proxy. They may be private. */
  readonly baseUrls?: Readonly<Record<string, string>>
  /**
   * Opens a connection to the host through a proxy. Returns undefined for a host that is called directly. Must reject within `timeoutMs`,
   * with an Error that has a `code`, such as `PROXY_407`, and in `proxy` the proxy's host and port.
   */
  readonly tunnel?: Tunnel
  readonly limits?: Partial<Limits>
  /** Whether a check may send the write that its purpose asks for with `prove`. Otherwise it rejects such a purpose. Default true. */
  readonly proofs?: boolean
  /** The IP addresses that this process calls from, to name them in messages and fill them in. */
  readonly outgoingAddresses?: readonly string[]
  /** The provider of checks that name none. By default a check must name one. */
  readonly defaultProvider?: string
  /** Called after every call to a provider, for logs and metrics. Receives no part of the credential. */
  readonly onCall?: (call: Call) => void
  /** Called after every call with the whole answer, which may echo the credential. Only for the credential's owner; never log it. */
  readonly onAnswer?: (call: AnsweredCall) => void
  readonly log?: Log
  /** Where failed keys are counted. Default: in this process. Processes that call providers from one address should share it. */
  readonly failureCounts?: FailureCounts
  /** 32 bytes for the digests of credentials. Required if processes share `failureCounts`. Default: random. */
  readonly digestKey?: Uint8Array
  /** Milliseconds since 1970. If set, it also drives the caches and limits, which otherwise use a monotonic clock. */
  readonly now?: () => number
  /** The name of the provider list in the error for an unsupported provider. Default `providers()`. */
  readonly listedBy?: string
}

/** `port` is empty for the port of the protocol. */
export type Tunnel = (
  target: { readonly protocol: string; readonly hostname: string; readonly port: string },
  timeoutMs: number,
) => Promise<Socket> | undefined

/** The methods of a logger such as pino that are used: every call at `debug`, failed calls (at most one line a minute for each
 * reason) and the start of a cool-down at `warn`. */
interface Log {
  debug(fields: object, text: string): void
  warn(fields: object, text: string): void
}

/** Per provider, unless stated otherwise. */
export interface Limits {
  /** Milliseconds for one check, including all calls and waiting. Default 5,000. */
  readonly deadlineMs: number
  /** Parallel checks. Default 256. */
  readonly checksAtOnceMax: number
  /** Waiting checks; more are `provider_busy`. Default 1,000. */
  readonly checksWaitingMax: number
  /** Calls per second; 0 for no limit. Default: below the documented limit, otherwise 50. */
  readonly callsPerSecondMax: number
  /** Milliseconds to cache the verdict on a valid key; 0 for no cache. Default 60,000. */
  readonly cacheValidMs: number
  /** The same for an invalid key. Default 10,000. */
  readonly cacheInvalidMs: number
  /** Failed keys within the window that make the provider lock this server out. Default: the documented number, otherwise 200. */
  readonly lockOutFailures: number
  /** The window in milliseconds. Default: the documented one, otherwise 300,000. */
  readonly lockOutWindowMs: number
}

export interface KeyCheck {
  /** An id or a title from `providers()`, or a common name such as `dns_cf`, in any case. Default: the option `defaultProvider`. */
  readonly provider?: string | undefined
  readonly keyType: KeyType
  /** As pasted: white space, quotes and the like around it are removed. */
  readonly apiKey: string
  /** Required if the key type says `email: 'required'`. */
  readonly email?: string | undefined
  /** The other values of the credential, by the names in `fields`. */
  readonly parts?: Readonly<Record<string, string>> | undefined
  /** Also find out what a valid key can do. A check makes at most four calls. Default false. */
  readonly capabilities?: boolean | undefined
  /** What the key is for, at least one of the two; implies `capabilities`. The result is `details.fitsPurpose`. */
  readonly for?: Purpose | undefined
  /**
   * One of many keys. Returns `provider_busy` after so many rejected keys that the provider may soon lock this server out: 6 in five
   * minutes at Cloudflare, 120 elsewhere. Other checks count too, but are not held back. Default false.
   */
  readonly bulk?: boolean | undefined
  /** Call the provider even if the result is cached, unless it is less than 5 s old. Default false. */
  readonly fresh?: boolean | undefined
  /** The caller whose share of failed keys counts. Default: no share. */
  readonly caller?: CheckCaller | undefined
  readonly signal?: AbortSignal | undefined
}

/** Who asked for the check, if one process checks keys for many. */
export interface CheckCaller {
  readonly id: string
  /** Maximum failed keys of this caller within the window; 0 for all that the reserve leaves. */
  readonly failedKeysMax: number
  /** The network of the caller, because several callers on one network may be the same user. */
  readonly network?: string | undefined
}

export interface Purpose {
  /** A host name in ASCII. */
  readonly zone?: string
  readonly ability?: Ability
  /** Only with a zone and `dns:edit`, which no read of AWS shows: delete a TXT record of a random value there. Default: a check only reads. */
  readonly prove?: (typeof proofNames)[number]
}

export type Result = Verdict | Undetermined

/** The provider answered: it accepts the credential as genuine and active, or it does not. */
export interface Verdict {
  readonly outcome: 'valid' | 'invalid'
  /** One English sentence for users, at most 200 characters. Contains no part of the credential. */
  readonly message: string
  readonly details: Details
  /** This check sent the write of `prove`. Missing if an earlier check had the answer. */
  readonly isProofSent?: true
}

/** Nothing is known about the credential: it may be valid. */
export interface Undetermined {
  readonly outcome: 'undetermined'
  readonly code: UndeterminedCode
  /** One sentence for users, as in a verdict. */
  readonly message: string
  /** For `provider_busy` and `key_checks_held`, if known. */
  readonly retryAfterSeconds?: number
}

export type UndeterminedCode =
  /** The answer proves nothing. */
  | 'provider_answer_unexpected'
  /** The provider rejected the credential without saying whether it is valid. */
  | 'provider_refused'
  /** The provider rejects calls from this server's address. */
  | 'provider_address_refused'
  /** The provider rejects this server's time. */
  | 'provider_clock_refused'
  | 'provider_unreachable'
  /** A rate limit, a lockout or the risk of one, or too many parallel checks. */
  | 'provider_busy'
  | 'provider_timeout'
  /** The caller, or its network, had several failed keys. */
  | 'key_checks_held'

/** Unknown values are omitted. */
export interface Details {
  readonly provider: string
  /** A stable code such as `valid`, `limited_permissions`, `not_recognised` or `expired_on`. Later versions may add codes. */
  readonly code: string
  /** The kind of credential, such as `user_token`. */
  readonly credential: string
  /** RFC 3339, like `expiresOn`. */
  readonly notBefore?: string
  readonly expiresOn?: string
  /** Limits of a valid credential, or its approaching expiry: sentences for users. */
  readonly warnings: readonly string[]
  /** Why a valid credential is more powerful than needed. Never a reason for `invalid`. */
  readonly advice?: Advice
  readonly capabilities?: Capabilities
  /** `yes` and `no` only if a call has shown it. */
  readonly fitsPurpose?: 'yes' | 'no' | 'unknown'
  /** The reason and what is missing: one sentence for users. */
  readonly purpose?: string
  /** RFC 3339: when this caller first got this verdict. */
  readonly checkedAt: string
  /** Whether the verdict comes from an earlier check by this caller. */
  readonly cached: boolean
}

export interface Advice {
  /** One or two sentences for users. */
  readonly text: string
  /** Where to create a key with fewer permissions. */
  readonly page: string
}

export interface Capabilities {
  /** The provider's own scope names. */
  readonly scopes?: readonly string[]
  readonly abilities?: readonly Ability[]
  /** What the key cannot do. An ability in neither list is unknown. */
  readonly lacks?: readonly Ability[]
  /** The provider also limits the key to its owner's permissions, which were not read. */
  readonly limitedByOwner?: true
  /** What the key lacks, in the provider's own words: permissions to add, or a service to enable. */
  readonly missing?: readonly string[]
  /** How many zones the key sees, if the provider tells. */
  readonly zonesVisible?: number
  /** The first zones by name, or the one that was asked for. */
  readonly zones?: readonly string[]
  /** The key sees more zones than `zones`. */
  readonly moreZones?: true
  readonly services?: readonly string[]
  /** Where the key may be used from (IP or CIDR). */
  readonly addresses?: readonly string[]
  /** Why nothing is known about what the key can do: one sentence for users. */
  readonly unknown?: string
}

export interface ProviderInfo {
  readonly id: string
  readonly title: string
  /** The documentation of its API. */
  readonly docs: string
  /** Where users create a key. */
  readonly keyPage: string
  readonly keyTypes: readonly KeyTypeInfo[]
  readonly certainty: (typeof certainties)[number]
  readonly remarks?: string
}

export interface KeyTypeInfo {
  readonly keyType: KeyType
  /** The provider's name for the key. */
  readonly label: string
  readonly email: 'required' | 'unused'
  /** The method and URL of the first call of a check. */
  readonly asked: string
  /** The values of the credential, in the order of a form. */
  readonly fields: readonly Field[]
}

export interface Field {
  readonly name: string
  /** Where the value goes in a `KeyCheck`: a JSON pointer, such as `/apiKey` or `/parts/accessKeyId`. */
  readonly at: string
  readonly label: string
  /** Whether a form hides the input. */
  readonly secret: boolean
  readonly required: boolean
  readonly multiline: boolean
  /** What the value usually looks like, for a warning in a form. A check ignores it. */
  readonly pattern?: string
  readonly example?: string
  /** The allowed values. */
  readonly options?: readonly string[]
  /** The value if it is omitted. */
  readonly default?: string
  /** Required if another field, by its name, matches the pattern. */
  readonly requiredWhen?: Readonly<Record<string, string>>
}

/** One fault of the input. `at` is a JSON pointer into the `KeyCheck`, as in a `Field`. */
export interface InputFault {
  readonly at: string
  readonly detail: string
}

/** No check was made. The message and the faults contain no part of the credential. */
export class KeyCheckError extends Error {
  /** `closed`: after `close()`. */
  readonly code: 'input_invalid' | 'provider_unsupported' | 'closed'
  readonly faults: readonly InputFault[]

  constructor(code: KeyCheckError['code'], message: string, faults: readonly InputFault[] = []) {
    super(message)
    this.name = 'KeyCheckError'
    this.code = code
    this.faults = faults
  }
}

/** An error for input that cannot be a credential, with a pointer for each fault. */
export function inputError(faults: readonly InputFault[]): KeyCheckError {
  return new KeyCheckError('input_invalid', faults[0]?.detail ?? 'The input is not valid.', faults)
}
