import type { Rows } from '../src/platform/database/database.ts'
import { type FoundAccount, findAccounts } from '../src/users/accounts.ts'
import { Fault } from './fault.ts'

/** The one account with this id or e-mail address. Several accounts can have one address, because an issuer need not verify it. */
export async function findAccount(rows: Rows, who: string): Promise<FoundAccount> {
  const [account, ...others] = await findAccounts(rows, who)
  if (!account) throw new Fault(`There is no account with the e-mail address or id ${who}.`)
  if (others.length === 0) return account
  const ids = [account, ...others].map(({ id }) => id).join(', ')
  throw new Fault(`Several accounts have the e-mail address ${who}; choose one by its id: ${ids}.`)
}
