import { listAt } from '../../engine/answer-body.ts'
import { type Capabilities, type ScopeTable, scopesIn } from '../../engine/capabilities.ts'
import type { ProviderAnswer } from '../../engine/provider.ts'

/** The `permissions` of a zone, without the `#`. */
const zoneRights: ScopeTable = {
  'zone:read': [],
  'zone:edit': [],
  'zone_settings:read': [], // serfriz/caddy-custom-builds#91
  'dns_records:read': ['dns:read'],
  'dns_records:edit': ['dns:read', 'dns:edit'],
}

/**
 * Cloudflare lists with each zone what the caller may do. Since 2025 the list of a token is its own (dns-lexicon @6e4e9e1). A list of a token
 * that names anything else may be the older one, of all that its user may do, and says nothing.
 */
export function rightsIn(zones: readonly unknown[], { keyType }: ProviderAnswer): Capabilities {
  const [words = [], ...others] = zones.map((zone) =>
    (listAt(zone, 'permissions') ?? []).map((word) => String(word).slice(1)),
  )
  const isOwn = keyType === 'api_key' || words.every((word) => Object.hasOwn(zoneRights, word))
  return isOwn && others.every((other) => String(other) === String(words)) ? scopesIn(words, zoneRights) : {}
}
