import dns from 'node:dns'
import type { LookupFunction } from 'node:net'

import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'

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

export function addressRefused(): Error {
  return Object.assign(new Error('address not allowed'), { code: 'ADDRESS_NOT_ALLOWED' })
}
