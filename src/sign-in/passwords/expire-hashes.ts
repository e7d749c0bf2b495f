import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { currentPrefix, unusableHash } from './passwords.ts'

/** Hashes of a scheme that is not today's, which no sign-in has replaced for so long. */
export interface OldHashes {
  /** As a hash begins, without `$`: `2b`, `scrypt`. */
  readonly scheme: string
  readonly olderThanDays: number
}

/** Accounts in one transaction. */
const batchRows = 1_000

export async function countOldHashes(rows: Rows, { scheme, olderThanDays }: OldHashes): Promise<number> {
  const [row] = await rows.query<{ count: number }>(countStatement, [scheme, olderThanDays])
  return row?.count ?? 0
}

/**
 * Forgets the passwords that are stored so: their owners choose another by account recovery. With the last such hash, refusals take
 * less time. Returns the number of accounts. Safe beside the service, and to run again.
 */
export async function expireOldHashes(database: Database, { scheme, olderThanDays }: OldHashes): Promise<number> {
  for (let expired = 0; ; ) {
    const count = await database.transaction(async (rows) => {
      const values = [scheme, olderThanDays, unusableHash(), batchRows]
      const accounts = await rows.query<{ id: string }>(expireStatement, values)
      for (const { id } of accounts)
        await recordAudit(rows, { action: 'password.expired', target: { kind: 'account', id }, details: { scheme } })
      return accounts.length
    })
    expired += count
    if (count < batchRows) return expired
  }
}

/** $1 scheme, $2 days. A hash without a time is as old as its account, at most. */
const isOld = `
  c.password not like '${currentPrefix}%' and starts_with(c.password, '$' || $1 || '$')
  and coalesce(c.hashed_at, (select a.created_at from account a where a.id = c.account_id)) < now() - make_interval(days => $2)`

const countStatement = {
  name: 'old_hashes_count',
  text: `select count(*)::int as count from credential c where ${isOld}`,
}

/** $3 a hash that no password has, $4 rows. */
const expireStatement = {
  name: 'old_hashes_expire',
  text: `
update credential set password = $3, initial_until = null, hashed_at = now()
where account_id in (select c.account_id from credential c where ${isOld} order by c.account_id limit $4 for update of c)
returning account_id as id`,
}
