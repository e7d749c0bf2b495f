/** The words that the contracts and the engine share. No schema is here: the engine also runs without one (docs/embedding-key-checks.md). */

export const keyTypeNames = ['api_token', 'api_key'] as const

/** How well it is known what a provider answers. */
export const certainties = ['documented', 'logged', 'client code', 'guess'] as const

/** What Muster calls what a key may do. A provider has its own words for it. */
export const abilityNames = [
  'zones:list',
  'dns:read',
  'dns:edit',
  'cdn:read',
  'cdn:edit',
  'cdn:purge',
  'cdn:purge_all',
] as const
export type Ability = (typeof abilityNames)[number]

/** A host name in LDH form (RFC 1123 §2.1) of two labels at least; an underscore may stand where a label begins. */
export const zonePattern =
  '^(?:[A-Za-z0-9_](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$'

/** Characters of a credential, or of one part of it. */
export const credentialCharsMax = 4_096
