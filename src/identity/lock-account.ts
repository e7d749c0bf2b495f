import type { Rows } from '../platform/database/database.ts'

/** Locks the account until the transaction ends, so that changes to its sign-in methods run one after the other. */
export async function lockAccount(rows: Rows, accountId: string): Promise<void> {
  await rows.query(lockStatement, [accountId])
}

const lockStatement = { name: 'account_lock', text: `select id from account where id = $1 for no key update` }
