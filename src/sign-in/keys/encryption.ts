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
  /** Throws where the value was not encrypted with a known key for this context. */
  decrypt(encrypted: Buffer, context: string): Buffer
  /** The first bytes of every value that was encrypted with the current key. */
  readonly currentKeyId: Buffer
}

/** Encrypts with the first key and decrypts with any of them, so that a key can be replaced. Keys are 32 bytes each. */
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

/** The first bytes of the key's SHA-256: they identify the key, and no version number has to be stored. */
function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, keyIdBytes)
}

function split(encrypted: Buffer): readonly [Buffer, Buffer, Buffer] {
  const bodyAt = keyIdBytes + nonceBytes
  return [encrypted.subarray(keyIdBytes, bodyAt), encrypted.subarray(bodyAt, -tagBytes), encrypted.subarray(-tagBytes)]
}

/** The encryption context of a factor's secret: a secret that is copied to another row does not decrypt. */
export function factorContext(factorId: string): string {
  return `factor:${factorId}`
}

/** Where the encryption key comes from. Both keys are 32 bytes as base64. */
export interface EncryptionKeys {
  readonly encryptionKey?: Secret | undefined
  /** The key before a change: it still decrypts. */
  readonly previousEncryptionKey?: Secret | undefined
  /** Holds the key file where no key is configured. */
  readonly dataDir: string
}

/** Encrypts signing keys and factor secrets. Without a configured key it reads the key file, and makes it where it is missing. */
export function openEncryption(keys: EncryptionKeys): Encryption {
  const { encryptionKey, previousEncryptionKey: previous } = keys
  const current = encryptionKey ? fromBase64(encryptionKey.open()) : readKeyFile(keys)
  return createEncryption([current, ...(previous ? [fromBase64(previous.open())] : [])])
}

/** The same without making a key file: `undefined` where there is no key yet, or where its file is lost. */
export function findEncryption(keys: EncryptionKeys): Encryption | undefined {
  const hasKey = keys.encryptionKey !== undefined || existsSync(encryptionKeyPath(keys))
  return hasKey ? openEncryption(keys) : undefined
}

/** The text of the key file, where the key is one: undefined where it is a setting, or where there is none yet. */
export function keyOfDataDir(keys: EncryptionKeys): string | undefined {
  if (keys.encryptionKey !== undefined || !existsSync(encryptionKeyPath(keys))) return undefined
  return readFileSync(encryptionKeyPath(keys), 'utf8')
}

/** The file of the key that was made with the embedded database. */
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
