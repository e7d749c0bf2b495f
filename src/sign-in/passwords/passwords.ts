import { randomBytes } from 'node:crypto'
import type { Secret } from '../../platform/secret.ts'
import { type HashScheme, importedSchemes, schemeOf } from './imported-hashes.ts'

/** Loaded with the first password. */
const argon2 = () => import('@node-rs/argon2')

/** OWASP's minimum for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. Each hash stores its own cost. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A PHC string. The password is hashed in Unicode form NFKC and at its full length. */
export async function hashPassword(password: Secret): Promise<string> {
  return (await argon2()).hash(textOf(password), cost)
}

/**
 * `needs_rehash` is correct, with a hash of another scheme or of a lower cost than today's. `unreadable` is a stored hash of no
 * known form: a wrong password to the caller, and an error in the log.
 */
export type PasswordResult = 'correct' | 'needs_rehash' | 'wrong' | 'unreadable'

export function isCorrect(result: PasswordResult): boolean {
  return result === 'correct' || result === 'needs_rehash'
}

/** Without a stored hash, or with an unreadable one, it verifies a decoy, so that the time is the same. */
export async function verifyPassword(stored: string | undefined, password: Secret): Promise<PasswordResult> {
  const text = textOf(password)
  const scheme = stored === undefined ? undefined : schemes[schemeOf(stored)]
  const matches = stored !== undefined && scheme ? await verify(scheme, stored, text) : undefined
  if (stored === undefined || !scheme || matches === undefined) {
    await (await argon2()).verify(decoy, text)
    return stored === undefined ? 'wrong' : 'unreadable'
  }
  if (!matches) return 'wrong'
  return (await scheme.isCurrent(stored)) ? 'correct' : 'needs_rehash'
}

const schemes: Readonly<Record<string, HashScheme>> = {
  ...importedSchemes,
  argon2id: {
    verify: async (stored, password) => (await argon2()).verify(stored, password),
    async isCurrent(stored) {
      const { memoryCost, timeCost, parallelism } = (await argon2()).parseOptions(stored)
      return memoryCost >= cost.memoryCost && timeCost >= cost.timeCost && parallelism >= cost.parallelism
    },
  },
}

/** `undefined` where the stored text is malformed, which makes the library throw. */
async function verify(scheme: HashScheme, stored: string, password: string): Promise<boolean | undefined> {
  try {
    return await scheme.verify(stored, password)
  } catch {
    return undefined
  }
}

/** A hash of today's cost that no password has. */
const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${phcBytes(16)}$${phcBytes(32)}`

function phcBytes(length: number): string {
  return randomBytes(length).toString('base64').replaceAll('=', '')
}

function textOf(password: Secret): string {
  return password.open().normalize('NFKC')
}
