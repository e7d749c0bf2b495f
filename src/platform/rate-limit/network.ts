import ipaddr from 'ipaddr.js'

/** The network part of an IPv6 address: a provider gives each household 64 bits or more to choose addresses from. */
const ipv6NetworkBits = 64

/** The network of a text that is not an IP address. */
export const unknownNetwork = 'unknown'

/** The longest address that tables accept. An IPv6 address has no bound: the name of a zone may follow it. */
const addressLengthMax = 100

/** A client's address as it is stored and shown; `unknown` for a text that is none. */
export function describeAddress(address: string): string {
  return ipaddr.isValid(address) ? address.slice(0, addressLengthMax) : unknownNetwork
}

/**
 * The key that limits count instead of a client's address: a whole IPv4 address, or an IPv6 address without the bits that its
 * owner can change. Each network has one spelling; an IPv4 address mapped into IPv6 counts as the IPv4 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return unknownNetwork
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, index) => (index < ipv6NetworkBits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${ipv6NetworkBits}`
}
