import type { Rows } from '../../platform/database/database.ts'
import { currentPrefix } from './passwords.ts'

/** The stored hashes of one scheme and cost. */
export interface StoredHashes {
  /** The text of a hash before its salt, such as `$2b$12` or `$scrypt$ln=14,r=8,p=1`; empty for one of no known form. */
  readonly cost: string
  readonly accounts: number
  /** The hashes of new passwords have it. */
  readonly isCurrent: boolean
}

/** What the passwords of all accounts are hashed with, the most frequent first. Reads the whole table. */
export function countStoredHashes(rows: Rows): Promise<StoredHashes[]> {
  return rows.query<StoredHashes>(countStatement, [])
}

/** One hash of each scheme and cost that is not today's. */
export async function outdatedHashes(
  rows: Rows,
): Promise<readonly { readonly cost: string; readonly stored: string }[]> {
  return rows.query(outdatedStatement, [])
}

/** bcrypt ends it with its cost, the others with their parameters. */
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
