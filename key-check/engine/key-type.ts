export interface KeyTypeFacts {
  /** The provider's name for the key, at most 40 characters, usable inside a sentence. */
  readonly label: string
  readonly email: 'required' | 'unused'
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
