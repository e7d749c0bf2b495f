import { randomBytes } from 'node:crypto'
import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { importedSchemes } from './imported-passwords.ts'

/** Loaded with the first password. */
const argon2 = () => import('@node-rs/argon2')

/** OWASP's floor for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. Stored in each hash, so it can be raised later. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each hash takes 19 MiB and a thread of the pool, which has four; 64 waiting ones take about half a second. */
const turns = bulkhead(4, 64)

/** A PHC string. The password is hashed as it was typed, but for its Unicode form (NFKC): nothing is cut. */
export function hashPassword(password: Secret): Promise<string> {
  return inTurn(async () => (await argon2()).hash(textOf(password), cost))
}

/**
 * `outdated` is right, and wants to be hashed again at today's cost. `unreadable` is a stored hash that nobody here understands:
 * wrong to the caller, and something for the log.
 */
export type PasswordVerdict = 'right' | 'outdated' | 'wrong' | 'unreadable'

/** Whether this is the password. Where there is no hash, or none that can be read, the same work is done on a decoy. */
export async function judgePassword(stored: string | undefined, password: Secret): Promise<PasswordVerdict> {
  const text = textOf(password)
  const scheme = stored === undefined ? undefined : schemes[schemeOf(stored)]
  return inTurn(async () => {
    const isRight = stored !== undefined && scheme ? await verified(scheme, stored, text) : undefined
    if (stored === undefined || !scheme || isRight === undefined) {
      await (await argon2()).verify(decoy, text)
      return stored === undefined ? 'wrong' : 'unreadable'
    }
    if (!isRight) return 'wrong'
    return (await scheme.isCurrent(stored)) ? 'right' : 'outdated'
  })
}

/**
 * How a stored hash is verified, by the word between its first two `$`. People who arrive from elsewhere with hashes of another
 * kind need one more entry here: they sign in with it once, and are hashed anew.
 */
interface Scheme {
  /** May reject where the stored text is malformed. */
  verify(stored: string, password: string): Promise<boolean>
  isCurrent(stored: string): boolean | Promise<boolean>
}

const schemes: Readonly<Record<string, Scheme>> = {
  ...importedSchemes,
  argon2id: {
    verify: async (stored, password) => (await argon2()).verify(stored, password),
    async isCurrent(stored) {
      const { memoryCost, timeCost, parallelism } = (await argon2()).parseOptions(stored)
      return memoryCost >= cost.memoryCost && timeCost >= cost.timeCost && parallelism >= cost.parallelism
    },
  },
}

function schemeOf(stored: string): string {
  return /^\$([a-z0-9-]{1,32})\$/.exec(stored)?.[1] ?? ''
}

/** Nothing where the stored text is malformed, which makes the library throw. */
async function verified(scheme: Scheme, stored: string, password: string): Promise<boolean | undefined> {
  try {
    return await scheme.verify(stored, password)
  } catch {
    return undefined
  }
}

/** A hash that no password has, at today's cost: verifying against it is the whole work. */
const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${phcBytes(16)}$${phcBytes(32)}`

function phcBytes(length: number): string {
  return randomBytes(length).toString('base64').replaceAll('=', '')
}

function textOf(password: Secret): string {
  return password.open().normalize('NFKC')
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await turns.execute(work)
  } catch (error) {
    if (isBulkheadRejectedError(error)) return refuse('overloaded', { retryAfterSeconds: 1, cause: error })
    throw error
  }
}
