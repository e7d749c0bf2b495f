import { pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { type Algorithm, hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { Secret } from '../../src/platform/secret.ts'
import { hashPassword, isVerifiableHash, verifyPassword } from '../../src/sign-in/passwords/passwords.ts'

const password = 'correct horse'
const salt = randomBytes(16)
const phc = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
const ended = (scheme: string, parameters: string, key: Buffer) => `$${scheme}$${parameters}$${phc(salt)}$${phc(key)}`

const withScrypt = (ln: number, r: number, p: number) =>
  ended('scrypt', `ln=${ln},r=${r},p=${p}`, scryptSync(password, salt, 32, { N: 2 ** ln, r, p, maxmem: 2 ** 28 }))
const withPbkdf2 = (bits: 256 | 512, rounds: number, length = bits / 8) =>
  ended(`pbkdf2-sha${bits}`, `i=${rounds}`, pbkdf2Sync(password, salt, rounds, length, `sha${bits}`))
const withArgon2 = (algorithm: Algorithm) =>
  hash(password, { algorithm, memoryCost: 8_192, timeCost: 1, parallelism: 1 })

const hashes: Readonly<Record<string, () => string | Promise<string>>> = {
  'scrypt, as better-auth has it': () => withScrypt(14, 16, 1),
  'scrypt of two lanes': () => withScrypt(10, 8, 2),
  'pbkdf2-sha256': () => withPbkdf2(256, 1_000),
  'pbkdf2-sha256 of another length': () => withPbkdf2(256, 1_001, 64),
  'pbkdf2-sha512': () => withPbkdf2(512, 1_000),
  argon2i: () => withArgon2(1),
  argon2d: () => withArgon2(0),
}

describe('an imported hash', () => {
  test.each(Object.keys(hashes))('matches only its password and needs a rehash: %s', async (name) => {
    const stored = (await hashes[name]?.()) ?? ''
    expect(isVerifiableHash(stored)).toBe(true)
    expect(await verifyPassword(stored, new Secret(password))).toBe('needs_rehash')
    for (const other of ['Correct horse', 'correct horse ', ''])
      expect(await verifyPassword(stored, new Secret(other)), other).toBe('wrong')
  })

  test('does not match with another cost, salt or scheme', async () => {
    const stored = withPbkdf2(256, 1_000)
    for (const other of [
      stored.replace('i=1000', 'i=1001'),
      stored.replace(phc(salt), phc(randomBytes(16))),
      stored.replace('sha256', 'sha512'),
      withScrypt(10, 8, 2).replace('p=2', 'p=1'),
      withScrypt(10, 8, 2).replace('r=8', 'r=9'),
      withScrypt(10, 8, 2).replace('ln=10', 'ln=11'),
    ])
      expect(await verifyPassword(other, new Secret(password)), other).toBe('wrong')
  })
})

test.each([
  ['no scheme', 'correct horse'],
  ['an unknown scheme', `$md5$i=1$${phc(salt)}$${phc(salt)}`],
  ['a name that every object has', `$constructor$i=1$${phc(salt)}$${phc(salt)}`],
  ['no parameters', `$pbkdf2-sha256$$${phc(salt)}$${phc(salt)}`],
  ['parameters of another scheme', `$scrypt$i=1000$${phc(salt)}$${phc(salt)}`],
  ['no parameters of Argon2', `$argon2id$v=19$$${phc(salt)}$${phc(salt)}`],
  ['another Argon2', `$argon2id$v=19$m=65536,t=3,p=4$${phc(salt)}$${phc(salt)}$`],
  ['a salt too short', `$pbkdf2-sha256$i=1000$c2FsdA$${phc(salt)}`],
  ['no hash', `$pbkdf2-sha256$i=1000$${phc(salt)}$`],
  ['something after it', `${withPbkdf2(256, 1_000)}$`],
  ['something before it', `x${withPbkdf2(256, 1_000)}`],
  ['more work than allowed', withPbkdf2(256, 1_000).replace('i=1000', 'i=10000000')],
  ['more memory than allowed', withScrypt(10, 8, 2).replace('ln=10', 'ln=21')],
  ['more rounds of bcrypt than allowed', `$2b$17$${'a'.repeat(53)}`],
])('unreadable, and refused by an import — a stored text with %s', async (_, stored) => {
  expect(isVerifiableHash(stored)).toBe(false)
  expect(await verifyPassword(stored, new Secret(password))).toBe('unreadable')
})

test('an argon2id hash needs a rehash only if its memory, passes or lanes are below the current cost', async () => {
  const made = (cost: object) => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1, ...cost })
  const resultOf = async (stored: string) => verifyPassword(stored, new Secret(password))
  expect(await resultOf(await hashPassword(new Secret(password)))).toBe('correct')
  for (const cost of [{}, { memoryCost: 19_457 }, { timeCost: 3 }, { parallelism: 2 }])
    expect(await resultOf(await made(cost)), JSON.stringify(cost)).toBe('correct')
  for (const cost of [{ memoryCost: 19_455 }, { timeCost: 1 }, { memoryCost: 8_192, timeCost: 4, parallelism: 4 }])
    expect(await resultOf(await made(cost)), JSON.stringify(cost)).toBe('needs_rehash')
})
