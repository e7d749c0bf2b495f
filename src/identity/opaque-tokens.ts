import { createHash, createHmac, randomBytes } from 'node:crypto'
import { Secret } from '../platform/secret.ts'

/** The prefix says what a token is for: users can tell tokens apart, and secret scanners can find leaked ones. */
export type TokenKind = 'refresh' | 'challenge' | 'invitation' | 'device' | 'link'

const prefixes: Readonly<Record<TokenKind, string>> = {
  refresh: 'mrt_',
  challenge: 'mct_',
  invitation: 'mit_',
  device: 'mdt_',
  link: 'mlk_',
}

/** 256 random bits (ASVS 7.2.3 asks for 128), so that a plain SHA-256 is a safe way to store them. */
const randomLength = 32

/** A token, and what the database stores of it. */
export interface OpaqueToken {
  readonly token: Secret
  readonly hash: Buffer
}

/** A random token without content. It is shown once; the database stores its hash. */
export function newOpaqueToken(kind: TokenKind): OpaqueToken {
  return tokenOf(kind, randomBytes(randomLength))
}

/** The refresh token after this one: always the same, and known only to who has both the token and the salt of its session. */
export function successorOf(token: Secret, salt: Buffer): OpaqueToken {
  return tokenOf('refresh', createHmac('sha256', salt).update(token.open()).digest())
}

function tokenOf(kind: TokenKind, bytes: Buffer): OpaqueToken {
  const token = `${prefixes[kind]}${bytes.toString('base64url')}`
  return { token: new Secret(token), hash: opaqueTokenHash(token) }
}

/** The stored form of a token. The index of a table compares it: what timing reveals of a hash is of no use to an attacker. */
export function opaqueTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
