import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Tunnel } from '../api.ts'
import { addressRule, guardedLookup } from './addresses.ts'
import type { Carrier, IncomingAnswer, OutgoingCall } from './carrier.ts'
import { http1Carrier, http1Options } from './http1.ts'
import { http2Carrier } from './http2.ts'
import type { Limits } from './limits.ts'
import { abortable } from './pause.ts'
import { tunnelConnector } from './phases.ts'
import { createQueue } from './queue.ts'
import { abandoned } from './single-flight.ts'

/** Connections to one origin, opened on the first call, and only to addresses that the rule allows. */
export interface Connections {
  /** Does not follow redirects or keep cookies. Rejects with an error whose `code` is the cause, or with the signal's reason. */
  call(call: OutgoingCall): Promise<IncomingAnswer>
  close(): Promise<void>
}

export interface ConnectionsOptions {
  readonly limits: Limits
  readonly tunnel?: Tunnel | undefined
}

export function openConnections(base: URL, isConfigured: boolean, options: ConnectionsOptions): Connections {
  const { limits } = options
  const carriers = createCarriers(carrierOpener(base, isConfigured, options), limits.connectionAgeMs)
  const places = createQueue(limits.connectionsMax)

  async function callOver(carrier: Carrier, call: OutgoingCall): Promise<IncomingAnswer> {
    try {
      return await carrier.call(call)
    } catch (error) {
      // We cancelled the call; the connection may still be healthy.
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
    // A connection that closed immediately fails the call, so that the call does not reconnect forever.
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

/** The open carriers. */
function createCarriers(open: () => Promise<Carrier>, ageMs: number) {
  let carriers: readonly { readonly carrier: Carrier; readonly retireAtMs: number }[] = []
  let opening: Promise<Carrier> | undefined
  let isClosed = false

  async function openCarrier(): Promise<Carrier> {
    const carrier = await open()
    if (isClosed) await carrier.destroy()
    else carriers = [...carriers, { carrier, retireAtMs: performance.now() + ageMs }]
    return carrier
  }

  function retireExpired(): void {
    const nowMs = performance.now()
    const mustRetire = ({ carrier, retireAtMs }: (typeof carriers)[number]) =>
      nowMs >= retireAtMs || carrier.state() === 'ended'
    for (const { carrier } of carriers.filter(mustRetire)) carrier.retire()
    carriers = carriers.filter((one) => !mustRetire(one))
  }

  return {
    /** A carrier that can start a call. */
    ready(): Carrier | undefined {
      retireExpired()
      return carriers.find(({ carrier }) => carrier.state() === 'ready')?.carrier
    },
    /** Calls without a ready carrier share the next connection. */
    add(): Promise<Carrier> {
      opening ??= openCarrier().finally(() => {
        opening = undefined
      })
      return opening
    },
    /** A silent connection looks healthy, so after a failed call no new call uses the connections that were open at that time. */
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

/** The first connection shows which protocol the origin speaks. Loads undici, a quarter of all code, only on the first call. */
function carrierOpener(
  base: URL,
  isConfigured: boolean,
  { limits, tunnel }: ConnectionsOptions,
): () => Promise<Carrier> {
  const isAllowed = addressRule(base.hostname, isConfigured)
  const options = { timeout: limits.connectTimeoutMs, lookup: guardedLookup(isAllowed) }
  const connectorOf = (connect: buildConnector.connector) =>
    tunnelConnector(connect, { tunnel, timeoutMs: limits.connectTimeoutMs, isAllowed })
  /** Reused, because they resume TLS sessions. */
  let connectors: Readonly<Record<'any' | 'http1', buildConnector.connector>> | undefined
  return async () => {
    const { buildConnector, Pool } = await import('undici')
    connectors ??= {
      any: connectorOf(buildConnector({ ...options, allowH2: true })),
      http1: connectorOf(buildConnector(options)),
    }
    const first = await connectTo(base, connectors.any)
    if (first instanceof TLSSocket && first.alpnProtocol === 'h2') return http2Carrier(first, base.origin, limits)
    const spare = spareSocket(first)
    const pool = new Pool(base.origin, http1Options(limits, spare.before(connectors.http1)))
    return http1Carrier(pool, limits, spare.discard)
  }
}

function connectTo({ protocol, host, hostname, port }: URL, connect: buildConnector.connector): Promise<Socket> {
  const target = { protocol, host, port, hostname: hostname.replace(/^\[(.*)\]$/, '$1') }
  return new Promise((resolve, reject) =>
    connect(target, (...[error, socket]) => (error ? reject(error) : resolve(socket))),
  )
}

/** A connection for the first call of a pool. */
function spareSocket(socket: Socket) {
  let unused: Socket | undefined = socket
  return {
    before: (connect: buildConnector.connector): buildConnector.connector => {
      return (options, done) => {
        const spare = unused
        unused = undefined
        // In a microtask: undici starts no call while its connect function is still running.
        if (spare && !spare.destroyed) queueMicrotask(() => done(null, spare))
        else connect(options, done)
      }
    },
    discard: () => void unused?.destroy(),
  }
}
