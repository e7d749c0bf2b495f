import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { Secret } from '../../src/platform/secret.ts'
import { ConfigError } from '../../src/platform/settings.ts'
import {
  createEncryption,
  encryptionKeyPath,
  findEncryption,
  openEncryption,
} from '../../src/sign-in/keys/encryption.ts'
import { makeDataDir } from '../support/data-dir.ts'

async function emptyFolder(): Promise<string> {
  const { path, remove } = await makeDataDir()
  onTestFinished(remove)
  return path
}

const newKey = () => new Secret(randomBytes(32).toString('base64'))
const plain = Buffer.from('what must stay secret')

describe('without a configured encryption key', () => {
  test('creates a key file once, readable only by the service user, which decrypts after a restart', async () => {
    const dataDir = await emptyFolder()
    const encrypted = openEncryption({ dataDir }).encrypt(plain, 'row 1')
    const path = encryptionKeyPath({ dataDir })
    const made = readFileSync(path, 'utf8')
    expect(Buffer.from(made, 'base64')).toHaveLength(32)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(openEncryption({ dataDir }).decrypt(encrypted, 'row 1')).toEqual(plain)
    expect(findEncryption({ dataDir })?.decrypt(encrypted, 'row 1')).toEqual(plain)
    expect(readFileSync(path, 'utf8')).toBe(made)
  })

  test('creates different keys in different folders', async () => {
    const [one, two] = [await emptyFolder(), await emptyFolder()]
    const encrypted = openEncryption({ dataDir: one }).encrypt(plain, 'row 1')
    expect(() => openEncryption({ dataDir: two }).decrypt(encrypted, 'row 1')).toThrow(/not configured/)
  })

  test('does not create a key when only looking for one', async () => {
    const dataDir = await emptyFolder()
    expect(findEncryption({ dataDir })).toBeUndefined()
    expect(() => statSync(encryptionKeyPath({ dataDir }))).toThrow(/ENOENT/)
  })
})

test('a configured key creates no file and takes precedence over an existing one', async () => {
  const dataDir = await emptyFolder()
  const path = encryptionKeyPath({ dataDir })
  const encryptionKey = newKey()
  const encrypted = openEncryption({ dataDir, encryptionKey }).encrypt(plain, 'row 1')
  expect(() => statSync(path)).toThrow(/ENOENT/)
  writeFileSync(path, newKey().open())
  expect(findEncryption({ dataDir, encryptionKey })?.decrypt(encrypted, 'row 1')).toEqual(plain)
  expect(() => openEncryption({ dataDir }).decrypt(encrypted, 'row 1')).toThrow(/not configured/)
  rmSync(path)
  expect(findEncryption({ dataDir, encryptionKey })?.decrypt(encrypted, 'row 1')).toEqual(plain)
})

test.each(['MUSTER_ENCRYPTION_KEY', 'MUSTER_ENCRYPTION_KEY_PREVIOUS'])(
  'rejects %s unless it is 32 bytes as base64, without the value in the message',
  (name) => {
    const given = (value: string) => () => readConfig({ MUSTER_ENCRYPTION_KEY: newKey().open(), [name]: value })
    expect(given(newKey().open())).not.toThrow()
    const fault = new ConfigError([`${name} must be 32 bytes as base64. Create one with: openssl rand -base64 32`])
    for (const value of [randomBytes(31).toString('base64'), randomBytes(33).toString('base64'), 'a passphrase'])
      expect(given(value), value).toThrow(fault)
  },
)

test('the previous key decrypts and does not encrypt', async () => {
  const dataDir = await emptyFolder()
  const [encryptionKey, previousEncryptionKey] = [newKey(), newKey()]
  const old = openEncryption({ dataDir, encryptionKey: previousEncryptionKey })
  const both = openEncryption({ dataDir, encryptionKey, previousEncryptionKey })
  expect(both.decrypt(old.encrypt(plain, 'row 1'), 'row 1')).toEqual(plain)
  const encrypted = both.encrypt(plain, 'row 1')
  expect(encrypted.subarray(0, 4)).toEqual(both.currentKeyId)
  expect(openEncryption({ dataDir, encryptionKey }).decrypt(encrypted, 'row 1')).toEqual(plain)
  expect(() => old.decrypt(encrypted, 'row 1')).toThrow(/not configured/)
})

test('the current key decrypts even if the previous key has the same id', () => {
  const [current, previous] = [keyOf(50_323), keyOf(54_260)]
  const both = createEncryption([current, previous])
  expect(both.currentKeyId).toEqual(createEncryption([previous]).currentKeyId)
  expect(both.decrypt(both.encrypt(plain, 'row 1'), 'row 1')).toEqual(plain)
})

function keyOf(number: number): Buffer {
  const key = Buffer.alloc(32)
  key.writeUInt32BE(number, 28)
  return key
}
