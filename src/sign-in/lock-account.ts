import type { Rows } from '../platform/database/database.ts'

/** Holds the account until the transaction ends: changes of how its owner signs in come one after the other. */
export async function lockAccount(rows: Rows, accountId: string): Promise<void> {
  await rows.query(lockStatement, [accountId])
}

const lockStatement = { name: 'account_lock', text: `select id from account where id = $1 for no key update` }
