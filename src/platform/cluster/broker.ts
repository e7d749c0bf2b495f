import type { Worker } from 'node:cluster'
import type { Message, PeerMessage } from './messages.ts'

export interface Broker {
  /** Passes a message on to the worker that it names, or to every worker but its sender. */
  forward(from: Worker, message: PeerMessage): void
  /** Sends a worker that has just started the messages that were retained for it. */
  replayTo(worker: Worker): void
}

/** Runs in the primary: workers have no channel to each other. */
export function createBroker(workers: ReadonlySet<Worker>): Broker {
  const retained = new Map<string, PeerMessage>()

  function retain(message: PeerMessage): void {
    if (message.retain) retained.set(`${message.topic} ${message.retain.key}`, message)
  }

  return {
    forward(from, message) {
      retain(message)
      for (const worker of workers)
        if (worker !== from && (message.to ?? worker.id) === worker.id) sendTo(worker, message)
    },
    replayTo(worker) {
      for (const [key, message] of retained)
        if (message.retain && message.retain.untilMs > Date.now()) sendTo(worker, message)
        else retained.delete(key)
    },
  }
}

/** A worker that exits at this moment does not receive it; its successor starts with an empty state anyway. */
export function sendTo(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, undefined, () => undefined)
}
