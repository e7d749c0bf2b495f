import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import type { OutdatedHash } from './hashing-queue.ts'
import { currentPrefix, unusableHash } from './passwords.ts'

/** The stored hashes of one scheme and cost. */
export interface StoredHashes {
  /** The text of the hash before its salt, such as `$2b$12` or `$scrypt$ln=14,r=8,p=1`. Empty for an unknown format. */
  readonly cost: string
  readonly accounts: number
  /** Whether new passwords are hashed with this scheme and cost. */
  readonly isCurrent: boolean
}

/** Counts the stored hashes by scheme and cost, the most frequent first. Reads the whole table. */
export function countStoredHashes(rows: Rows): Promise<StoredHashes[]> {
  return rows.query<StoredHashes>(countStatement, [])
}

/** One stored hash per outdated scheme and cost. */
export function outdatedHashes(rows: Rows): Promise<OutdatedHash[]> {
  return rows.query<OutdatedHash>(outdatedStatement, [])
}

/** For bcrypt the text ends with the cost, for the others with the parameters. */
const costOf = (column: string) => `coalesce(substring(${column} from '^\\$[a-z0-9-]+\\$(?:v=[0-9]+\\$)?[^$]+'), '')`

const countStatement = {
  name: 'stored_hashes_count',
  text: `
select ${costOf('password')} as cost, count(*)::int as accounts, password like '${currentPrefix}%' as "isCurrent"
from credential group by 1, 3 order by 2 desc, 1`,
}

const outdatedStatement = {
  name: 'stored_hashes_outdated',
  text: `
select ${costOf('password')} as cost, min(password) as stored
from credential where password not like '${currentPrefix}%' group by 1 order by count(*) desc limit 20`,
}

/** Hashes of an outdated scheme that no sign-in has replaced for this long. */
interface OldHashes {
  /** The start of the hash without `$`: `2b`, `scrypt`. */
  readonly scheme: string
  readonly olderThanDays: number
}

/** Accounts per transaction. */
const batchRows = 1_000

export async function countOldHashes(rows: Rows, { scheme, olderThanDays }: OldHashes): Promise<number> {
  const [row] = await rows.query<{ count: number }>(countOldStatement, [scheme, olderThanDays])
  return row?.count ?? 0
}

/**
 * Deletes the passwords with such a hash. Their owners choose a new one by account recovery. Once the last slow hash is
 * gone, refusals take less time. Returns the number of accounts. Can run while the service runs, and can be repeated.
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

/** $1 scheme, $2 days. A hash without a timestamp counts as old as its account. */
const isOld = `
  c.password not like '${currentPrefix}%' and starts_with(c.password, '$' || $1 || '$')
  and coalesce(c.hashed_at, (select a.created_at from account a where a.id = c.account_id)) < now() - make_interval(days => $2)`

const countOldStatement = {
  name: 'old_hashes_count',
  text: `select count(*)::int as count from credential c where ${isOld}`,
}

/** $3 a hash that matches no password, $4 maximum number of rows. */
const expireStatement = {
  name: 'old_hashes_expire',
  text: `
update credential set password = $3, initial_until = null, hashed_at = now()
where account_id in (select c.account_id from credential c where ${isOld} order by c.account_id limit $4 for update of c)
returning account_id as id`,
}
