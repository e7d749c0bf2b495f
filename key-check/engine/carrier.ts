export interface OutgoingCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal
}

export interface IncomingAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What calls go over: one connection of HTTP/2, or connections of HTTP/1.1 with one call each. */
export interface Carrier {
  /** Whether a further call may begin, must wait for another to end, or cannot begin any more. */
  state(): 'ready' | 'full' | 'ended'
  call(call: OutgoingCall): Promise<IncomingAnswer>
  /** No call begins any more; those under way end. */
  retire(): void
  destroy(): Promise<void>
}
