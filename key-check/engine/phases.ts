import { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { Phase } from '../calls.ts'
import { type AddressRule, guardedConnector, readAddress } from './addresses.ts'

const phases = new WeakMap<object, Phase>()

/** Where a connection failed; undefined for any other error. */
export function connectPhaseOf(error: unknown): Phase | undefined {
  return typeof error === 'object' && error !== null ? phases.get(error) : undefined
}

/** A guarded connector that notes the phase of each error. */
export function phasedConnector(connect: buildConnector.connector, isAllowed: AddressRule): buildConnector.connector {
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
