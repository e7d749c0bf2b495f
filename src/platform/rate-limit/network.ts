import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

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
export function widestNetworkOf({
  address,
  isShared,
}: {
  readonly address: string
  readonly isShared: boolean
}): string | undefined {
  return isShared ? undefined : networksOf(address).at(-1)
}

/** Sets all bits after the prefix to zero. `prefix` is a multiple of 8. */
function masked(bytes: readonly number[], prefix: number): string {
  return ipaddr.fromByteArray(bytes.map((byte, index) => (index < prefix / 8 ? byte : 0))).toString()
}
