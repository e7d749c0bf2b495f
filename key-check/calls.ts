/** One call to a provider. */
export interface Call {
  readonly provider: string
  readonly keyType: string
  /** A class of what the key looks like, such as `any`. */
  readonly shape: string
  /** The status of its answer. */
  readonly status?: number
  /** Why there was no answer. */
  readonly errorCode?: string
  /** What the answer proved, in one word. */
  readonly outcome: string
  /** A rate limit or a lock-out: the provider gets no further call for a while. */
  readonly isBusy: boolean
  /** The id of a request at Cloudflare. */
  readonly cfRay?: string
  readonly durationMs: number
}

/** One call with its answer. */
export interface AnsweredCall {
  /** `path` may hold parts of the credential that are no secret. */
  readonly request: { readonly method: 'GET' | 'POST'; readonly path: string }
  readonly answer: Answer | NoAnswer
  /** What the answer proved: a verdict, or what the check does next. */
  readonly kind: string
  /** The same in one word, as in `Call`. */
  readonly outcome: string
}

export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where it is not JSON. */
  readonly body: unknown
  readonly text: string
}

export interface NoAnswer {
  readonly kind: 'failure'
  readonly code: string
}
