import type { BuiltInIssuer } from '../issuer.ts'

/** Not more often than this by each node. */
const pauseMs = 600_000
/** Sessions in one statement. Each may have thousands of spent refresh tokens, which go with it. */
const batchRows = 20
const batchesMax = 50

const sweptAtMs = new WeakMap<BuiltInIssuer, number>()

/**
 * Removes what is over, now and then, when somebody signs in: whatever grows here grows by signing in. Nobody waits for it, and
 * what it leaves the next one takes.
 */
export function sweepNowAndThen(issuer: BuiltInIssuer): void {
  const now = issuer.now()
  if (now - (sweptAtMs.get(issuer) ?? Number.NEGATIVE_INFINITY) < pauseMs) return
  sweptAtMs.set(issuer, now)
  sweep(issuer).catch((error: unknown) => issuer.log.warn({ err: error }, 'sessions that are over were not removed'))
}

/** Removes what is over, in batches: at most a thousand sessions, the rest the next time. */
export async function sweep({ database }: Pick<BuiltInIssuer, 'database'>): Promise<void> {
  for (const statement of sweepStatements) await database.query(statement, [])
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const swept = await database.query(sessionsStatement, [batchRows])
    if (swept.length < batchRows) return
  }
}

/** Kept for a week after their end: who signed in from a network before is not kept out by a stranger's failures. */
const sessionsStatement = {
  name: 'sweep_sessions',
  text: `
delete from session where id in (
  select id from session where least(ended_at, expires_at) < now() - interval '7 days'
  order by least(ended_at, expires_at) limit $1
) returning id`,
}

const sweepStatements = [
  {
    name: 'sweep_challenges',
    text: `
delete from sign_in_challenge where hash in (
  select hash from sign_in_challenge where expires_at < now() order by expires_at limit 1000)`,
  },
  {
    name: 'sweep_waits',
    text: `
delete from sign_in_wait where key in (
  select key from sign_in_wait where failed_at < now() - interval '1 day' order by failed_at limit 1000)`,
  },
  {
    name: 'sweep_invitations',
    text: `
delete from sign_up_invitation where hash in (
  select hash from sign_up_invitation where expires_at < now() order by expires_at limit 1000)`,
  },
  {
    name: 'sweep_factors',
    text: `
delete from factor where id in (
  select id from factor where verified_at is null and created_at < now() - interval '1 day'
  order by created_at limit 1000)`,
  },
  { name: 'sweep_signing_keys', text: `delete from signing_key where verifies_until < now() - interval '1 day'` },
]
