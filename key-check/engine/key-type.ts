export interface KeyTypeFacts {
  /** What the provider calls it, at most 40 characters, fit for the middle of a sentence. */
  readonly label: string
  readonly email: 'required' | 'unused'
  /** What belongs into `apiKey`, where that is not the label. */
  readonly keyLabel?: string
  /** The key is a file of several lines. */
  readonly isMultiline?: true
  /** Why a value can be no such key, where that is certain without a call. */
  readonly faultOf?: (apiKey: string) => 'malformed' | undefined
  /** What the credential consists of beside the key, by the provider's own names in camel case. */
  readonly parts?: PartInfos
  /** A sentence for the owner of a valid key of this type, such as that a weaker one would do. */
  readonly advice?: string
  /** Of the key. */
  readonly publishedForm?: PublishedForm
}

/** One part of a credential beside the key itself, such as the id that belongs to a secret. Required unless it says otherwise. */
export interface PartInfo {
  /** What the provider calls it, fit for the middle of a sentence. */
  readonly label: string
  readonly isSecret?: true
  readonly isOptional?: true
  /** Required where another part matches the pattern. Goes with `isOptional`. */
  readonly requiredWhen?: Readonly<Record<string, string>>
  /** The only values. The first one holds where the part is optional and omitted. */
  readonly options?: readonly string[]
  /** What it looks like. A form may warn by it; it never decides. */
  readonly pattern?: string
  /** What it must look like, because it becomes a piece of a path. Anything else is a 400. */
  readonly mustMatch?: string
  readonly example?: string
  readonly publishedForm?: PublishedForm
}

/**
 * A form by which values are known that this provider made. A value of it is recognised where it stands in the wrong place; it never
 * decides about a value in its own place, because providers change their forms.
 */
export interface PublishedForm {
  /** Of the whole value. No other provider's values may have it by chance. */
  readonly pattern: string
  readonly source: string
}

export type PartInfos = Readonly<Record<string, PartInfo>>
