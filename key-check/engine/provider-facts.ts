import type { KeyType } from '../api.ts'
import type { Capabilities } from './answers.ts'

export interface KeyTypeFacts {
  /** The provider's name for the key, at most 40 characters, usable inside a sentence. */
  readonly label: string
  /** The credential has the email address of the account. */
  readonly email?: 'required'
  /** The name of the value in `apiKey`, if it differs from the label. */
  readonly keyLabel?: string
  /** The owner chooses the value, such as a password, so it may be any text and is not recognized as a mistake. */
  readonly isChosen?: true
  /** The key is a file with several lines. */
  readonly isMultiline?: true
  /** Why the values cannot be such a credential, if that is certain without a call. */
  readonly faultOf?: (apiKey: string, parts: Readonly<Record<string, string>>) => CredentialFault | undefined
  /** The other values of the credential, by the provider's names in camel case. */
  readonly parts?: PartInfos
  /** Why every valid key of this type is more powerful than needed: the text of `details.advice`. */
  readonly advice?: string
  /** The published form of the key. */
  readonly publishedForm?: PublishedForm
}

/** What users paste in place of a credential. */
export type Mistake =
  | 'variable_name'
  | 'masked'
  | 'no_value'
  | 'placeholder'
  | 'secret_reference'
  | 'web_address'
  | 'email_address'
  | 'domain_name'
  | 'pem_block'
  | 'encoded_text'
  | 'several_values'

/** `part` and `other` are labels. */
export type CredentialFault =
  | { readonly reason: 'malformed' }
  | { readonly reason: 'malformed_part' | 'pem_block'; readonly part: string }
  /** Two values contradict each other, or one stands in the field of the other. */
  | { readonly reason: 'unmatched_parts' | 'other_part'; readonly part: string; readonly other: string }

/** A value of a credential besides the key, such as the id of a secret. Required by default. */
export interface PartInfo {
  /** The provider's name for the part, usable inside a sentence. */
  readonly label: string
  readonly isSecret?: true
  readonly isOptional?: true
  /** An address that this server calls from: filled in if the operator has configured it. */
  readonly isOutgoingAddress?: true
  /** The value of an optional part that is missing. Default: the first of `options`. */
  readonly byDefault?: string
  /** As of a key type, for example for a user name. */
  readonly isChosen?: true
  /** Required if another part matches the pattern. Use with `isOptional`. */
  readonly requiredWhen?: Readonly<Record<string, string>>
  /** The allowed values. The first is the default of an optional part. */
  readonly options?: readonly string[]
  /** What the value usually looks like. A form may warn about it, and the message about a rejected credential does; it decides nothing. */
  readonly pattern?: string
  /** What the value must look like, because it becomes part of a path. Anything else is a 400. */
  readonly mustMatch?: string
  readonly example?: string
  readonly publishedForm?: PublishedForm
}

/**
 * A published form that identifies this provider's values. Detects a value in the wrong field. It never rejects a value in the right field,
 * because providers change their formats.
 */
export interface PublishedForm {
  /** Matches the whole value. Must not match another provider's values by chance. */
  readonly pattern: string
  readonly source: string
}

export type PartInfos = Readonly<Record<string, PartInfo>>

/** The result of a check. `undetermined` proves nothing: a 502, 503 or 504 is never `isValid: false`. */
export type Outcome = Valid | Invalid | Undetermined

export interface Valid extends Facts {
  readonly kind: 'valid'
  readonly caveat?: Caveat
  /** From the answer that decides, and from the reads of abilities. */
  readonly capabilities?: Capabilities
  /** Whether the key reaches the zone that the check is for. */
  readonly hasZone?: boolean
  /** What makes the credential more powerful than it needs to be. */
  readonly excess?: Excess
  /** A read of abilities failed or was skipped, so a later one may show more. */
  readonly isIncomplete?: true
  /** The write of `proof` was sent, whatever came of it. */
  readonly isProofSent?: true
  /** The address of this server, for `ip_filtered`, if the answer names it. */
  readonly refusedAddress?: string
}

export interface Invalid extends Facts {
  readonly kind: 'invalid'
  readonly reason: InvalidReason
  /** The provider rejects a new credential like this for some seconds. */
  readonly mayBeNew?: true
}

export interface Undetermined {
  readonly kind: 'undetermined'
  readonly reason: UndeterminedReason
  readonly retryAfterSeconds?: number
  /** The address of this server, for `address_refused`, if the answer names it. */
  readonly refusedAddress?: string
}

/** What else the answer says. `label` replaces the label of the key type in the message. */
export interface Facts {
  readonly credential?: string
  readonly label?: string
  /** Instants as the provider sent them, ISO 8601. */
  readonly notBefore?: string
  readonly expiresOn?: string
  /** The provider's own word for the status, sanitized before it is shown. */
  readonly status?: string
  /** The label of the part, for reasons about one part. */
  readonly part?: string
  /** Where the value belongs: the title of another provider, or the label of another part. */
  readonly other?: string
  /** Another cause of the same answer, as a clause without its end. The message names it after the likelier one. */
  readonly or?: string
  readonly hint?: Hint
}

/** The credential is genuine and active, with a restriction that the owner should know. */
export type Caveat =
  | 'limited_permissions'
  | 'ip_filtered'
  | 'state_not_shown'
  | 'account_restricted'
  | 'account_not_entitled'
  | 'service_not_enabled'
  | 'no_zones'
  | 'zones_refused'
  | 'capabilities_unknown'

/** `messages.ts` has a sentence for every reason. */
export type InvalidReason =
  | 'not_recognised'
  | 'wrong_pair'
  | 'wrong_part'
  | 'unknown_part'
  | 'wrong_parts'
  | 'other_provider'
  | 'other_service'
  | 'other_part'
  | Mistake
  | 'ended_service'
  | 'malformed_part'
  | 'unmatched_parts'
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
 * `rate_limited` and `locked_out` start a cool-down of the whole provider. `key_rate_limited` starts one for that credential only; use it
 * only if the provider documents a limit per credential. `refused` is a rejection without a known reason: the credential may be wrong,
 * expired or limited, or the provider may have a temporary problem. `plan_refused` is about the account, `address_refused` and
 * `clock_refused` are about this server: the provider did not check the credential, or does not say so. `share_used`, `network_share_used`
 * and `too_many_failures` hold a check back, so that the provider does not lock this server out.
 */
export type UndeterminedReason =
  | 'unexpected_answer'
  | 'refused'
  | 'plan_refused'
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

/** What the value looks like. A hint improves a message and never decides, because key formats change without notice. */
export type Hint =
  | 'looks_like_global_key'
  | 'looks_like_token'
  | 'looks_like_id'
  | 'looks_like_origin_ca_key'
  | 'looks_like_oauth_token'
  | 'looks_like_secret_id'
  | 'looks_like_dns_console_token'
  | 'looks_mistyped'
  | 'looks_base64'
  | 'looks_quoted'

/** `messages.ts` has a sentence for each. For a type of key that is always too powerful, the key type has the `advice`. */
export type Excess = 'root' | 'everything' | 'all_accounts' | 'manages_users' | 'no_expiry'

/**
 * The provider rejects a new credential until all its servers know it. So `retry(invalid(…))` waits before the second call, and the rejection
 * is soon forgotten.
 */
export interface NewKeys {
  /** The longest time that was reported. */
  readonly settlesAfterMs: number
  readonly source: string
}

/** After a wrong secret of an ID, the provider rejects every other secret of this ID with `wrong_part`, even the right one. */
export interface RivalSecretsFacts {
  /** The part that is the ID. */
  readonly part: string
  /** For so long. */
  readonly afterMs: number
  readonly source: string
}

/** The credential in plain text. Exists only while the headers of one call are built. */
export interface OpenCredential {
  readonly apiKey: string
  readonly email: string
  readonly keyType: KeyType
  /** The other parts, by the names in the key type. */
  readonly parts: Readonly<Record<string, string>>
}

/** Inputs of a signature besides the credential. If the provider rejects the time, it is corrected once from the date of the answer. */
export interface Moment {
  readonly nowMs: number
  readonly nonce: string
}

/**
 * `path` is appended to the base address and never contains a secret. `body` makes the call a POST of JSON, `form` a POST of a form.
 * `origin` is a name in the provider's `origins`; default: the base address. `label` replaces the `*` in the address.
 */
export interface ProviderRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly form?: Readonly<Record<string, string>>
  readonly origin?: string
  readonly label?: string
}

/** What may be used outside the headers: the key type and the shape, never the value. */
export interface CredentialTraits {
  readonly keyType: KeyType
  readonly shape: string
}

/** The provider's answer. `headers` have lower-case names; `body` is the parsed JSON, undefined if it is not JSON. */
export interface ProviderAnswer extends CredentialTraits {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly text: string
  /** Only the beginning was read. `body` is what was complete in it. */
  readonly isCutOff?: true
  /** When it arrived by this server's clock, milliseconds since 1970. */
  readonly nowMs: number
}
