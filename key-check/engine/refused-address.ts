import { isIP } from 'node:net'
import { readAddress } from './addresses.ts'
import type { TransportFailure } from './classify.ts'
import type { Classification, FoundAbilities, ProviderAnswer } from './provider.ts'

/** Adds the address of this server to a refusal of it, if the provider's answer names one address and no other. */
export function withRefusedAddress<Found extends Classification | FoundAbilities>(
  found: Found,
  answer: ProviderAnswer | TransportFailure,
): Found {
  if (answer.kind === 'failure' || !isRefusal(found)) return found
  const [refusedAddress, ...others] = addressesIn(answer.text)
  return refusedAddress === undefined || others.length > 0 ? found : { ...found, refusedAddress }
}

function isRefusal(found: Classification | FoundAbilities): boolean {
  if ('caveat' in found) return found.caveat === 'ip_filtered'
  return 'reason' in found && found.reason === 'address_refused'
}

/** Each is parsed and written again, so no other text of the provider is passed on. */
function addressesIn(text: string): ReadonlySet<string> {
  const words = text.match(/[0-9A-Fa-f][0-9A-Fa-f:.]{2,44}/g) ?? []
  const addresses = words.map((word) => word.replace(/[.:]$/, '')).filter((word) => isIP(word) !== 0)
  return new Set(addresses.flatMap((address) => readAddress(address)?.toString() ?? []))
}
