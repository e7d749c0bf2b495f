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
  /** Only the beginning was read, because the answer is longer than `answerBytesMax`. */
  readonly isCutOff?: true
}

/** The text of an answer, up to the limit. Reads no further. */
export function bodyReader(bytesMax: number) {
  const chunks: Buffer[] = []
  let room = bytesMax
  return {
    /** Whether the limit is exceeded. */
    add(chunk: Buffer): boolean {
      chunks.push(chunk.subarray(0, room))
      room -= chunk.length
      return room < 0
    },
    end: () => ({ text: Buffer.concat(chunks).toString('utf8'), ...(room < 0 && { isCutOff: true as const }) }),
  }
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
