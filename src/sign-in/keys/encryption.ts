import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Secret } from '../../platform/secret.ts'

/**
 * Encryption at rest, AES-256-GCM. `context` (such as the id of the row) is authenticated with the value, so a value that is
 * copied to another row does not decrypt.
 */
export interface Encryption {
  encrypt(plain: Buffer, context: string): Buffer
  /** Throws if the value was not encrypted with a known key for this context. */
  decrypt(encrypted: Buffer, context: string): Buffer
  /** The first bytes of every value that was encrypted with the current key. */
  readonly currentKeyId: Buffer
}

/** Encrypts with the first key and decrypts with all keys, so that a key can be replaced. Each key has 32 bytes. */
export function createEncryption(keys: readonly [Buffer, ...Buffer[]]): Encryption {
  const byId = new Map([...keys].reverse().map((key) => [keyIdOf(key).toString('hex'), key]))
  const [current] = keys
  const currentKeyId = keyIdOf(current)
  return {
    currentKeyId,
    encrypt(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([currentKeyId, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(encrypted, context) {
      const key = byId.get(encrypted.subarray(0, keyIdBytes).toString('hex'))
      if (!key) throw new Error('A value in the database was encrypted with a key that is not configured.')
      const [nonce, body, tag] = split(encrypted)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()])
    },
  }
}

const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16

/** First bytes of the key's SHA-256. They identify the key, so values need no version number. */
function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, keyIdBytes)
}

function split(encrypted: Buffer): readonly [Buffer, Buffer, Buffer] {
  const bodyAt = keyIdBytes + nonceBytes
  return [encrypted.subarray(keyIdBytes, bodyAt), encrypted.subarray(bodyAt, -tagBytes), encrypted.subarray(-tagBytes)]
}

/** The encryption context of a factor's secret. */
export function factorContext(factorId: string): string {
  return `factor:${factorId}`
}

/** Sources of the encryption key. Both keys are 32 bytes as base64. */
export interface EncryptionKeys {
  readonly encryptionKey?: Secret | undefined
  /** The previous key. It only decrypts. */
  readonly previousEncryptionKey?: Secret | undefined
  /** Folder of the key file, which is used if no key is configured. */
  readonly dataDir: string
}

/**
 * Opens the encryption of signing keys and factor secrets. Without a configured key, reads the key file and creates it
 * if it is missing.
 */
export function openEncryption(keys: EncryptionKeys): Encryption {
  const { encryptionKey, previousEncryptionKey: previous } = keys
  const current = encryptionKey ? fromBase64(encryptionKey.open()) : readKeyFile(keys)
  return createEncryption([current, ...(previous ? [fromBase64(previous.open())] : [])])
}

/** Like `openEncryption`, but never creates a key file: returns `undefined` if there is no key. */
export function findEncryption(keys: EncryptionKeys): Encryption | undefined {
  const hasKey = keys.encryptionKey !== undefined || existsSync(encryptionKeyPath(keys))
  return hasKey ? openEncryption(keys) : undefined
}

/** The content of the key file. `undefined` if the key is configured or if there is no file. */
export function keyOfDataDir(keys: EncryptionKeys): string | undefined {
  if (keys.encryptionKey !== undefined || !existsSync(encryptionKeyPath(keys))) return undefined
  return readFileSync(encryptionKeyPath(keys), 'utf8')
}

/** Path of the key file in the data folder. */
export function encryptionKeyPath({ dataDir }: Pick<EncryptionKeys, 'dataDir'>): string {
  return join(dataDir, 'encryption-key')
}

function readKeyFile(keys: EncryptionKeys): Buffer {
  const path = encryptionKeyPath(keys)
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' })
  return fromBase64(readFileSync(path, 'utf8'))
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64')
}
