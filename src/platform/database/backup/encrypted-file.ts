import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errorCode } from '../../error-code.ts'
import type { Secret } from '../../secret.ts'
import { StartError } from '../../start-error.ts'
import { damagedBackup } from './manifest.ts'

/**
 * Format of an encrypted backup: this line, salt, proof of the passphrase, nonce, gzip file encrypted with AES-256-GCM, tag. Key and proof
 * are derived from the passphrase with scrypt.
 */
const firstLine = Buffer.from('muster-backup encrypted 1\n')
const saltBytes = 16
const proofBytes = 16
const nonceBytes = 12
const tagBytes = 16
const proofAt = firstLine.length + saltBytes
const nonceAt = proofAt + proofBytes
const headBytes = nonceAt + nonceBytes
/** Each attempt to guess the passphrase takes 64 MiB and about 0.2 s. */
const scryptOptions = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 }

/** A transform for `pipeline`. */
export function encrypted(passphrase: Secret) {
  return async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
    const [salt, nonce] = [randomBytes(saltBytes), randomBytes(nonceBytes)]
    const { key, proof } = await derive(passphrase, salt)
    yield Buffer.concat([firstLine, salt, proof, nonce])
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    for await (const piece of content) yield cipher.update(piece)
    yield Buffer.concat([cipher.final(), cipher.getAuthTag()])
  }
}

interface EncryptedHeader {
  /** Byte range of the encrypted content. */
  readonly range: { readonly start: number; readonly end: number }
  readonly salt: Buffer
  readonly proof: Buffer
  readonly nonce: Buffer
  readonly tag: Buffer
}

/** Returns undefined if the file is not encrypted. Throws `StartError` if it cannot be read. */
export async function readEncryptedHeader(path: string): Promise<EncryptedHeader | undefined> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const head = Buffer.alloc(headBytes)
      await file.read(head, 0, headBytes, 0)
      if (!head.subarray(0, firstLine.length).equals(firstLine)) return undefined
      if (size <= headBytes + tagBytes) throw damagedBackup(path)
      const tag = Buffer.alloc(tagBytes)
      await file.read(tag, 0, tagBytes, size - tagBytes)
      const salt = head.subarray(firstLine.length, proofAt)
      const proof = head.subarray(proofAt, nonceAt)
      const nonce = head.subarray(nonceAt)
      return { range: { start: headBytes, end: size - tagBytes - 1 }, salt, proof, nonce, tag }
    } finally {
      await file.close()
    }
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    throw new StartError(`${path} cannot be read (${errorCode(cause)}).`, { cause })
  }
}

/** A transform for `pipeline`. Throws `StartError` for a wrong passphrase, and at the end if the content was changed. */
export async function decrypted({ salt, proof, nonce, tag }: EncryptedHeader, path: string, passphrase: Secret) {
  const derived = await derive(passphrase, salt)
  if (!timingSafeEqual(derived.proof, proof))
    throw new StartError(`The passphrase of ${path} is wrong: nothing was restored.`)
  return async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
    const decipher = createDecipheriv('aes-256-gcm', derived.key, nonce, { authTagLength: tagBytes })
    decipher.setAuthTag(tag)
    for await (const piece of content) yield decipher.update(piece)
    try {
      yield decipher.final()
    } catch (cause) {
      throw damagedBackup(path, cause)
    }
  }
}

async function derive(passphrase: Secret, salt: Buffer): Promise<{ readonly key: Buffer; readonly proof: Buffer }> {
  const bytes = await scryptOf(passphrase.open(), salt, 32 + proofBytes, scryptOptions)
  return { key: bytes.subarray(0, 32), proof: bytes.subarray(32) }
}

const scryptOf = promisify<string, Buffer, number, typeof scryptOptions, Buffer>(scrypt)
