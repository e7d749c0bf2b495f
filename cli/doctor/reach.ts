import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { addressRefused, addressRule, guardedLookup, readAddress } from '../../src/key-checks/engine/addresses.ts'

/** Name lookups run four at a time in Node, so that the last of many hosts waits for the others. */
const timeoutMs = 10_000

/**
 * Whether a connection to the host of this address can be had, with TLS where it is https; answers the code of the fault, or nothing.
 * Nothing is sent over it. The addresses that it may go to are those that a key check may go to.
 */
export async function reachFault(address: string, isConfigured: boolean): Promise<string | undefined> {
  const { protocol, hostname, port } = new URL(address)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isAllowed = addressRule(hostname, isConfigured)
  if (readAddress(hostname) && !isAllowed(host)) return codeOf(addressRefused())
  const isTls = protocol === 'https:'
  const place = { host, port: Number(port) || (isTls ? 443 : 80), lookup: guardedLookup(isAllowed) }
  const name = readAddress(hostname) ? {} : { servername: host }
  const socket = isTls ? connectTls({ ...place, ...name }) : connect(place)
  return ended(socket, isTls ? 'secureConnect' : 'connect')
}

async function ended(socket: Socket, success: string): Promise<string | undefined> {
  try {
    return await new Promise<string | undefined>((done) => {
      socket.setTimeout(timeoutMs, () => done('no answer in time'))
      socket.once(success, () => done(undefined))
      socket.on('error', (error) => done(codeOf(error)))
    })
  } finally {
    socket.destroy()
  }
}

/** The code of what went wrong. A host with several addresses fails with all of their errors at once. */
function codeOf(error: unknown): string {
  const held = error instanceof AggregateError ? error.errors[0] : error
  return held instanceof Error && 'code' in held ? String(held.code) : 'unknown'
}
