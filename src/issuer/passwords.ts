import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { refuse } from '../problems.ts'
import type { Secret } from '../secret.ts'

/** OWASP's floor for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. Stored in each hash, so it can be raised later. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each hash takes 19 MiB and a thread of the pool, which has four; 64 waiting ones take about half a second. */
const turns = bulkhead(4, 64)

/** A PHC string. The password is hashed as it was typed, but for its Unicode form (NFKC): nothing is cut. */
export function hashPassword(password: Secret): Promise<string> {
  return inTurn(() => hash(password.open().normalize('NFKC'), cost))
}

/** Whether this is the password. Where there is no stored hash the same work is done on a decoy, and the answer is no. */
export async function isPassword(stored: string | undefined, password: Secret): Promise<boolean> {
  const phc = stored ?? (await decoy())
  const isRight = await inTurn(() => verify(phc, password.open().normalize('NFKC')))
  return isRight && stored !== undefined
}

let decoyHash: Promise<string> | undefined

function decoy(): Promise<string> {
  decoyHash ??= hash(randomBytes(32).toString('base64url'), cost)
  return decoyHash
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await turns.execute(work)
  } catch (error) {
    if (isBulkheadRejectedError(error)) return refuse('overloaded', { retryAfterSeconds: 1, cause: error })
    throw error
  }
}
