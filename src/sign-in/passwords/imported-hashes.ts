import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../../platform/package-root.ts'

/** Verifies the password hashes of one scheme. */
export interface HashScheme {
  /** Rejects if the stored text is malformed or exceeds the work allowed for one hash. */
  verify(stored: string, password: string): Promise<boolean>
  /** Whether the hash has the scheme and cost of new hashes. Otherwise the next sign-in replaces it. */
  isCurrent(stored: string): boolean | Promise<boolean>
}

/** Hash schemes of other products, by the text between the first two `$`. See docs/administration.md. */
export const importedSchemes: Readonly<Record<string, HashScheme>> = {
  argon2i: imported(verifyArgon2),
  argon2d: imported(verifyArgon2),
  '2a': imported(verifyBcrypt),
  '2b': imported(verifyBcrypt),
  '2y': imported(verifyBcrypt),
  scrypt: imported(verifyScrypt),
  'pbkdf2-sha256': imported((stored, password) => verifyPbkdf2(stored, password, 'sha256')),
  'pbkdf2-sha512': imported((stored, password) => verifyPbkdf2(stored, password, 'sha512')),
}

/** Whether sign-in can verify this hash. Imports reject other hashes. */
export function isVerifiableHash(stored: string): boolean {
  return shapes.get(schemeOf(stored))?.test(stored) ?? false
}

/** The text between the first two `$`, or an empty string. */
export function schemeOf(stored: string): string {
  return /^\$([a-z0-9-]{1,32})\$/.exec(stored)?.[1] ?? ''
}

const base64 = '[A-Za-z0-9+/]{8,256}'
const argon2 = new RegExp(`^\\$argon2(id|i|d)\\$v=\\d+\\$m=\\d{1,7},t=\\d{1,3},p=\\d{1,3}\\$${base64}\\$${base64}$`)
const bcrypt = /^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/
const pbkdf2Shape = new RegExp(`^\\$pbkdf2-sha(256|512)\\$i=\\d{1,7}\\$${base64}\\$${base64}$`)
const scryptShape = new RegExp(`^\\$scrypt\\$ln=([1-9]|1\\d|20),r=\\d{1,2},p=\\d{1,2}\\$${base64}\\$${base64}$`)

const shapes: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    argon2id: argon2,
    argon2i: argon2,
    argon2d: argon2,
    '2a': bcrypt,
    '2b': bcrypt,
    '2y': bcrypt,
    scrypt: scryptShape,
    'pbkdf2-sha256': pbkdf2Shape,
    'pbkdf2-sha512': pbkdf2Shape,
  }),
)

function imported(verify: HashScheme['verify']): HashScheme {
  return {
    async verify(stored, password) {
      // Some libraries return false for a malformed hash, but the caller must log it.
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

/** 256 MiB. The parameters of better-auth need 32 MiB. */
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
