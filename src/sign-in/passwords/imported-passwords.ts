import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** How a hash that another product made is verified. It never counts as current: its owner is hashed anew at the next sign-in. */
export interface ImportedScheme {
  /** Rejects where the stored text is malformed, or asks for more work than is done for anybody. */
  verify(stored: string, password: string): Promise<boolean>
  isCurrent(stored: string): boolean
}

/** By the word between the first two `$`. What each looks like: docs/import.md. */
export const importedSchemes: Readonly<Record<string, ImportedScheme>> = {
  argon2i: once(verifyArgon2),
  argon2d: once(verifyArgon2),
  '2a': once(verifyBcrypt),
  '2b': once(verifyBcrypt),
  '2y': once(verifyBcrypt),
  scrypt: once(verifyScrypt),
  'pbkdf2-sha256': once((stored, password) => verifyPbkdf2(stored, password, 'sha256')),
  'pbkdf2-sha512': once((stored, password) => verifyPbkdf2(stored, password, 'sha512')),
}

/** Whether a stored hash is one that somebody could sign in with here: for whoever brings hashes from elsewhere. */
export function isVerifiableHash(stored: string): boolean {
  const scheme = /^\$([a-z0-9-]{1,32})\$/.exec(stored)?.[1] ?? ''
  return shapes[scheme]?.test(stored) ?? false
}

const base64 = '[A-Za-z0-9+/]{8,256}'
const argon2 = new RegExp(`^\\$argon2(id|i|d)\\$v=\\d+\\$m=\\d{1,7},t=\\d{1,3},p=\\d{1,3}\\$${base64}\\$${base64}$`)
const bcrypt = /^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/
const pbkdf2Shape = new RegExp(`^\\$pbkdf2-sha(256|512)\\$i=\\d{1,7}\\$${base64}\\$${base64}$`)
const scryptShape = new RegExp(`^\\$scrypt\\$ln=([1-9]|1\\d|20),r=\\d{1,2},p=\\d{1,2}\\$${base64}\\$${base64}$`)

const shapes: Readonly<Record<string, RegExp>> = {
  argon2id: argon2,
  argon2i: argon2,
  argon2d: argon2,
  '2a': bcrypt,
  '2b': bcrypt,
  '2y': bcrypt,
  scrypt: scryptShape,
  'pbkdf2-sha256': pbkdf2Shape,
  'pbkdf2-sha512': pbkdf2Shape,
}

function once(verify: ImportedScheme['verify']): ImportedScheme {
  return {
    async verify(stored, password) {
      // A library may answer no where the text is malformed, and whoever looks after people would not hear of it.
      if (!isVerifiableHash(stored)) throw new Error('A stored hash is malformed.')
      return verify(stored, password)
    },
    isCurrent: () => false,
  }
}

async function verifyArgon2(stored: string, password: string): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2')
  return verify(stored, password)
}

async function verifyBcrypt(stored: string, password: string): Promise<boolean> {
  const { verify } = await import('@node-rs/bcrypt')
  return verify(password, stored)
}

/** 256 MiB: better-auth's parameters take 32. */
const scryptBytesMax = 268_435_456

async function verifyScrypt(stored: string, password: string): Promise<boolean> {
  const [, , parameters = '', salt = '', hash = ''] = stored.split('$')
  const { ln = 0, r = 0, p = 0 } = numbersOf(parameters)
  const wanted = Buffer.from(hash, 'base64')
  const options = { N: 2 ** ln, r, p, maxmem: scryptBytesMax }
  const derived = await derive((done) => scrypt(password, Buffer.from(salt, 'base64'), wanted.length, options, done))
  return timingSafeEqual(derived, wanted)
}

async function verifyPbkdf2(stored: string, password: string, digest: string): Promise<boolean> {
  const [, , parameters = '', salt = '', hash = ''] = stored.split('$')
  const { i = 0 } = numbersOf(parameters)
  const wanted = Buffer.from(hash, 'base64')
  const derived = await promisify(pbkdf2)(password, Buffer.from(salt, 'base64'), i, wanted.length, digest)
  return timingSafeEqual(derived, wanted)
}

function derive(start: (done: (error: Error | null, key: Buffer) => void) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => start((error, key) => (error ? reject(error) : resolve(key))))
}

/** `ln=14,r=16,p=1`. */
function numbersOf(parameters: string): Readonly<Record<string, number>> {
  return Object.fromEntries(parameters.split(',').map((part) => [part.split('=')[0] ?? '', Number(part.split('=')[1])]))
}
