import { createHash, randomBytes } from 'node:crypto'
import { Secret } from '../platform/secret.ts'

/** What a token is for, as its first letters: a person tells them apart, and a scanner for leaked secrets finds them. */
export type TokenKind = 'refresh' | 'challenge' | 'invitation'

const prefixes: Readonly<Record<TokenKind, string>> = { refresh: 'mrt_', challenge: 'mct_', invitation: 'mit_' }

/** 256 random bits (ASVS 7.2.3 asks for 128), so that a plain SHA-256 is enough to keep them. */
const randomLength = 32

/** The longest text that can be such a token, for schemas. */
export const opaqueTokenLengthMax = 64

/** A token that says nothing by itself. It is shown once, and only its hash is stored. */
export function newOpaqueToken(kind: TokenKind): { readonly token: Secret; readonly hash: Buffer } {
  const token = `${prefixes[kind]}${randomBytes(randomLength).toString('base64url')}`
  return { token: new Secret(token), hash: opaqueTokenHash(token) }
}

/** Under what a token is stored. Compared by the index of a table: what timing could tell of a hash is of no use. */
export function opaqueTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
