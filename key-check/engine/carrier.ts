export interface OutgoingCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal
  /** Called when the head of the answer has arrived. */
  readonly onHead: () => void
}

export interface IncomingAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The transport of calls: one HTTP/2 connection, or HTTP/1.1 connections with one call each. */
export interface Carrier {
  /** `full`: the next call must wait for another to finish. `ended`: no more calls can start. */
  state(): 'ready' | 'full' | 'ended'
  call(call: OutgoingCall): Promise<IncomingAnswer>
  /** Starts no more calls; calls in progress finish. */
  retire(): void
  destroy(): Promise<void>
}
