import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Secret } from '../platform/secret.ts'

/** A new service key, its stored hash, and its first characters. */
export interface NewServiceKey {
  readonly key: Secret
  readonly hash: Buffer
  readonly hint: string
}

/** 256 random bits in Base62, and a checksum that rejects mistyped and made-up keys without a query. */
export function newServiceKey(): NewServiceKey {
  const unchecked = `${serviceKeyPrefix}${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`
  const key = `${unchecked}${checksumOf(unchecked)}`
  return { key: new Secret(key), hash: hashOf(key), hint: key.slice(0, hintLength) }
}

/** The stored hash of a service key. Undefined if the key is malformed. */
export function serviceKeyHash(token: string): Buffer | undefined {
  if (!form.test(token)) return undefined
  const unchecked = token.slice(0, -checksumLength)
  return checksumOf(unchecked) === token.slice(-checksumLength) ? hashOf(token) : undefined
}

/** A bearer token that begins with it is a service key. */
export const serviceKeyPrefix = 'msk_'
const hintLength = 8
const checksumLength = 6
const form = /^msk_[0-9A-Za-z]{49}$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function checksumOf(text: string): string {
  return base62(BigInt(crc32(text)), checksumLength)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text
}

/** 256 random bits cannot be guessed, so storing a plain SHA-256 is safe. */
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
