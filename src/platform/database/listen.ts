import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
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
  /**
   * A heartbeat is about to be sent through the server to this connection. The result is called when it has arrived: PostgreSQL delivers
   * notifications in the order of their commits, so all earlier ones have arrived too.
   */
  readonly onHeartbeat: () => () => void
}

export interface ListenTimings {
  /** A lost link that reports nothing is found after `heartbeatEveryMs` + `heartbeatTimeoutMs` at the latest. */
  readonly heartbeatEveryMs: number
  readonly heartbeatTimeoutMs: number
  /** A heartbeat that has not arrived after this is a reason to look which host accepts writes. */
  readonly heartbeatLateMs: number
  readonly reconnectMinMs: number
  readonly reconnectMaxMs: number
}

export const listenTimings: ListenTimings = {
  heartbeatEveryMs: 1_000,
  heartbeatTimeoutMs: 5_000,
  heartbeatLateMs: 2_000,
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
  /** Sends a heartbeat now, where there is a connection. */
  sendHeartbeat(): void
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
  const connection: Connection = { lastStatement: Promise.resolve(), markLost: () => undefined, moves: 0 }
  const listening = { database, channels, handlers, timings, connection, stopped: stopping.signal }
  // What another host notifies does not arrive here.
  const forget = database.onMoved(() => {
    connection.moves += 1
    connection.markLost()
  })
  const ended = keepListening(listening).finally(forget)
  return {
    async awaitProcessed() {
      const { client } = connection.link ?? {}
      if (!client) return
      await inOrder(connection, () => run(client, 'select 1', timings.heartbeatTimeoutMs)).catch(connection.markLost)
    },
    sendHeartbeat() {
      if (connection.link) void beat(connection.link, listening)
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

/** A connection that listens, and the channel of its own heartbeats. */
interface Link {
  readonly client: Client
  readonly heartbeatChannel: string
}

interface Connection {
  /** Set while it listens. */
  link?: Link | undefined
  /** A connection runs one statement at a time. */
  lastStatement: Promise<void>
  markLost: () => void
  /** How often another host was found to be the primary. */
  moves: number
}

async function keepListening(listening: Listening): Promise<void> {
  const { timings, handlers, connection, stopped } = listening
  let failures = 0
  while (!stopped.aborted) {
    const link = await connect(listening)
    if (link) {
      failures = 0
      if (!stopped.aborted) {
        connection.link = link
        handlers.onConnected()
        await untilLost(link, listening)
        connection.link = undefined
        if (!stopped.aborted) {
          handlers.onLost()
          void cancelHeartbeat(link, listening)
        }
      }
      discard(link.client)
    }
    await pause(reconnectDelayMs(failures, timings), stopped)
    failures += 1
  }
}

/** A connection that listens to every channel, or undefined where there is none. */
async function connect({ database, channels, handlers, timings, connection }: Listening): Promise<Link | undefined> {
  const before = connection.moves
  const client = await database.connect().catch(() => undefined)
  if (!client) return undefined
  const link = { client, heartbeatChannel: `muster_heartbeat_${randomUUID()}` }
  client.on('notification', ({ channel, payload }) => {
    if (channels.includes(channel)) handlers.onNotification(channel, payload ?? '')
  })
  try {
    const heartbeats = countHeartbeats(link)
    await run(client, `listen ${client.escapeIdentifier(link.heartbeatChannel)}`, timings.heartbeatTimeoutMs)
    // From another connection. A pooler in transaction mode accepts LISTEN and then gives the listening connection to another client.
    await database.side.query({ name: '', text: 'select pg_notify($1, $2)' }, [link.heartbeatChannel, ''])
    const text = channels.map((channel) => `listen ${client.escapeIdentifier(channel)}`).join(';')
    // PostgreSQL delivers pending notifications before the result of this connection's next statement.
    await run(client, text, timings.heartbeatTimeoutMs)
    // The notification went through another host: that says nothing about this connection, which is of no use any more.
    const isMoved = connection.moves !== before
    if (heartbeats.end() > 0 && !isMoved) return link
    if (!isMoved) handlers.onNotifyBlocked()
  } catch {
    // The connection failed before it was of use; the caller retries.
  }
  discard(client)
  return undefined
}

/** Counts the heartbeats that arrive, until `end`. */
function countHeartbeats({ client, heartbeatChannel }: Link): { end(): number } {
  let count = 0
  const receive = ({ channel }: { readonly channel: string }) => {
    if (channel === heartbeatChannel) count += 1
  }
  client.on('notification', receive)
  return {
    end() {
      client.off('notification', receive)
      return count
    },
  }
}

/** Resolves as soon as the connection is known to be lost, or the listener is stopped. */
async function untilLost(link: Link, listening: Listening): Promise<void> {
  const { timings, connection, stopped } = listening
  const over = new AbortController()
  const end = () => over.abort()
  const lost = once(over.signal, 'abort')
  link.client.once('error', end)
  connection.markLost = end
  stopped.addEventListener('abort', end, { once: true })
  while (!over.signal.aborted) {
    // Not waited for where the connection is known to be lost: its answer never comes.
    await Promise.race([beat(link, listening), lost])
    await pause(timings.heartbeatEveryMs, over.signal)
  }
  stopped.removeEventListener('abort', end)
}

/** Sends one heartbeat and waits until it has arrived. One that fails or does not arrive means that the connection is lost. */
async function beat(link: Link, { database, connection, handlers, timings }: Listening): Promise<void> {
  const { client } = link
  const { markLost } = connection
  await inOrder(connection, async () => {
    const heartbeats = countHeartbeats(link)
    const arrived = handlers.onHeartbeat()
    const answered = new AbortController()
    void pause(timings.heartbeatLateMs, answered.signal).then(() => {
      if (!answered.signal.aborted) database.suspect()
    })
    await run(client, heartbeatText(link), timings.heartbeatTimeoutMs).finally(() => answered.abort())
    if (heartbeats.end() > 0) arrived()
    else markLost()
  }).catch(markLost)
}

/**
 * A server with synchronous standbys confirms a heartbeat only when one of them has received it: an old primary, whose standbys follow
 * another server, can confirm none. A notification alone would not wait for them, because it writes nothing to the log. Without such
 * standbys a heartbeat is committed asynchronously: it waits for no disk, and has nothing to lose.
 */
function heartbeatText({ client, heartbeatChannel }: Link): string {
  return `select
    case current_setting('synchronous_standby_names')
      when '' then set_config('synchronous_commit', 'off', true)
      else set_config('synchronous_commit', 'remote_write', true) || pg_logical_emit_message(true, 'muster_heartbeat', '')
    end,
    pg_notify(${client.escapeLiteral(heartbeatChannel)}, '')`
}

/** One that waits for a standby waits for good, also after its client has gone, and keeps its connection and the lock of notifications. */
async function cancelHeartbeat({ heartbeatChannel }: Link, { database }: Listening): Promise<void> {
  const text = `
    select pg_cancel_backend(pid) from pg_stat_activity
    where usename = current_user and pid <> pg_backend_pid() and strpos(query, $1) > 0`
  // A server that does not answer ends its connections by itself.
  await database.side.query({ name: '', text }, [heartbeatChannel]).catch(() => undefined)
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
