import dns from 'node:dns'
import { type LookupFunction, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import type { Tunnel } from '../api.ts'
import type { Phase } from '../calls.ts'
import { abandoned, abortable, createQueue } from './backpressure.ts'
import {
  type Carrier,
  http1Carrier,
  http1Options,
  http2Carrier,
  type IncomingAnswer,
  type OutgoingCall,
} from './carriers.ts'
import type { Limits } from './limits.ts'

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

/** The path of `base` is put before the path of each call. */
export function openConnections(base: URL, isConfigured: boolean, options: ConnectionsOptions): Connections {
  const { limits } = options
  const carriers = createCarriers(carrierOpener(base, isConfigured, options), limits.connectionAgeMs)
  const places = createQueue(limits.connectionsMax)
  const prefix = base.pathname.replace(/\/$/, '')

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
    call({ path, ...call }) {
      const answer = places.run(() => carry({ ...call, path: `${prefix}${path}` }))
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

const phases = new WeakMap<object, Phase>()

/** Where a connection failed; undefined for any other error. */
export function connectPhaseOf(error: unknown): Phase | undefined {
  return typeof error === 'object' && error !== null ? phases.get(error) : undefined
}

/** The proxy that gave no connection. */
export function proxyOf(error: unknown): string | undefined {
  if (connectPhaseOf(error) !== 'proxy' || !(error instanceof Error) || !('proxy' in error)) return undefined
  return typeof error.proxy === 'string' ? error.proxy : undefined
}

interface TunnelOptions {
  readonly tunnel: Tunnel | undefined
  readonly timeoutMs: number
  readonly isAllowed: AddressRule
}

/**
 * Connects through the proxy of the target, if it has one. Only literal addresses are checked then: names are the provider's own or the
 * operator's, and this machine may be unable to resolve them.
 */
function tunnelConnector(
  connect: buildConnector.connector,
  { tunnel, timeoutMs, isAllowed }: TunnelOptions,
): buildConnector.connector {
  const direct = guardedConnector(watched(connect), isAllowed)
  return (options, done) => {
    const isRefused = readAddress(options.hostname) !== undefined && !isAllowed(options.hostname)
    const opening = isRefused ? undefined : tunnel?.(options, timeoutMs)
    if (!opening)
      return direct(
        options,
        noting(() => 'connect', done),
      )
    opening.then(
      (httpSocket) => {
        if (options.protocol !== 'https:') return done(null, httpSocket)
        // TLS with the target, within the connection through the proxy.
        connect(
          { ...options, httpSocket },
          noting(() => 'tls', done),
        )
      },
      (reason: unknown) => {
        const error = reason instanceof Error ? reason : new Error('not connected', { cause: reason })
        noting(() => 'proxy', done)(error, null)
      },
    )
  }
}

/** Follows the connection by the events of its socket: error codes such as ECONNRESET occur in several phases. */
function watched(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) => {
    let phase: Phase = readAddress(options.hostname) ? 'connect' : 'dns'
    // undici returns the socket, although its type does not say so.
    const socket: unknown = connect(
      options,
      noting(() => phase, done),
    )
    if (!(socket instanceof Socket)) return
    socket.on('lookup', (error) => {
      if (!error) phase = 'connect'
    })
    socket.once('connect', () => {
      phase = 'tls'
    })
  }
}

/** Notes the phase of an error. The first note counts. */
function noting(phaseOf: () => Phase, done: buildConnector.Callback): buildConnector.Callback {
  return (...result) => {
    const [error] = result
    if (error && !phases.has(error)) phases.set(error, phaseOf())
    done(...result)
  }
}

/** Returns true for addresses that connections may use. */
export type AddressRule = (address: string) => boolean

/**
 * The rule for one base address. A built-in address must be public, whatever its name resolves to, so that a malicious name server cannot
 * redirect a check into a private network. A configured address is trusted: a literal allows only itself; a name also allows private
 * networks, but never link-local ones, where cloud metadata services are.
 */
export function addressRule(host: string, isConfigured: boolean): AddressRule {
  if (!isConfigured) return isPublic
  const literal = readAddress(host)
  if (literal) return (address) => readAddress(address)?.toString() === literal.toString()
  return (address) => isPublic(address) || ownRanges.has(readAddress(address)?.range() ?? '')
}

/** The address in a URL's host, without the brackets of IPv6; undefined for a name. */
export function readAddress(host: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  // `process` turns ::ffff:10.0.0.1 into 10.0.0.1, so that a mapped address is classified as what it is.
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}

const ownRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])

function isPublic(address: string): boolean {
  return readAddress(address)?.range() === 'unicast'
}

export type NameLookup = (
  host: string,
  options: dns.LookupAllOptions,
  done: (error: Error | null, found: dns.LookupAddress[]) => void,
) => void

/** A DNS lookup that fails if any resolved address is not allowed. */
export function guardedLookup(isAllowed: AddressRule, lookup: NameLookup = dns.lookup): LookupFunction {
  return (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const [first] = found
      if (!first || !found.every(({ address }) => isAllowed(address))) return done(addressRefused(), '')
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
}

/** Checks the address of the connected socket. Literal addresses need this because they skip the lookup. */
export function guardedConnector(connect: buildConnector.connector, isAllowed: AddressRule): buildConnector.connector {
  return (options, done) => {
    if (readAddress(options.hostname) && !isAllowed(options.hostname)) return done(addressRefused(), null)
    connect(options, (...result) => {
      const [error, socket] = result
      if (error) return done(error, null)
      if (socket.remoteAddress !== undefined && isAllowed(socket.remoteAddress)) return done(null, socket)
      socket.destroy()
      done(addressRefused(), null)
    })
  }
}

function addressRefused(): Error {
  return Object.assign(new Error('address not allowed'), { code: 'ADDRESS_NOT_ALLOWED' })
}
