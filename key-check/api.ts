import type { AnsweredCall, Call } from './calls.ts'
import type { FailureCounts } from './failure-counts.ts'

/** What the library promises. These types are written out, so that an embedder needs no types of its dependencies. */

export const keyTypeNames = ['api_token', 'api_key'] as const
export type KeyType = (typeof keyTypeNames)[number]

/** How well it is known what a provider answers. */
export const certainties = ['documented', 'logged', 'client code', 'guess'] as const

/** What a key may do. A provider has its own words for it. */
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

/** A host name in LDH form (RFC 1123 §2.1) of two labels at least; an underscore may stand where a label begins. */
export const zonePattern =
  '^(?:[A-Za-z0-9_](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$'

/** Characters of a credential, or of one part of it. */
export const credentialCharsMax = 4_096

/** Checks of keys, with connections, caches and limits of their own. One is enough for a process. */
export interface KeyChecks {
  /** The providers whose keys can be checked, by id. */
  providers(): readonly ProviderInfo[]
  /** Calls to the provider each second at most; 0 where nothing limits them or there is no such provider. */
  callsPerSecondMax(provider: string): number
  /**
   * Asks the provider whether it accepts the credential. `undetermined` says nothing about the credential.
   * Rejects with a `KeyCheckError` where the input is no credential that could be sent, and with the reason of the signal where that
   * aborts.
   */
  check(input: KeyCheck): Promise<Result>
  /** Ends the checks under way, closes every connection and forgets the cache. */
  close(): Promise<void>
}

export interface KeyChecksOptions {
  /** Addresses in place of those of the providers, by provider id, such as of a simulator or a proxy. They may be private ones. */
  readonly baseUrls?: Readonly<Record<string, string>>
  readonly limits?: Partial<Limits>
  /** The provider of a check that names none. Default: each check names one. */
  readonly defaultProvider?: string
  /** Called after every call to a provider, for logs and metrics. It gets nothing of the credential. */
  readonly onCall?: (call: Call) => void
  /** Called after every call with the whole answer, which may hold an echo of the credential: for its owner, never for a log. */
  readonly onAnswer?: (call: AnsweredCall) => void
  readonly log?: Log
  /** Where failed keys are counted. Default: in this process. Processes that call providers from one address share it. */
  readonly failureCounts?: FailureCounts
  /** 32 bytes for the digests of credentials, where processes share `failureCounts`. Default: random. */
  readonly digestKey?: Uint8Array
  /** Milliseconds since 1970. Given, it also moves the caches and the limits, which otherwise use a steady clock. */
  readonly now?: () => number
  /** What lists the providers, for the error of an unsupported one. Default `providers()`. */
  readonly listedBy?: string
}

/** The part of a logger, such as pino's, that is used: every call at `debug`, a cool-down that begins at `warn`. */
export interface Log {
  debug(fields: object, text: string): void
  warn(fields: object, text: string): void
}

/** For each provider, where nothing else is said. */
export interface Limits {
  /** Milliseconds for one check, with all its calls and its waiting. Default 5,000. */
  readonly deadlineMs: number
  /** Checks under way. Default 256. */
  readonly checksAtOnceMax: number
  /** Checks that wait behind them; any further one is `provider_busy`. Default 1,000. */
  readonly checksWaitingMax: number
  /** Calls a second; 0 for no bound. Default: what the provider documents, otherwise 50. */
  readonly callsPerSecondMax: number
  /** Milliseconds for which the verdict on a valid key is cached; 0 for none. Default 60,000. */
  readonly cacheValidMs: number
  /** The same for a key that is not valid. Default 10,000. */
  readonly cacheInvalidMs: number
  /** Failed keys within the window after which the provider locks this machine out. Default: what it documents, otherwise 200. */
  readonly lockOutFailures: number
  /** The window, in milliseconds. Default: what the provider documents, otherwise 300,000. */
  readonly lockOutWindowMs: number
}

export interface KeyCheck {
  /** An id of `providers()`. Default: `defaultProvider` of the options. */
  readonly provider?: string | undefined
  readonly keyType: KeyType
  /** As it was pasted: blanks, quotes and the like around it are removed. */
  readonly apiKey: string
  /** Where the key type says `email: 'required'`. */
  readonly email?: string | undefined
  /** The other values of a credential that has several, by the names in `fields`. */
  readonly parts?: Readonly<Record<string, string>> | undefined
  /** Also find out what a valid key can do, by one further call at most. Default false. */
  readonly capabilities?: boolean | undefined
  /** What the key is for, at least one of the two; implies `capabilities`. The answer is `details.fitsPurpose`. */
  readonly for?: Purpose | undefined
  /**
   * One of many keys. It is `provider_busy` while so many keys were refused lately that the provider may soon lock this machine out: six at
   * Cloudflare in five minutes, 120 elsewhere. Checks without it count, and are not held back. Default false.
   */
  readonly bulk?: boolean | undefined
  /** Whether to call the provider although the result is known, unless it is less than 5 s old. Default false. */
  readonly fresh?: boolean | undefined
  /** Whose share of failed keys counts. Default: nobody's. */
  readonly caller?: CheckCaller | undefined
  readonly signal?: AbortSignal | undefined
}

/** Who asks for a check, where one process checks keys for many. */
export interface CheckCaller {
  readonly id: string
  /** Failed keys of this caller within the window; 0 for as many as all callers together may have beside the reserve. */
  readonly failedKeysMax: number
  /** Several callers of one network may be the same person. */
  readonly network?: string | undefined
}

export interface Purpose {
  /** A host name, in ASCII. */
  readonly zone?: string
  readonly ability?: Ability
}

export type Result = Verdict | Undetermined

/** The provider has answered: it accepts the credential as genuine and in force, or it does not. */
export interface Verdict {
  readonly outcome: 'valid' | 'invalid'
  /** One sentence for a person, in English, of 200 characters at most. It holds nothing of the credential. */
  readonly message: string
  readonly details: Details
}

/** Nothing is known about the credential: it may be valid. */
export interface Undetermined {
  readonly outcome: 'undetermined'
  readonly code: UndeterminedCode
  /** One sentence for a person, as in a verdict. */
  readonly message: string
  /** For `provider_busy` and `key_checks_held`, where it is known. */
  readonly retryAfterSeconds?: number
}

export type UndeterminedCode =
  /** It answered something that proves nothing. */
  | 'provider_answer_unexpected'
  /** It refused without a reason that is known. */
  | 'provider_refused'
  /** It refuses calls from the address of this machine. */
  | 'provider_address_refused'
  /** It refuses the time of this machine. */
  | 'provider_clock_refused'
  | 'provider_unreachable'
  /** A rate limit, a lock-out or a risk of one, or too many checks at once. */
  | 'provider_busy'
  | 'provider_timeout'
  /** The caller, or its network, had several failed keys. */
  | 'key_checks_held'

/** What could not be found out is omitted. */
export interface Details {
  readonly provider: string
  /** What was found, stable, such as `valid`, `limited_permissions`, `not_recognised` or `expired_on`. A later version may add codes. */
  readonly code: string
  /** What it turned out to be, such as `user_token`. */
  readonly credential: string
  /** RFC 3339. */
  readonly notBefore?: string
  /** RFC 3339. */
  readonly expiresOn?: string
  /** Limits of a valid credential, or an end that is near: sentences for a person. */
  readonly warnings: readonly string[]
  readonly capabilities?: Capabilities
  /** `yes` and `no` only where a call has shown it. */
  readonly fitsPurpose?: 'yes' | 'no' | 'unknown'
  /** Why, and what is missing: one sentence for a person. */
  readonly purpose?: string
  /** RFC 3339. */
  readonly checkedAt: string
  /** Whether the verdict comes from the cache. */
  readonly cached: boolean
}

export interface Capabilities {
  /** In the words of the provider. */
  readonly scopes?: readonly string[]
  readonly abilities?: readonly Ability[]
  /** What it may not do. What is in neither list is not known. */
  readonly lacks?: readonly Ability[]
  /** The provider also limits it to what its owner may do, and that was not read. */
  readonly limitedByOwner?: true
  readonly zonesVisible?: number
  /** All of them where there are as many as `zonesVisible`, otherwise the first. */
  readonly zones?: readonly string[]
  readonly services?: readonly string[]
  /** Where it may be used from (IP or CIDR). */
  readonly addresses?: readonly string[]
}

export interface ProviderInfo {
  readonly id: string
  readonly title: string
  /** The documentation of its API. */
  readonly docs: string
  /** Where its customers make a key. */
  readonly keyPage: string
  readonly keyTypes: readonly KeyTypeInfo[]
  /** How well it is known what it answers. */
  readonly certainty: (typeof certainties)[number]
  readonly remarks?: string
}

export interface KeyTypeInfo {
  readonly keyType: KeyType
  /** What the provider calls it. */
  readonly label: string
  readonly email: 'required' | 'unused'
  /** The first call of a check, by method and address. */
  readonly asked: string
  /** What the credential consists of, in the order of a form. */
  readonly fields: readonly Field[]
}

export interface Field {
  readonly name: string
  /** Where the value goes in a `KeyCheck`: a JSON pointer, such as `/apiKey` or `/parts/accessKeyId`. */
  readonly at: string
  readonly label: string
  /** Whether a form hides what is typed. */
  readonly secret: boolean
  readonly required: boolean
  readonly multiline: boolean
  /** What it usually looks like: for a warning in a form. A check does not use it. */
  readonly pattern?: string
  readonly example?: string
  /** The only values. */
  readonly options?: readonly string[]
  /** What holds where it is omitted. */
  readonly default?: string
  /** Required where another field, by its name, matches the pattern. */
  readonly requiredWhen?: Readonly<Record<string, string>>
}

/** One fault of the input. `at` is a JSON pointer into the `KeyCheck`, as in a `Field`. */
export interface InputFault {
  readonly at: string
  readonly detail: string
}

/** No check was made. The message and the faults hold nothing of the credential. */
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

/** Input that is no credential that could be sent: each fault at its place. */
export function inputError(faults: readonly InputFault[]): KeyCheckError {
  return new KeyCheckError('input_invalid', faults[0]?.detail ?? 'The input is not valid.', faults)
}
