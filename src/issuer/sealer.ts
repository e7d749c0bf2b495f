import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * Encryption at rest, AES-256-GCM. `context` (such as the id of the row) is authenticated with the value, so that a value
 * moved to another row does not open.
 */
export interface Sealer {
  seal(plain: Buffer, context: string): Buffer
  /** Throws where the value was not sealed with a known key for this context. */
  open(sealed: Buffer, context: string): Buffer
}

/** Seals with the first key and opens with any: that is how a key is changed. Keys are 32 bytes each. */
export function createSealer(keys: readonly [Buffer, ...Buffer[]]): Sealer {
  const byMark = new Map([...keys].reverse().map((key) => [markOf(key), key]))
  const [newest] = keys
  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', newest, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([
        Buffer.of(markOf(newest)),
        nonce,
        cipher.update(plain),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    open(sealed, context) {
      const key = byMark.get(sealed[0] ?? -1)
      if (!key) throw new Error('A value in the database was encrypted with a key that is not configured.')
      const nonce = sealed.subarray(1, 1 + nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes))
      return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes)), decipher.final()])
    },
  }
}

const nonceBytes = 12
const tagBytes = 16

/** Tells keys apart without a version number to keep: the first byte of the key's SHA-256. */
function markOf(key: Buffer): number {
  return createHash('sha256').update(key).digest().readUInt8(0)
}
