import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, Rows } from '../../platform/database/database.ts'
import { mailContext } from '../../platform/mail/outbox.ts'
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

/** Rows in one transaction. */
const batchRows = 200

/**
 * Re-encrypts with the current key every secret that an older key encrypted, so that the older key can be removed.
 * Returns the number of values. Can run while the service runs, and can be repeated.
 */
export async function reencryptSecrets(
  database: Database,
  encryption: Encryption,
  more: readonly EncryptedColumn[] = [],
): Promise<number> {
  let total = 0
  for (const column of [...columns, ...more])
    for (;;) {
      const count = await database.transaction((rows) => reencryptBatch(rows, encryption, column))
      total += count
      if (count < batchRows) break
    }
  return total
}

async function reencryptBatch(
  rows: Rows,
  encryption: Encryption,
  { contextOf, find, replace }: EncryptedColumn,
): Promise<number> {
  const found = await rows.query<{ id: string; encrypted: Buffer }>(find, [encryption.currentKeyId, batchRows])
  for (const { id, encrypted } of found) {
    const plain = encryption.decrypt(encrypted, contextOf(id))
    await rows.query(replace, [id, encryption.encrypt(plain, contextOf(id))])
  }
  return found.length
}

interface EncryptedColumn {
  readonly contextOf: (id: string) => string
  /** $1 id of the current key, $2 maximum number of rows. */
  readonly find: { readonly name: string; readonly text: string }
  /** $1 id, $2 encrypted value. Changes nothing if the row is gone, such as a mail that was sent in the meantime. */
  readonly replace: { readonly name: string; readonly text: string }
}

const columns: readonly EncryptedColumn[] = [
  columnOf('signing_key', 'kid', 'private', (kid) => kid),
  columnOf('factor', 'id', 'secret', factorContext),
  columnOf('mail_outbox', 'id', 'sealed', mailContext),
]

function columnOf(table: string, id: string, column: string, contextOf: EncryptedColumn['contextOf']): EncryptedColumn {
  return {
    contextOf,
    find: {
      name: `re_encrypt_find_${table}`,
      text: `
select ${id} as id, ${column} as encrypted from ${table}
where substring(${column} for 4) <> $1 order by ${id} limit $2 for update`,
    },
    replace: { name: `re_encrypt_${table}`, text: `update ${table} set ${column} = $2 where ${id} = $1` },
  }
}

/**
 * Whether the database has a value that these keys cannot decrypt. Tries one signing key and one factor per encryption
 * key. Without `encryption`, returns whether there is any encrypted value.
 */
export async function hasUndecryptable(rows: Rows, encryption: Encryption | undefined): Promise<boolean> {
  const found = await rows.query<Encrypted>(encryptedStatement, [])
  return found.some((one) => !decrypts(one, encryption))
}

interface Encrypted {
  readonly kind: 'signing_key' | 'factor'
  readonly id: string
  readonly encrypted: Buffer
}

function decrypts({ kind, id, encrypted }: Encrypted, encryption: Encryption | undefined): boolean {
  try {
    encryption?.decrypt(encrypted, kind === 'factor' ? factorContext(id) : id)
    return encryption !== undefined
  } catch {
    // Wrong key or damaged value: the remedy is the same.
    return false
  }
}

/** One value per encryption key, whose id is in the first four bytes. */
const encryptedStatement = {
  name: 'encrypted_of_each_key',
  text: `
(select distinct on (substring(private for 4)) 'signing_key' as kind, kid as id, private as encrypted
 from signing_key order by substring(private for 4), signs_from desc)
union all
(select distinct on (substring(secret for 4)) 'factor', id::text, secret
 from factor order by substring(secret for 4), created_at desc)`,
}
