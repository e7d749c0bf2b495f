import { pbkdf2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../../platform/package-root.ts'
import type { Secret } from '../../platform/secret.ts'

/** Loaded when the first password is hashed. */
const argon2 = () => import('@node-rs/argon2')

/**
 * OWASP's minimum for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. Each hash stores its own
 * cost.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Prefix of hashes with the current scheme and cost. Migration 072 has an index of the other hashes. */
export const currentPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`

/** Returns a PHC string. Hashes the whole password in Unicode form NFC (NIST SP 800-63B §3.1.1.2). */
export async function hashPassword(password: Secret): Promise<string> {
  return (await argon2()).hash(password.open().normalize('NFC'), cost)
}

/**
 * `needs_rehash`: correct, but the hash has another scheme, a lower cost or another Unicode form. `unreadable`: the
 * stored hash has no known format. The caller treats it as a wrong password and logs an error.
 */
type PasswordResult = 'correct' | 'needs_rehash' | 'wrong' | 'unreadable'

export function isCorrect(result: PasswordResult): boolean {
  return result === 'correct' || result === 'needs_rehash'
}

/**
 * Verifies a password. Without a readable stored hash, verifies a decoy the same number of times, so that the work is
 * the same.
 */
export async function verifyPassword(stored: string | undefined, password: Secret): Promise<PasswordResult> {
  const texts = normalFormsOf(password)
  if (stored === undefined) return verifyDecoy(texts, 'wrong')
  const scheme = findScheme(stored)
  if (!scheme) return verifyDecoy(texts, 'unreadable')
  for (const [place, text] of texts.entries()) {
    const matches = await verify(scheme, stored, text)
    if (matches === undefined) return verifyDecoy(texts, 'unreadable')
    if (matches) return place === 0 && (await scheme.isCurrent?.(stored)) ? 'correct' : 'needs_rehash'
  }
  return 'wrong'
}

/** Maximum number of comparisons for this password. */
export function comparisonsOf(password: Secret): number {
  return normalFormsOf(password).length
}

/**
 * The texts that may have been hashed. Earlier releases hashed the form NFKC, which differs only for compatibility
 * characters such as the ligature `ﬁ` or superscript digits.
 */
function normalFormsOf(password: Secret): readonly string[] {
  const text = password.open()
  return [...new Set([text.normalize('NFC'), text.normalize('NFKC')])]
}

async function verifyDecoy<Result>(texts: readonly string[], result: Result): Promise<Result> {
  for (const text of texts) await (await argon2()).verify(decoy, text)
  return result
}

/** Returns `undefined` if the stored text is malformed, which makes the library throw. */
async function verify(scheme: HashScheme, stored: string, password: string): Promise<boolean | undefined> {
  try {
    return await scheme.verify(stored, password)
  } catch {
    return undefined
  }
}

const decoy = unusableHash()

/** A hash with the current scheme and cost that matches no password. */
export function unusableHash(): string {
  return `${currentPrefix}${phcBytes(16)}$${phcBytes(32)}`
}

function phcBytes(length: number): string {
  return randomBytes(length).toString('base64').replaceAll('=', '')
}

/** Whether sign-in can verify this hash. Imports reject other hashes. */
export function isVerifiableHash(stored: string): boolean {
  return findScheme(stored) !== undefined
}

interface HashScheme {
  /** Hashes of this shape need no more work than is allowed for one hash. */
  readonly shape: RegExp
  /** Rejects if the stored text is malformed. */
  readonly verify: (stored: string, password: string) => Promise<boolean>
  /** Whether the hash has the cost of new hashes. Otherwise, as for every other scheme, the next sign-in replaces it. */
  readonly isCurrent?: (stored: string) => Promise<boolean>
}

/** Some libraries return false for a malformed hash, but the caller must log it. Hence the shape. */
function findScheme(stored: string): HashScheme | undefined {
  const [, name = ''] = stored.split('$', 2)
  const scheme = schemes.get(name)
  return scheme?.shape.test(stored) ? scheme : undefined
}

const base64 = '[A-Za-z0-9+/]{8,256}'
const argon2Scheme: HashScheme = {
  shape: new RegExp(`^\\$argon2(id|i|d)\\$v=\\d+\\$m=\\d{1,7},t=\\d{1,3},p=\\d{1,3}\\$${base64}\\$${base64}$`),
  verify: async (stored, password) => (await argon2()).verify(stored, password),
}
const bcryptScheme = { shape: /^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/, verify: verifyBcrypt }
const pbkdf2Shape = new RegExp(`^\\$pbkdf2-sha(256|512)\\$i=\\d{1,7}\\$${base64}\\$${base64}$`)

/** By the text between the first two `$`. All but argon2id are of other products: see docs/administration.md. */
const schemes: ReadonlyMap<string, HashScheme> = new Map<string, HashScheme>([
  ['argon2id', { ...argon2Scheme, isCurrent: hasCurrentCost }],
  ['argon2i', argon2Scheme],
  ['argon2d', argon2Scheme],
  ['2a', bcryptScheme],
  ['2b', bcryptScheme],
  ['2y', bcryptScheme],
  [
    'scrypt',
    {
      shape: new RegExp(`^\\$scrypt\\$ln=([1-9]|1\\d|20),r=\\d{1,2},p=\\d{1,2}\\$${base64}\\$${base64}$`),
      verify: verifyScrypt,
    },
  ],
  ['pbkdf2-sha256', { shape: pbkdf2Shape, verify: (stored, password) => verifyPbkdf2(stored, password, 'sha256') }],
  ['pbkdf2-sha512', { shape: pbkdf2Shape, verify: (stored, password) => verifyPbkdf2(stored, password, 'sha512') }],
])

async function hasCurrentCost(stored: string): Promise<boolean> {
  const { memoryCost, timeCost, parallelism } = (await argon2()).parseOptions(stored)
  return memoryCost >= cost.memoryCost && timeCost >= cost.timeCost && parallelism >= cost.parallelism
}

/** 256 MiB. The parameters of better-auth need 32 MiB. */
const scryptBytesMax = 268_435_456

async function verifyScrypt(stored: string, password: string): Promise<boolean> {
  const { numbers, salt, hash } = partsOf(stored)
  const { ln = 0, r = 0, p = 0 } = numbers
  const options = { N: 2 ** ln, r, p, maxmem: scryptBytesMax }
  const derive = promisify<string, Buffer, number, typeof options, Buffer>(scrypt)
  return timingSafeEqual(await derive(password, salt, hash.length, options), hash)
}

async function verifyPbkdf2(stored: string, password: string, digest: string): Promise<boolean> {
  const { numbers, salt, hash } = partsOf(stored)
  const { i = 0 } = numbers
  return timingSafeEqual(await promisify(pbkdf2)(password, salt, i, hash.length, digest), hash)
}

/** The parameters, such as `ln=14,r=16,p=1`, the salt and the hash. */
function partsOf(stored: string) {
  const [, , parameters = '', salt = '', hash = ''] = stored.split('$')
  const numbers = parameters.split(',').map((part) => part.split('='))
  return {
    numbers: Object.fromEntries(numbers.map(([name = '', number]) => [name, Number(number)])),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

/**
 * Verifies in a worker thread: in plain JavaScript a hash of cost 12 takes half a second, which would block all
 * requests. Starting the thread takes about 30 ms, once per imported user, because sign-in replaces the hash.
 */
export function verifyBcrypt(stored: string, password: string): Promise<boolean> {
  const library = createRequire(`${packageRoot()}/package.json`).resolve('bcryptjs')
  const worker = new Worker(program, { eval: true, execArgv: [], workerData: { library, stored, password } })
  return new Promise((resolve, reject) => {
    worker.once('message', (matches: unknown) => resolve(matches === true))
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread that verifies a bcrypt hash ended with ${code}.`)))
  })
}

/** JavaScript, so that it runs from the sources, the build and the bundle. */
const program = `
const { parentPort, workerData: { library, stored, password } } = require('node:worker_threads')
parentPort.postMessage(require(library).compareSync(password, stored))`
