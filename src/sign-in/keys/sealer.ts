import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * Encryption at rest, AES-256-GCM. `context` (such as the id of the row) is authenticated with the value, so that a value
 * moved to another row does not open.
 */
export interface Sealer {
  seal(plain: Buffer, context: string): Buffer
  /** Throws where the value was not sealed with a known key for this context. */
  open(sealed: Buffer, context: string): Buffer
  /** How every value begins that was sealed with the newest key. */
  readonly newestMark: Buffer
}

/** Seals with the first key and opens with any: that is how a key is changed. Keys are 32 bytes each. */
export function createSealer(keys: readonly [Buffer, ...Buffer[]]): Sealer {
  const byMark = new Map([...keys].reverse().map((key) => [markOf(key).toString('hex'), key]))
  const [newest] = keys
  const newestMark = markOf(newest)
  return {
    newestMark,
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', newest, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([newestMark, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, context) {
      const key = byMark.get(sealed.subarray(0, markBytes).toString('hex'))
      if (!key) throw new Error('A value in the database was encrypted with a key that is not configured.')
      const [nonce, body, tag] = split(sealed)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()])
    },
  }
}

const markBytes = 4
const nonceBytes = 12
const tagBytes = 16

/** Tells keys apart without a version number to keep: the first bytes of the key's SHA-256. */
function markOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, markBytes)
}

function split(sealed: Buffer): readonly [Buffer, Buffer, Buffer] {
  const bodyAt = markBytes + nonceBytes
  return [sealed.subarray(markBytes, bodyAt), sealed.subarray(bodyAt, -tagBytes), sealed.subarray(-tagBytes)]
}
