import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

import type { Client } from 'pg'

import type { Database } from './database.ts'

/** Between `onLost` and the next `onConnected` notifications are missed: state that depends on them is stale. */
export interface NotificationHandlers {
  /** `payload` is empty where the notification carries none. */
  readonly onNotification: (channel: string, payload: string) => void
  /** The connection listens to every channel. Changes to what is read from now on will be notified. */
  readonly onConnected: () => void
  /** Called at once, and once per loss. Nothing is called before the first `onConnected`. */
  readonly onLost: () => void
  /** The connection accepts LISTEN and receives nothing, as behind a pooler in transaction mode. Another connection is tried. */
  readonly onNotifyBlocked: () => void
}

export interface ListenTimings {
  /** A lost link that reports nothing is found after `pingEveryMs` + `pingTimeoutMs` at the latest. */
  readonly pingEveryMs: number
  readonly pingTimeoutMs: number
  readonly reconnectMinMs: number
  readonly reconnectMaxMs: number
}

export const listenTimings: ListenTimings = {
  pingEveryMs: 8_000,
  pingTimeoutMs: 5_000,
  reconnectMinMs: 100,
  reconnectMaxMs: 5_000,
}

export interface Listener {
  /**
   * Resolves when the notifications of every transaction committed before the call have been handled, or the connection is lost.
   * PostgreSQL signals listeners before it confirms a commit, and delivers notifications before the result of the listener's next
   * statement.
   */
  awaitProcessed(): Promise<void>
  /** Ends the connection; no handler is called afterwards. */
  stop(): Promise<void>
}

/** Listens on a connection of its own until it is stopped, and reconnects whenever that connection is lost. */
export function listen(
  database: Database,
  channels: readonly string[],
  handlers: NotificationHandlers,
  timings: ListenTimings = listenTimings,
): Listener {
  const stopping = new AbortController()
  const connection: Connection = { lastStatement: Promise.resolve(), markLost: () => undefined }
  const ended = keepListening({ database, channels, handlers, timings, connection, stopped: stopping.signal })
  return {
    async awaitProcessed() {
      const { client } = connection
      if (!client) return
      await inOrder(connection, () => run(client, 'select 1', timings.pingTimeoutMs)).catch(connection.markLost)
    },
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

interface Listening {
  readonly database: Database
  readonly channels: readonly string[]
  readonly handlers: NotificationHandlers
  readonly timings: ListenTimings
  readonly connection: Connection
  readonly stopped: AbortSignal
}

interface Connection {
  /** Set while it listens. */
  client?: Client | undefined
  /** A connection runs one statement at a time. */
  lastStatement: Promise<void>
  markLost: () => void
}

async function keepListening(listening: Listening): Promise<void> {
  const { timings, handlers, connection, stopped } = listening
  let failures = 0
  while (!stopped.aborted) {
    const client = await connect(listening)
    if (client) {
      failures = 0
      if (!stopped.aborted) {
        connection.client = client
        handlers.onConnected()
        await untilLost(client, listening)
        connection.client = undefined
        if (!stopped.aborted) handlers.onLost()
      }
      discard(client)
    }
    await pause(reconnectDelayMs(failures, timings), stopped)
    failures += 1
  }
}

/** A connection that listens to every channel, or undefined where there is none. */
async function connect({ database, channels, handlers, timings }: Listening): Promise<Client | undefined> {
  const client = await database.connect().catch(() => undefined)
  if (!client) return undefined
  client.on('notification', ({ channel, payload }) => {
    if (channels.includes(channel)) handlers.onNotification(channel, payload ?? '')
  })
  try {
    const isReceiving = await receivesNotifications(client, database, timings.pingTimeoutMs)
    const text = channels.map((channel) => `listen ${client.escapeIdentifier(channel)}`).join(';')
    await run(client, text, timings.pingTimeoutMs)
    if (isReceiving) return client
    handlers.onNotifyBlocked()
  } catch {
    // The connection failed before it was of use; the caller retries.
  }
  discard(client)
  return undefined
}

/**
 * Whether a notification from another connection arrives on this one. A pooler in transaction mode accepts LISTEN without an error
 * and then gives the listening connection to another client.
 */
async function receivesNotifications(client: Client, database: Database, timeoutMs: number): Promise<boolean> {
  const channel = `listen_test_${randomUUID()}`
  const isReceived = new Promise<boolean>((resolve) => {
    client.on('notification', ({ channel: from }) => from === channel && resolve(true))
  })
  await run(client, `listen ${client.escapeIdentifier(channel)}`, timeoutMs)
  await database.side.query('select pg_notify($1, $2)', [channel, ''])
  // PostgreSQL delivers pending notifications before the result of this connection's next statement.
  await run(client, `unlisten ${client.escapeIdentifier(channel)}`, timeoutMs)
  return Promise.race([isReceived, Promise.resolve(false)])
}

/** Resolves as soon as the connection is known to be lost, or the listener is stopped. */
async function untilLost(client: Client, { timings, connection, stopped }: Listening): Promise<void> {
  const over = new AbortController()
  const end = () => over.abort()
  client.once('error', end)
  connection.markLost = end
  stopped.addEventListener('abort', end, { once: true })
  while (!over.signal.aborted) {
    await pause(timings.pingEveryMs, over.signal)
    if (over.signal.aborted) break
    await inOrder(connection, () => run(client, 'select 1', timings.pingTimeoutMs)).catch(end)
  }
  stopped.removeEventListener('abort', end)
}

function inOrder(connection: Connection, work: () => Promise<void>): Promise<void> {
  const statement = connection.lastStatement.then(work)
  connection.lastStatement = statement.catch(() => undefined)
  return statement
}

async function run(client: Client, text: string, timeoutMs: number): Promise<void> {
  const query = { text, query_timeout: timeoutMs }
  await client.query(query)
}

/** Not awaited: on a lost link the server never confirms the end. */
function discard(client: Client): void {
  client.removeAllListeners('notification')
  client.end().catch(() => undefined)
}

/** Doubles up to the maximum; half of it is random, so that the nodes do not reconnect together. */
function reconnectDelayMs(failures: number, { reconnectMinMs, reconnectMaxMs }: ListenTimings): number {
  const delayMs = Math.min(reconnectMinMs * 2 ** failures, reconnectMaxMs)
  return delayMs / 2 + (Math.random() * delayMs) / 2
}

async function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  await setTimeout(timeMs, undefined, { signal }).catch(() => undefined)
}
