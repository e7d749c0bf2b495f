import type { Rows } from '../platform/database/database.ts'

/** Locks the account until the transaction ends. Changes to how its owner signs in wait for each other. */
export async function lockAccount(rows: Rows, accountId: string): Promise<void> {
  await rows.query(lockStatement, [accountId])
}

const lockStatement = { name: 'account_lock', text: `select id from account where id = $1 for no key update` }
