import { importJWK, type JWK } from 'jose'
import { isObject } from './entry-reader.ts'

/**
 * The keys of a published set (RFC 7517 §5) that can verify signatures with one of `algorithms`. Skips symmetric, short
 * and broken keys and keys for encryption. Throws if none is left, so that a set published empty by mistake does not
 * lock out all users of the issuer.
 */
export async function usableKeys(set: unknown, algorithms: readonly string[]): Promise<readonly JWK[]> {
  const published = isObject(set) && Array.isArray(set.keys) ? set.keys : []
  const usable = new Map<string, JWK>()
  for (const key of published.filter(isObject)) {
    const jwk = publicMembers(key)
    // Equal keys count once. Different keys with the same id are both kept; jose then rejects the token as ambiguous.
    if (await verifies(jwk, key, algorithms)) usable.set(JSON.stringify(jwk), jwk)
  }
  if (usable.size === 0) throw new Error('the set has no usable key')
  return [...usable.values()]
}

/** Only the members needed for verification. Drops private members that were published by mistake. */
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

/** RFC 7518 §3.3: at least 2048 bits. */
const rsaBytesMin = 256

async function imports(jwk: JWK, algorithm: string): Promise<boolean> {
  try {
    const key = await importJWK(jwk, algorithm)
    return !(key instanceof Uint8Array) && key.type === 'public'
  } catch {
    return false // wrong key type, point not on the curve, or malformed number
  }
}
