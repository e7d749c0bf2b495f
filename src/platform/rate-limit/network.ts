import ipaddr from 'ipaddr.js'

/** How many bits of an IPv6 address name the network: a provider gives a household 64 bits or more to choose from. */
const ipv6NetworkBits = 64

/** Of whatever is no address. */
export const unknownNetwork = 'unknown'

/**
 * What is counted instead of a client's address: an IPv4 address as it is, an IPv6 address without what its owner can change.
 * One spelling for each; an IPv4 address mapped into IPv6 is the IPv4 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return unknownNetwork
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, index) => (index < ipv6NetworkBits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${ipv6NetworkBits}`
}
