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
  {
    name: 'expired_challenges',
    text: `
delete from sign_in_challenge where hash in (
  select hash from sign_in_challenge where expires_at < now() order by expires_at limit 1000)`,
  },
  {
    name: 'expired_webauthn_challenges',
    text: `
delete from webauthn_challenge where hash in (
  select hash from webauthn_challenge where expires_at < now() order by expires_at limit 1000)`,
  },
  {
    // Keeps the row that disables codes until a recovery code or an operator removes it.
    name: 'expired_buckets',
    text: `
delete from sign_in_bucket where key in (
  select key from sign_in_bucket
  where scope <> 'calls' and touched_at < now() - interval '30 days' and full_at < now() and (failures < ${codeFailuresMax} or capacity <> ${codeCapacity})
  order by touched_at limit 1000)`,
  },
  {
    // Calls count for a minute.
    name: 'expired_calls',
    text: `
delete from sign_in_bucket where key in (
  select key from sign_in_bucket where scope = 'calls' and touched_at < now() - interval '1 hour'
  order by touched_at limit 50000 for update skip locked)`,
  },
  {
    name: 'expired_devices',
    text: `
delete from device where id in (
  select id from device where last_used_at < now() - interval '180 days' order by last_used_at limit 1000)`,
  },
  {
    name: 'expired_sign_up_invitations',
    text: `
delete from sign_up_invitation where hash in (
  select hash from sign_up_invitation where expires_at < now() order by expires_at limit 1000)`,
  },
  {
    name: 'expired_account_links',
    text: `
delete from account_link where hash in (
  select hash from account_link where expires_at < now() order by expires_at limit 1000)`,
  },
  {
    name: 'expired_sign_up_links',
    text: `
delete from sign_up_link where hash in (
  select hash from sign_up_link where expires_at < now() order by expires_at limit 1000)`,
  },
  {
    name: 'expired_mail_requests',
    text: `
delete from mail_request where id in (
  select id from mail_request where created_at < now() - interval '1 day' order by created_at limit 1000)`,
  },
  {
    name: 'expired_factors',
    text: `
delete from factor where id in (
  select id from factor where verified_at is null and created_at < now() - interval '1 day'
  order by created_at limit 1000)`,
  },
  { name: 'expired_signing_keys', text: `delete from signing_key where verifies_until < now() - interval '1 day'` },
]
