import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { addressRule, guardedConnector, guardedLookup } from './addresses.ts'
import type { Carrier, IncomingAnswer, OutgoingCall } from './carrier.ts'
import { http1Carrier, http1Options } from './http1.ts'
import { http2Carrier } from './http2.ts'
import type { Limits } from './limits.ts'
import { abortable } from './pause.ts'
import { createQueue } from './queue.ts'
import { abandoned } from './single-flight.ts'

/** Connections to one origin, made with the first call, and to no address that the rule refuses. */
export interface Connections {
  /** Redirects are not followed, and cookies are not kept. Rejects with an error whose `code` says what happened, or with the signal's reason. */
  call(call: OutgoingCall): Promise<IncomingAnswer>
  close(): Promise<void>
}

export function openConnections(base: URL, isConfigured: boolean, limits: Limits): Connections {
  const carriers = createCarriers(carrierOpener(base, isConfigured, limits), limits.connectionAgeMs)
  const places = createQueue(limits.connectionsMax)

  async function callOver(carrier: Carrier, call: OutgoingCall): Promise<IncomingAnswer> {
    try {
      return await carrier.call(call)
    } catch (error) {
      // Given up on this side says nothing about the connection.
      if (call.signal.reason !== abandoned) carriers.retireAll(carrier)
      throw error
    }
  }

  async function carry(call: OutgoingCall): Promise<IncomingAnswer> {
    call.signal.throwIfAborted()
    const carrier = carriers.ready()
    if (carrier) return callOver(carrier, call)
    const added = await carriers.add()
    call.signal.throwIfAborted()
    // A connection that ended at once fails the call: another one would perhaps end like it, and so on.
    return added.state() === 'full' ? carry(call) : callOver(added, call)
  }

  return {
    call(call) {
      const answer = places.run(() => carry(call))
      return abortable(answer, call.signal)
    },
    close: carriers.destroy,
  }
}

/** What calls go over at the moment. */
function createCarriers(open: () => Promise<Carrier>, ageMs: number) {
  let carriers: readonly { readonly carrier: Carrier; readonly goodUntilMs: number }[] = []
  let opening: Promise<Carrier> | undefined
  let isClosed = false

  async function openOne(): Promise<Carrier> {
    const carrier = await open()
    if (isClosed) await carrier.destroy()
    else carriers = [...carriers, { carrier, goodUntilMs: performance.now() + ageMs }]
    return carrier
  }

  function retireOver(): void {
    const nowMs = performance.now()
    const isOver = ({ carrier, goodUntilMs }: (typeof carriers)[number]) =>
      nowMs >= goodUntilMs || carrier.state() === 'ended'
    for (const { carrier } of carriers.filter(isOver)) carrier.retire()
    carriers = carriers.filter((one) => !isOver(one))
  }

  return {
    /** One on which a call may begin. */
    ready(): Carrier | undefined {
      retireOver()
      return carriers.find(({ carrier }) => carrier.state() === 'ready')?.carrier
    },
    /** Calls that find no room at once wait for the same connection. */
    add(): Promise<Carrier> {
      opening ??= openOne().finally(() => {
        opening = undefined
      })
      return opening
    },
    /** One that went silent looks like a good one: after a failed call no other begins on what was open then. */
    retireAll(failed: Carrier): void {
      if (!carriers.some(({ carrier }) => carrier === failed)) return
      for (const { carrier } of carriers) carrier.retire()
      carriers = []
    },
    async destroy(): Promise<void> {
      isClosed = true
      const open = carriers
      carriers = []
      await Promise.all(open.map(({ carrier }) => carrier.destroy()))
    },
  }
}

/** The first connection tells which protocol the origin speaks. undici, a quarter of all code, is loaded with the first call. */
function carrierOpener(base: URL, isConfigured: boolean, limits: Limits): () => Promise<Carrier> {
  const isAllowed = addressRule(base.hostname, isConfigured)
  const options = { timeout: limits.connectTimeoutMs, lookup: guardedLookup(isAllowed) }
  /** They resume the sessions of TLS that they have made before. */
  let connectors: Readonly<Record<'any' | 'http1', buildConnector.connector>> | undefined
  return async () => {
    const { buildConnector, Pool } = await import('undici')
    connectors ??= {
      any: guardedConnector(buildConnector({ ...options, allowH2: true }), isAllowed),
      http1: guardedConnector(buildConnector(options), isAllowed),
    }
    const first = await connectTo(base, connectors.any)
    if (first instanceof TLSSocket && first.alpnProtocol === 'h2') return http2Carrier(first, base.origin, limits)
    const spare = spareSocket(first)
    return http1Carrier(new Pool(base.origin, http1Options(limits, spare.before(connectors.http1))), spare.discard)
  }
}

function connectTo({ protocol, host, hostname, port }: URL, connect: buildConnector.connector): Promise<Socket> {
  const target = { protocol, host, port, hostname: hostname.replace(/^\[(.*)\]$/, '$1') }
  return new Promise((resolve, reject) =>
    connect(target, (...[error, socket]) => (error ? reject(error) : resolve(socket))),
  )
}

/** A connection that the first call of a pool takes. */
function spareSocket(socket: Socket) {
  let unused: Socket | undefined = socket
  return {
    before: (connect: buildConnector.connector): buildConnector.connector => {
      return (options, done) => {
        const spare = unused
        unused = undefined
        // Later: undici begins no call while it is still asking for a connection.
        if (spare && !spare.destroyed) queueMicrotask(() => done(null, spare))
        else connect(options, done)
      }
    },
    discard: () => void unused?.destroy(),
  }
}
