import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The networks that limits count in place of a client's address, from the narrowest to the widest. A provider gives each customer 64
 * bits or more of an IPv6 address to choose from, and up to 80 (RIPE-690 §4.2). Each network has one spelling; an IPv4 address mapped
 * into IPv6 counts as the IPv4 address.
 */
const prefixes = { ipv4: [32, 24], ipv6: [64, 56, 48] } as const

/** The network of a text that is not an IP address. */
export const unknownNetwork = 'unknown'

/** None for a text that is not an IP address. */
export function networksOf(address: string): readonly string[] {
  if (isIP(address) === 0) return []
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray()
  const bits = bytes.length * 8
  return prefixes[parsed.kind()].map((prefix) =>
    prefix === bits && parsed.kind() === 'ipv4' ? parsed.toString() : `${masked(bytes, prefix)}/${prefix}`,
  )
}

/** The narrowest of them. */
export function networkOf(address: string): string {
  return networksOf(address)[0] ?? unknownNetwork
}

/** The bits after a whole number of bytes are zero. */
function masked(bytes: readonly number[], prefix: number): string {
  return ipaddr.fromByteArray(bytes.map((byte, index) => (index < prefix / 8 ? byte : 0))).toString()
}
