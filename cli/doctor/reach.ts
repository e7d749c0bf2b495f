import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { addressRefused, addressRule, guardedLookup, readAddress } from '../../src/platform/addresses.ts'

/** Node runs four name lookups at a time, so that the last of many hosts waits for the others. */
const timeoutMs = 10_000

/**
 * Tries a connection to the host of this address, with TLS for https; returns the code of the fault, or undefined. Sends nothing. It
 * allows the same addresses as a key check.
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

/** The code of an error. A host with several addresses fails with the errors of all of them at once. */
function codeOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error && 'code' in first ? String(first.code) : 'unknown'
}
