import { createHash, randomBytes } from 'node:crypto'
import { Secret } from '../platform/secret.ts'

/** The prefix says what a token is for: users can tell tokens apart, and secret scanners can find leaked ones. */
export type TokenKind = 'refresh' | 'challenge' | 'invitation'

const prefixes: Readonly<Record<TokenKind, string>> = { refresh: 'mrt_', challenge: 'mct_', invitation: 'mit_' }

/** 256 random bits (ASVS 7.2.3 asks for 128), so that a plain SHA-256 is a safe way to store them. */
const randomLength = 32

/** A random token without content. It is shown once; the database stores its hash. */
export function newOpaqueToken(kind: TokenKind): { readonly token: Secret; readonly hash: Buffer } {
  const token = `${prefixes[kind]}${randomBytes(randomLength).toString('base64url')}`
  return { token: new Secret(token), hash: opaqueTokenHash(token) }
}

/** The stored form of a token. The index of a table compares it: what timing reveals of a hash is of no use to an attacker. */
export function opaqueTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
