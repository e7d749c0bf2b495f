import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Secret } from '../../platform/secret.ts'
import { createEncryption, type Encryption } from './encryption.ts'

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
