import { importJWK, type JWK } from 'jose'
import { isObject } from './entry-reader.ts'

/**
 * The keys of a published set (RFC 7517 §5) that can verify signatures by one of `algorithms`. Everything else is left out:
 * symmetric, private, short and broken keys, keys for encryption. Throws where nothing is left, so that an issuer that
 * publishes an empty set by mistake does not take everybody's access away.
 */
export async function usableKeys(set: unknown, algorithms: readonly string[]): Promise<readonly JWK[]> {
  const published = isObject(set) && Array.isArray(set.keys) ? set.keys : []
  const kept = new Map<string, JWK>()
  for (const key of published.filter(isObject)) {
    const jwk = publicMembers(key)
    // The same key twice is one key. Two keys under one id stay two, and verifying refuses to choose between them.
    if (await verifies(jwk, key, algorithms)) kept.set(JSON.stringify(jwk), jwk)
  }
  if (kept.size === 0) throw new Error('the set has no key that can be used')
  return [...kept.values()]
}

/** The members that verifying needs. The private ones of a set that was published by mistake are not kept. */
function publicMembers(key: Readonly<Record<string, unknown>>): JWK {
  const members = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use'].map((name) => [name, key[name]])
  return Object.fromEntries(members.filter(([, value]) => typeof value === 'string'))
}

async function verifies(
  jwk: JWK,
  { key_ops: uses }: Readonly<Record<string, unknown>>,
  algorithms: readonly string[],
): Promise<boolean> {
  if (jwk.kty === 'oct' || (jwk.use ?? 'sig') !== 'sig') return false
  if (Array.isArray(uses) && !uses.includes('verify')) return false
  if (jwk.kty === 'RSA' && Buffer.from(jwk.n ?? '', 'base64url').length < rsaBytesMin) return false
  for (const algorithm of jwk.alg === undefined ? algorithms : algorithms.filter((known) => known === jwk.alg))
    if (await imports(jwk, algorithm)) return true
  return false
}

/** RFC 7518 §3.3: 2048 bits or more. */
const rsaBytesMin = 256

async function imports(jwk: JWK, algorithm: string): Promise<boolean> {
  try {
    const key = await importJWK(jwk, algorithm)
    return !(key instanceof Uint8Array) && key.type === 'public'
  } catch {
    return false // another type of key, a point off its curve, a number that is none
  }
}
