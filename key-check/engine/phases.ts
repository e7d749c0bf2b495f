import { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { Tunnel } from '../api.ts'
import type { Phase } from '../calls.ts'
import { type AddressRule, guardedConnector, readAddress } from './addresses.ts'

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
export function tunnelConnector(
  connect: buildConnector.connector,
  { tunnel, timeoutMs, isAllowed }: TunnelOptions,
): buildConnector.connector {
  const direct = phasedConnector(connect, isAllowed)
  return (options, done) => {
    const isRefused = readAddress(options.hostname) !== undefined && !isAllowed(options.hostname)
    const opening = isRefused ? undefined : tunnel?.(options, timeoutMs)
    if (!opening) return direct(options, done)
    const fail = (reason: unknown) => {
      const error = reason instanceof Error ? reason : new Error('not connected', { cause: reason })
      note(error, 'proxy')
      done(error, null)
    }
    opening.then(
      (socket) => (options.protocol === 'https:' ? secure(connect, options, socket, done) : done(null, socket)),
      fail,
    )
  }
}

/** TLS with the target, within the connection through the proxy. */
function secure(
  connect: buildConnector.connector,
  options: buildConnector.Options,
  httpSocket: Socket,
  done: buildConnector.Callback,
): void {
  connect({ ...options, httpSocket }, (...result) => {
    note(result[0], 'tls')
    done(...result)
  })
}

/** A guarded connector that notes the phase of each error. */
function phasedConnector(connect: buildConnector.connector, isAllowed: AddressRule): buildConnector.connector {
  const guarded = guardedConnector(watched(connect), isAllowed)
  return (options, done) =>
    guarded(options, (...result) => {
      note(result[0], 'connect')
      done(...result)
    })
}

/** Follows the connection by the events of its socket: error codes such as ECONNRESET occur in several phases. */
function watched(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) => {
    let phase: Phase = readAddress(options.hostname) ? 'connect' : 'dns'
    // undici returns the socket, although its type does not say so.
    const socket: unknown = connect(options, (...result) => {
      note(result[0], phase)
      done(...result)
    })
    if (!(socket instanceof Socket)) return
    socket.on('lookup', (error) => {
      if (!error) phase = 'connect'
    })
    socket.once('connect', () => {
      phase = 'tls'
    })
  }
}

/** The first note counts. */
function note(error: Error | null, phase: Phase): void {
  if (error && !phases.has(error)) phases.set(error, phase)
}
