import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The client that a request comes from. */
export interface ClientAddress {
  /** An IP address, in one spelling. */
  readonly address: string
  /** The address is that of a proxy that is not named in MUSTER_TRUSTED_PROXIES: any number of clients share it. */
  readonly isShared: boolean
}

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * Reads the address of the client: the rightmost one in X-Forwarded-For, or without that header in Forwarded (RFC 7239), that is not a
 * trusted proxy. An entry that is no address makes it the address of the peer, the other end of the connection. `trusted` are addresses
 * and networks.
 */
export function clientAddressReader(trusted: readonly string[]): (request: Received) => ClientAddress {
  const isTrusted = networkTest(trusted)
  return ({ headers, socket }) => {
    const peer = spelled(socket.remoteAddress ?? '') ?? '::'
    const entries = forwardedFor(headers)
    if (entries === undefined) return { address: peer, isShared: false }
    if (trusted.length === 0) return { address: peer, isShared: isLocal(peer) }
    return { address: rightmostUntrusted(peer, entries, isTrusted), isShared: false }
  }
}

/** Whether a peer may be a proxy, from which connections of any number of clients come. */
export function proxyTest(trusted: readonly string[]): (peer: string) => boolean {
  const isTrusted = networkTest(trusted)
  return (peer) => {
    const address = spelled(peer)
    return address === undefined || (trusted.length === 0 ? isLocal(address) : isTrusted(address))
  }
}

/** Whether an address is one of these, or in one of these networks. */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map(rangeOf)
  return (address) => {
    const known = spelled(address)
    return known !== undefined && ranges.some((range) => isWithin(known, range))
  }
}

function rightmostUntrusted(peer: string, entries: readonly string[], isTrusted: (address: string) => boolean): string {
  let address = peer
  for (const entry of [...entries].reverse()) {
    if (!isTrusted(address)) return address
    const next = addressIn(entry)
    if (next === undefined) return peer
    address = next
  }
  return address
}

/** The entries of the header, the nearest proxy last. */
function forwardedFor({ 'x-forwarded-for': list, forwarded }: IncomingHttpHeaders): readonly string[] | undefined {
  // Several lines of X-Forwarded-For arrive joined. Most proxies write this one and pass the other on as the client sent it.
  if (list !== undefined) return String(list).split(',').filter(isFilled)
  return forwarded === undefined ? undefined : partsOf(forwarded, ',').filter(isFilled).map(forOf)
}

function isFilled(entry: string): boolean {
  return entry.trim() !== ''
}

/** The value of `for` in one element of Forwarded; empty where it has none. */
function forOf(element: string): string {
  for (const pair of partsOf(element, ';')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    if (name.trim().toLowerCase() === 'for') return value
  }
  return ''
}

/** Splits at a separator outside of quotes. */
function partsOf(text: string, separator: ',' | ';'): string[] {
  return text.match(separator === ',' ? /(?:"[^"]*"?|[^,"])+/g : /(?:"[^"]*"?|[^;"])+/g) ?? []
}

/** `ip`, `ip:port`, `[v6]` or `[v6]:port`, each also in quotes. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const [, bracketed, beforePort] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  // A zone has a meaning only on the machine that wrote it.
  return text.includes('%') ? undefined : spelled(bracketed ?? beforePort ?? text)
}

/** RFC 5952, and an IPv4 address mapped into IPv6 as the IPv4 address. */
function spelled(address: string): string | undefined {
  if (isIP(address) === 0) return undefined
  if (isIP(address) === 4) return address
  return ipaddr.process(address.replace(/%.*$/, '')).toString()
}

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.toByteArray().length * 8]
}

function isWithin(address: string, [network, bits]: Range): boolean {
  const parsed = ipaddr.parse(address)
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}

/** Loopback, private (RFC 1918), shared (RFC 6598), link-local and unique local addresses: where a proxy of one's own stands. */
function isLocal(address: string): boolean {
  return ['loopback', 'private', 'carrierGradeNat', 'linkLocal', 'uniqueLocal'].includes(ipaddr.parse(address).range())
}

/** A trusted address or network as an operator sets it. */
export function networkFault(value: string): string | undefined {
  if (!ipaddr.isValidCIDR(value))
    return ipaddr.isValid(value) ? undefined : 'must contain addresses or networks such as 10.1.2.0/24.'
  const [address] = ipaddr.parseCIDR(value)
  // The length counts bits of IPv6: some readers take ::ffff:10.0.0.0/8 for every IPv4 address (CVE-2026-92395).
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  return isMapped ? 'must contain IPv4 networks as 10.1.2.0/24, and not as ::ffff:10.1.2.0/120.' : undefined
}
