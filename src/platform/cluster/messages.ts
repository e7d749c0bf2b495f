/** What the processes of one node send over their IPC channel. Node and libraries send messages of their own through the same channel. */
export type Message =
  /** Worker to primary: this worker accepts requests. */
  | { readonly muster: 'ready'; readonly address: string }
  /** Worker to primary: this worker cannot start. `reason` is a sentence where `isExplained`, otherwise a stack. */
  | { readonly muster: 'failed'; readonly reason: string; readonly isExplained: boolean }
  /** Primary to worker: finish the requests in flight and exit. */
  | { readonly muster: 'stop' }
  | PeerMessage

/** Worker to worker, through the broker in the primary. */
export interface PeerMessage {
  readonly muster: 'peer'
  readonly topic: string
  readonly payload: unknown
  /** The one worker that receives it. Without it every other worker does. */
  readonly to?: number | undefined
  readonly retain?: Retention | undefined
}

/** The broker keeps the last message of a topic and key until then, for workers that start later. */
export interface Retention {
  readonly key: string
  readonly untilMs: number
}

export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'muster' in value && typeof value.muster === 'string'
}
