/**
 * The step in which a call failed: connecting through a proxy, finding the address, connecting, the TLS handshake, waiting for the head of
 * the answer, or reading its body.
 */
export type Phase = 'proxy' | 'dns' | 'connect' | 'tls' | 'headers' | 'body'

/** One call to a provider. */
export interface Call {
  readonly provider: string
  readonly keyType: string
  /** What the key looks like, such as `any`. */
  readonly shape: string
  readonly status?: number
  /** Why there was no usable answer: an error code, such as `ECONNRESET` or `DEPTH_ZERO_SELF_SIGNED_CERT`. */
  readonly errorCode?: string
  /** Where the call failed. Absent if that is unknown, because the check ended first. */
  readonly phase?: Phase
  /** The host of a failed call, with `*` for a part that comes from the credential. In the phase `proxy`, the proxy. */
  readonly host?: string
  /** What the answer proved, in one word. */
  readonly outcome: string
  /** A rate limit or a lockout: the provider gets no more calls for a while. */
  readonly isBusy: boolean
  /** The address of this server, if the provider refuses it and names it. */
  readonly refusedAddress?: string
  /** Cloudflare's request id. */
  readonly cfRay?: string
  readonly durationMs: number
}

/** One call with its answer. */
export interface AnsweredCall {
  /** `path` may contain parts of the credential that are not secret. */
  readonly request: { readonly method: 'GET' | 'POST'; readonly path: string }
  readonly answer: Answer | NoAnswer
  /** What the answer proved: a verdict, or the next step of the check. */
  readonly kind: string
  /** The same in one word, as in `Call`. */
  readonly outcome: string
}

export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined if it is not JSON. */
  readonly body: unknown
  readonly text: string
}

interface NoAnswer {
  readonly kind: 'failure'
  readonly code: string
}
