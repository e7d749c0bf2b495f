import type { BuiltInIssuer } from '../issuer.ts'
import { codeCapacity, codeFailuresMax } from './buckets.ts'

/** Sessions per statement. Each may have thousands of used refresh tokens, which are deleted with it. */
const batchRows = 20
const batchesMax = 50

/**
 * Deletes expired rows in batches, at most 1,000 sessions per run. Part of the maintenance, which one node runs at a
 * time.
 */
export async function deleteExpired({ database }: Pick<BuiltInIssuer, 'database'>): Promise<void> {
  for (const statement of statements) await database.query(statement, [])
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const deleted = await database.query(sessionsStatement, [batchRows])
    if (deleted.length < batchRows) return
  }
}

/** Keeps sessions for a week after they end: they record the networks that an account signed in from. */
const sessionsStatement = {
  name: 'expired_sessions',
  text: `
delete from session where id in (
  select id from session where least(ended_at, expires_at) < now() - interval '7 days'
  order by least(ended_at, expires_at) limit $1
) returning id`,
}

const statements = [
  expired('sign_in_challenge', 'hash', 'expires_at'),
  expired('webauthn_challenge', 'hash', 'expires_at'),
  expired('sign_up_invitation', 'hash', 'expires_at'),
  expired('account_link', 'hash', 'expires_at'),
  expired('sign_up_link', 'hash', 'expires_at'),
  expired('mail_request', 'id', 'created_at', `created_at < now() - interval '1 day'`),
  expired('device', 'id', 'last_used_at', `last_used_at < now() - interval '180 days'`),
  expired('factor', 'id', 'created_at', `verified_at is null and created_at < now() - interval '1 day'`),
  // Keeps the row that disables codes until a recovery code or an operator removes it.
  expired(
    'sign_in_bucket',
    'key',
    'touched_at',
    `scope <> 'calls' and touched_at < now() - interval '30 days' and full_at < now()
     and (failures < ${codeFailuresMax} or capacity <> ${codeCapacity})`,
  ),
  {
    // Calls count for a minute.
    name: 'expired_calls',
    text: `
delete from sign_in_bucket where key in (
  select key from sign_in_bucket where scope = 'calls' and touched_at < now() - interval '1 hour'
  order by touched_at limit 50000 for update skip locked)`,
  },
  { name: 'expired_signing_keys', text: `delete from signing_key where verifies_until < now() - interval '1 day'` },
]

/** Deletes up to 1,000 rows, the oldest first. Each table has an index on `since`. */
function expired(table: string, key: string, since: string, isExpired = `${since} < now()`) {
  return {
    name: `expired_${table}`,
    text: `
delete from ${table} where ${key} in (select ${key} from ${table} where ${isExpired} order by ${since} limit 1000)`,
  }
}
