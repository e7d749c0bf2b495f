import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Service } from './service.ts'

/** One count of attempts to sign in, a row of `sign_in_bucket`. test/sign-in/buckets.test.ts holds the service to the keys. */
export interface SignInLimit {
  readonly key: Buffer
  readonly capacity: number
  /** One attempt comes back in this time. */
  readonly stepSeconds: number
}

/** The counts of one account, by the scope that administrators see. */
export const signInLimits = {
  unknownDevices: (email: string) => limitOf(['name', email], 10, 900),
  knownNetwork: (email: string, network: string) => limitOf(['name', email, network], 10, 900),
  device: (deviceToken: string) => limitOf(['device', storedHash(deviceToken).toString('hex')], 10, 600),
  session: (accessToken: string) => limitOf(['session', decodeJwt<{ sid: string }>(accessToken).sid], 10, 600),
  secondStep: (accountId: string) => limitOf(['code', accountId], 5, 900),
} as const

function limitOf(parts: readonly string[], capacity: number, stepSeconds: number): SignInLimit {
  return { key: createHash('sha256').update(JSON.stringify(parts)).digest(), capacity, stepSeconds }
}

/** As after `attempts` attempts in a row, and `failures` since the last success. */
export async function chargeLimit(
  { sql }: Pick<Service, 'sql'>,
  { key, capacity, stepSeconds }: SignInLimit,
  { attempts, failures = attempts }: { readonly attempts: number; readonly failures?: number },
): Promise<void> {
  await sql(
    `insert into sign_in_bucket (scope, key, full_at, failures, capacity, step, touched_at)
     values ('account', $1, now() + $2 * make_interval(secs => $3), $4, $5, make_interval(secs => $3), now())`,
    [key, attempts, stepSeconds, failures, capacity],
  )
}

/** Failures since the last success. */
export async function failuresOf({ sql }: Pick<Service, 'sql'>, { key }: SignInLimit): Promise<number> {
  const [row] = await sql<{ failures: number }>('select failures from sign_in_bucket where key = $1', [key])
  return row?.failures ?? 0
}

/** How the database stores a token that only its owner has: of a link, a device, a challenge or a session. */
export function storedHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
