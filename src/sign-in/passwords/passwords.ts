import { randomBytes } from 'node:crypto'
import type { Secret } from '../../platform/secret.ts'
import { type HashScheme, importedSchemes, schemeOf } from './imported-hashes.ts'

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
  const scheme = schemes[schemeOf(stored)]
  if (!scheme) return verifyDecoy(texts, 'unreadable')
  for (const [place, text] of texts.entries()) {
    const matches = await verify(scheme, stored, text)
    if (matches === undefined) return verifyDecoy(texts, 'unreadable')
    if (matches) return place === 0 && (await scheme.isCurrent(stored)) ? 'correct' : 'needs_rehash'
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
