import cluster from 'node:cluster'
import { isMessage, type Message, type PeerMessage, type Retention } from './messages.ts'

/** The other workers of this node, and the primary between them, as one worker sees them. */
export interface Peers {
  /** Workers of this node, this one included. */
  readonly count: number
  /** The id of this worker, by which `SendOptions.to` addresses it. */
  readonly workerId: number
  /** A kind of message that workers send each other. Both its ends are made from one declaration, so the payload's type is theirs. */
  topic<Payload>(name: string): Topic<Payload>
  /** Reports that this worker accepts requests. */
  sendReady(address: string): void
  /** Reports why this worker cannot start, and ends the process. */
  sendFailed(reason: string, isExplained: boolean): void
  onStop(handler: () => void): void
}

export interface Topic<Payload> {
  /** Returns at once. A peer that cannot be reached does not receive it. */
  send(payload: Payload, options?: SendOptions): void
  /** Also receives what arrived before this worker was ready. */
  on(handler: (payload: Payload) => void): void
}

export interface SendOptions {
  /** The one worker that receives it; without it every peer does. */
  readonly to?: number
  readonly retain?: Retention
}

export function joinPeers(count: number): Peers {
  const channel = openChannel()
  return {
    count,
    workerId: cluster.worker?.id ?? 0,
    topic: <Payload>(name: string) => openTopic<Payload>(channel, name),
    sendReady(address) {
      channel.stopBuffering()
      channel.send({ muster: 'ready', address })
    },
    sendFailed(reason, isExplained) {
      const message: Message = { muster: 'failed', reason, isExplained }
      process.send?.(message, undefined, undefined, () => process.exit(1))
    },
    onStop(handler) {
      channel.on(({ muster }) => muster === 'stop' && handler())
    },
  }
}

function openTopic<Payload>(channel: Channel, name: string): Topic<Payload> {
  return {
    send: (payload, { to, retain } = {}) => channel.send({ muster: 'peer', topic: name, payload, to, retain }),
    on(handler) {
      channel.on((message) => {
        if (!isOfTopic(message, name)) return
        // Another worker of this same program sent it, through `send` above.
        handler(message.payload as Payload)
      })
    },
  }
}

function isOfTopic(message: Message, name: string): message is PeerMessage {
  return message.muster === 'peer' && message.topic === name
}

type Channel = ReturnType<typeof openChannel>

/** The IPC channel to the primary. */
function openChannel() {
  const handlers: ((message: Message) => void)[] = []
  // While the process starts, handlers are added one by one; each gets the messages that came before it was there.
  let buffered: Message[] | undefined = []
  // Without the primary, which accepts the connections, this worker is of no use.
  cluster.worker?.on('error', () => process.exit(1))
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    buffered?.push(message)
    for (const handler of handlers) handler(message)
  })
  return {
    send(message: Message) {
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
    },
    on(handler: (message: Message) => void) {
      handlers.push(handler)
      for (const message of buffered ?? []) handler(message)
    },
    stopBuffering() {
      buffered = undefined
    },
  }
}
