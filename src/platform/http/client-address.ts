import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface ClientAddress {
  /** Normalized IP address of the client. */
  readonly address: string
  /** True if this is the address of a proxy that is missing in MUSTER_TRUSTED_PROXIES, so that many clients may share it. */
  readonly isShared: boolean
}

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * Reads the address of the client: the rightmost address in X-Forwarded-For, or else in Forwarded (RFC 7239), that is not a trusted proxy.
 * If an entry on the way is malformed, returns the address of the peer, the other end of the connection. `trusted` contains addresses and
 * networks.
 */
export function clientAddressReader(trusted: readonly string[]): (request: Received) => ClientAddress {
  const isTrusted = networkTest(trusted)
  return ({ headers, socket }) => {
    const peer = normalized(socket.remoteAddress ?? '') ?? '::'
    const entries = forwardedFor(headers)
    if (entries === undefined) return { address: peer, isShared: false }
    if (trusted.length === 0) return { address: peer, isShared: isLocal(peer) }
    return { address: rightmostUntrusted(peer, entries, isTrusted), isShared: false }
  }
}

/** Tests whether a peer may be a proxy, which connects for many clients. */
export function proxyTest(trusted: readonly string[]): (peer: string) => boolean {
  const isTrusted = networkTest(trusted)
  return (peer) => {
    const address = normalized(peer)
    return address === undefined || (trusted.length === 0 ? isLocal(address) : isTrusted(address))
  }
}

/** Tests whether an address equals one of the addresses, or is in one of the networks. */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map(rangeOf)
  return (address) => {
    const parsed = normalized(address)
    return parsed !== undefined && ranges.some((range) => isWithin(parsed, range))
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

/** The entries of the header. The nearest proxy is last. */
function forwardedFor({ 'x-forwarded-for': list, forwarded }: IncomingHttpHeaders): readonly string[] | undefined {
  // Prefer X-Forwarded-For: most proxies write it, and forward the client's Forwarded unchanged. Node joins several lines.
  if (list !== undefined) return String(list).split(',').filter(isFilled)
  return forwarded === undefined ? undefined : partsOf(forwarded, ',').filter(isFilled).map(forOf)
}

function isFilled(entry: string): boolean {
  return entry.trim() !== ''
}

/** The value of `for` in one element of Forwarded, or an empty string. */
function forOf(element: string): string {
  for (const pair of partsOf(element, ';')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    if (name.trim().toLowerCase() === 'for') return value
  }
  return ''
}

/** Splits at separators outside of quotes. */
function partsOf(text: string, separator: ',' | ';'): string[] {
  return text.match(separator === ',' ? /(?:"[^"]*"?|[^,"])+/g : /(?:"[^"]*"?|[^;"])+/g) ?? []
}

/** Parses `ip`, `ip:port`, `[v6]` or `[v6]:port`, with or without quotes. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const [, bracketed, beforePort] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  // A zone is meaningful only on the machine that wrote it.
  return text.includes('%') ? undefined : normalized(bracketed ?? beforePort ?? text)
}

/** Formats an address by RFC 5952, and an IPv4-mapped address as IPv4. Returns undefined for other text. */
function normalized(address: string): string | undefined {
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

/** Loopback, private (RFC 1918), shared (RFC 6598), link-local and unique local addresses, where an operator's own proxy runs. */
function isLocal(address: string): boolean {
  return ['loopback', 'private', 'carrierGradeNat', 'linkLocal', 'uniqueLocal'].includes(ipaddr.parse(address).range())
}

/** Returns what is wrong with a trusted address or network in a setting, or undefined. */
export function networkFault(value: string): string | undefined {
  if (!ipaddr.isValidCIDR(value))
    return ipaddr.isValid(value) ? undefined : 'must contain addresses or networks such as 10.1.2.0/24.'
  const [address] = ipaddr.parseCIDR(value)
  // The prefix counts bits of IPv6: some parsers read ::ffff:10.0.0.0/8 as all of IPv4 (CVE-2026-92395).
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  return isMapped ? 'must write IPv4 networks as 10.1.2.0/24, not as ::ffff:10.1.2.0/120.' : undefined
}

export interface UntrustedProxies {
  /** Reports a request that an untrusted proxy with this address forwarded. */
  forwarded(address: string): void
}

/** Counts requests from proxies that are missing in MUSTER_TRUSTED_PROXIES, and logs a warning at most once an hour. */
export function watchUntrustedProxies({
  log,
  count,
  elapsedMs = () => performance.now(),
}: {
  readonly log: { warn(facts: object, message: string): void }
  readonly count: () => void
  readonly elapsedMs?: () => number
}): UntrustedProxies {
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    forwarded(address) {
      count()
      if (elapsedMs() - lastMs < hourMs) return
      lastMs = elapsedMs()
      log.warn(
        { proxy: address },
        'an untrusted proxy forwards requests: all its clients share its address, and sign-in attempts are not limited by network. Add the proxy to MUSTER_TRUSTED_PROXIES',
      )
    },
  }
}

const hourMs = 3_600_000

/** Prefix lengths for rate limits, narrowest first. An IPv6 customer controls 64 to 80 bits of an address (RIPE-690 §4.2). */
const prefixes = { ipv4: [32, 24], ipv6: [64, 56, 48] } as const

const unknownNetwork = 'unknown'

/**
 * Returns the networks of an address, narrowest first, such as `192.0.2.1` and `192.0.2.0/24`. Each network has one spelling. An IPv4
 * address mapped into IPv6 counts as IPv4. Returns an empty list for text that is not an IP address.
 */
export function networksOf(address: string): readonly string[] {
  if (isIP(address) === 0) return []
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray()
  const bits = bytes.length * 8
  return prefixes[parsed.kind()].map((prefix) =>
    prefix === bits && parsed.kind() === 'ipv4' ? parsed.toString() : `${masked(bytes, prefix)}/${prefix}`,
  )
}

/** Returns the narrowest network, or `unknown` for text that is not an IP address. */
export function networkOf(address: string): string {
  return networksOf(address)[0] ?? unknownNetwork
}

/** The widest network of a client. Undefined behind an untrusted proxy, because all its clients share one address. */
export function widestNetworkOf({ address, isShared }: ClientAddress): string | undefined {
  return isShared ? undefined : networksOf(address).at(-1)
}

/** Sets all bits after the prefix to zero. `prefix` is a multiple of 8. */
function masked(bytes: readonly number[], prefix: number): string {
  return ipaddr.fromByteArray(bytes.map((byte, index) => (index < prefix / 8 ? byte : 0))).toString()
}
