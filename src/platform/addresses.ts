import dns from 'node:dns'
import type { LookupFunction } from 'node:net'

import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'

/** Returns true if a connection may go to this IP address. */
type AddressRule = (address: string) => boolean

/**
 * Returns the rule for one base URL's host.
 *
 * - Built-in: public addresses only. A lying name server must not turn a check into a request to the private network.
 * - Configured by the operator, as an IP address: this address only.
 * - Configured by the operator, as a name: public and private addresses. Link-local addresses stay blocked, because clouds serve
 *   credentials there.
 */
export function addressRule(host: string, isConfigured: boolean): AddressRule {
  if (!isConfigured) return isPublic
  const literal = readAddress(host)
  if (literal) return (address) => readAddress(address)?.toString() === literal.toString()
  return (address) => isPublic(address) || privateRanges.has(readAddress(address)?.range() ?? '')
}

/** Parses the IP address in a URL's host, with or without the brackets of IPv6. Returns undefined for a name. */
export function readAddress(host: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  // `process` converts ::ffff:10.0.0.1 to 10.0.0.1, so that a mapped address is classified as IPv4.
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}

const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])

function isPublic(address: string): boolean {
  return readAddress(address)?.range() === 'unicast'
}

type NameLookup = (
  host: string,
  options: dns.LookupAllOptions,
  done: (error: Error | null, addresses: dns.LookupAddress[]) => void,
) => void

/** A DNS lookup that fails if any address of the name is not allowed. */
export function guardedLookup(isAllowed: AddressRule, lookup: NameLookup = dns.lookup): LookupFunction {
  return (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isAllowed(address))) return done(addressRefused(), '')
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
}

/** Checks the connected address too: Node does not call the lookup for literal IP addresses. */
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

export function addressRefused(): Error {
  return Object.assign(new Error('address not allowed'), { code: 'ADDRESS_NOT_ALLOWED' })
}
