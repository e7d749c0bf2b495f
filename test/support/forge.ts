import { createHmac, createPublicKey, type KeyObject, KeyObject as KeyObjects, sign as signWith } from 'node:crypto'
import type { SigningKey } from './issuer.ts'

export type Json = Readonly<Record<string, unknown>>

/** A compact JWS with any header, any payload and a right signature: what a library for tokens refuses to make. */
export function forge(header: unknown, payload: unknown, key: SigningKey | string): string {
  const alg = typeof key === 'string' ? algOf(header, 'HS256') : algOf(header, key.alg)
  const input = `${part(header)}.${part(payload)}`
  return `${input}.${signatureOf(input, alg, key)}`
}

export function part(value: unknown): string {
  const bytes = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)
  return Buffer.from(bytes).toString('base64url')
}

function algOf(header: unknown, otherwise: string): string {
  const alg = typeof header === 'object' && header !== null && 'alg' in header ? header.alg : undefined
  return typeof alg === 'string' && /^(HS|RS|PS|ES)\d{3}$|^EdDSA$/.test(alg) ? alg : otherwise
}

export function signatureOf(input: string, alg: string, key: SigningKey | string): string {
  const hash = `sha${alg.slice(2)}`
  if (typeof key === 'string') return createHmac(hash, key).update(input).digest('base64url')
  const privateKey: KeyObject = KeyObjects.from(key.privateKey)
  if (alg === 'EdDSA') return signWith(null, Buffer.from(input), privateKey).toString('base64url')
  const padding = alg.startsWith('PS') ? { padding: 6, saltLength: -1 } : {}
  const options = { key: privateKey, dsaEncoding: 'ieee-p1363', ...padding } as const
  return signWith(hash, Buffer.from(input), options).toString('base64url')
}

/** The public key in the forms that a verifier could mistake for an HMAC secret. */
export function secretsFromPublicKey({ publicJwk }: SigningKey): readonly string[] {
  const pem = String(createPublicKey({ key: publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }))
  const { alg: _alg, use: _use, kid: _kid, ...bare } = publicJwk
  return [
    ...[pem, pem.trim(), ` ${pem}`, `\n${pem}`, `\ufeff${pem}`, `junk\n${pem}`, pem.replaceAll('\n', '\r\n')],
    ...[JSON.stringify(publicJwk), JSON.stringify(bare), JSON.stringify({ keys: [publicJwk] })],
    ...[publicJwk.n ?? publicJwk.x ?? '', publicJwk.kid ?? ''],
    ...['', ' ', '\0', 'null', 'undefined', 'secret', 'false', '[object Object]'],
  ]
}
