import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

import type { Client } from 'pg'

import type { Database } from './database.ts'

/** What the listener tells. Between `onLost` and the next `onConnected` notices are missed: what depends on them is not to be trusted. */
export interface NoticeHandlers {
  /** `payload` is empty where the notice carried none. */
  readonly onNotice: (channel: string, payload: string) => void
  /** Every channel is listened to. Whatever is read from the database after this will be told of later changes. */
  readonly onConnected: () => void
  /** Told once per loss, at once. Before the first `onConnected` nothing is told. */
  readonly onLost: () => void
  /** A connection was made that takes LISTEN and hears nothing, as behind a pooler in transaction mode. Another one is tried. */
  readonly onDeaf: () => void
}

export interface ListenTimes {
  /** A dead peer says nothing: it is found at the latest after `pingEveryMs` + `pingTimeoutMs`. */
  readonly pingEveryMs: number
  readonly pingTimeoutMs: number
  readonly reconnectMinMs: number
  readonly reconnectMaxMs: number
}

export const listenTimes: ListenTimes = {
  pingEveryMs: 8_000,
  pingTimeoutMs: 5_000,
  reconnectMinMs: 100,
  reconnectMaxMs: 5_000,
}

export interface Listener {
  /**
   * Resolves when every notice of what was committed before the call has been told, or the connection is lost. PostgreSQL signals its
   * listeners before it answers a commit, and hands notices over before it answers the next statement of a listener.
   */
  settled(): Promise<void>
  /** Ends the connection; nothing is told afterwards. */
  stop(): Promise<void>
}

/** Listens on one connection of its own until it is stopped, however often that connection is lost. */
export function listen(
  database: Database,
  channels: readonly string[],
  handlers: NoticeHandlers,
  times: ListenTimes = listenTimes,
): Listener {
  const stopping = new AbortController()
  const line: Line = { lastTurn: Promise.resolve() }
  const ended = listenOn({ database, channels, handlers, times, line, stopped: stopping.signal })
  return {
    async settled() {
      const { client } = line
      if (client) await inTurn(line, () => ask(client, 'select 1', times.pingTimeoutMs)).catch(() => client.emit('end'))
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
  readonly handlers: NoticeHandlers
  readonly times: ListenTimes
  readonly line: Line
  readonly stopped: AbortSignal
}

interface Line {
  /** The connection while it listens. */
  client?: Client | undefined
  /** A connection takes one statement at a time. */
  lastTurn: Promise<void>
}

async function listenOn(listening: Listening): Promise<void> {
  const { times, handlers, line, stopped } = listening
  let failures = 0
  while (!stopped.aborted) {
    const client = await connected(listening)
    if (client) {
      failures = 0
      if (!stopped.aborted) {
        line.client = client
        handlers.onConnected()
        await untilLost(client, listening)
        line.client = undefined
        if (!stopped.aborted) handlers.onLost()
      }
      forget(client)
    }
    await pause(reconnectDelayMs(failures, times), stopped)
    failures += 1
  }
}

/** A connection that listens to every channel; undefined when it could not be had. */
async function connected({ database, channels, handlers, times }: Listening): Promise<Client | undefined> {
  const client = await database.connect().catch(() => undefined)
  if (!client) return undefined
  client.on('notification', ({ channel, payload }) => {
    if (channels.includes(channel)) handlers.onNotice(channel, payload ?? '')
  })
  try {
    const canHear = await hears(client, database, times.pingTimeoutMs)
    const text = channels.map((channel) => `listen ${client.escapeIdentifier(channel)}`).join(';')
    await ask(client, text, times.pingTimeoutMs)
    if (canHear) return client
    handlers.onDeaf()
  } catch {
    // Lost before it was of use: tried again.
  }
  forget(client)
  return undefined
}

/**
 * Whether a notice that another connection sends arrives on this one. A pooler in transaction mode takes LISTEN without a word and
 * hands the connection that listens to somebody else.
 */
async function hears(client: Client, database: Database, timeoutMs: number): Promise<boolean> {
  const channel = `hearing_${randomUUID()}`
  const isHeard = new Promise<boolean>((resolve) => {
    client.on('notification', ({ channel: from }) => from === channel && resolve(true))
  })
  await ask(client, `listen ${client.escapeIdentifier(channel)}`, timeoutMs)
  await database.side.query('select pg_notify($1, $2)', [channel, ''])
  // What PostgreSQL has for a connection it hands over before it answers that connection's next statement.
  await ask(client, `unlisten ${client.escapeIdentifier(channel)}`, timeoutMs)
  return Promise.race([isHeard, Promise.resolve(false)])
}

/** Resolves as soon as the connection is known to be lost, or the listener is stopped. */
async function untilLost(client: Client, { times, line, stopped }: Listening): Promise<void> {
  const over = new AbortController()
  const end = () => over.abort()
  client.once('error', end)
  stopped.addEventListener('abort', end, { once: true })
  while (!over.signal.aborted) {
    await pause(times.pingEveryMs, over.signal)
    if (over.signal.aborted) break
    await inTurn(line, () => ask(client, 'select 1', times.pingTimeoutMs)).catch(end)
  }
  stopped.removeEventListener('abort', end)
}

function inTurn(line: Line, work: () => Promise<void>): Promise<void> {
  const turn = line.lastTurn.then(work)
  line.lastTurn = turn.catch(() => undefined)
  return turn
}

async function ask(client: Client, text: string, timeoutMs: number): Promise<void> {
  const query = { text, query_timeout: timeoutMs }
  await client.query(query)
}

/** Not waited for: a dead peer never says goodbye. */
function forget(client: Client): void {
  client.removeAllListeners('notification')
  client.end().catch(() => undefined)
}

/** Doubles up to the maximum; half of it by chance, so that the nodes do not return together. */
function reconnectDelayMs(failures: number, { reconnectMinMs, reconnectMaxMs }: ListenTimes): number {
  const delayMs = Math.min(reconnectMinMs * 2 ** failures, reconnectMaxMs)
  return delayMs / 2 + (Math.random() * delayMs) / 2
}

async function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  await setTimeout(timeMs, undefined, { signal }).catch(() => undefined)
}
