import { createHash, createHmac, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'

/** A secret value. Only `open()` returns it: strings, JSON and `util.inspect` show `[secret]`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  open(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}

/** For a value that a request may omit. */
export function optionalSecret(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text)
}

/** Each kind has its own prefix, so that users can tell tokens apart and secret scanners can find leaked ones. */
type TokenKind = 'refresh' | 'challenge' | 'invitation' | 'device' | 'link'

const prefixes: Readonly<Record<TokenKind, string>> = {
  refresh: 'mrt_',
  challenge: 'mct_',
  invitation: 'mit_',
  device: 'mdt_',
  link: 'mlk_',
}

/** 256 random bits (ASVS 7.2.3 requires 128), so that storing a plain SHA-256 is safe. */
const randomLength = 32

/** A token and its stored hash. */
interface OpaqueToken {
  readonly token: Secret
  readonly hash: Buffer
}

/** Creates a random token. It is shown once; the database stores only its hash. */
export function newOpaqueToken(kind: TokenKind): OpaqueToken {
  return tokenOf(kind, randomBytes(randomLength))
}

/**
 * The next refresh token. It is deterministic, and only someone with both the token and the salt of its session can
 * compute it.
 */
export function successorOf(token: Secret, salt: Buffer): OpaqueToken {
  return tokenOf('refresh', createHmac('sha256', salt).update(token.open()).digest())
}

function tokenOf(kind: TokenKind, bytes: Buffer): OpaqueToken {
  const token = `${prefixes[kind]}${bytes.toString('base64url')}`
  return { token: new Secret(token), hash: opaqueTokenHash(token) }
}

/** The stored form of a token. Looking a hash up by index is safe: timing reveals nothing useful about the token. */
export function opaqueTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
