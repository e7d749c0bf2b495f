import type { KeyType } from '../api.ts'

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
