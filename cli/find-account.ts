import type { Rows } from '../src/platform/database/database.ts'
import { uuidPattern } from '../src/platform/http/formats.ts'
import { type FoundAccount, findAccounts } from '../src/users/accounts.ts'
import { Fault } from './errors.ts'

/** Finds an account by ID or email. Several accounts can share an email; the one with the verified email wins. */
export async function findAccount(rows: Rows, who: string): Promise<FoundAccount> {
  const [account, ...others] = await findAccounts(rows, who)
  if (!account) throw new Fault(`No user has the email or ID ${who}.`)
  if (others.length === 0 || account.emailProved) return account
  const ids = [account, ...others].map(({ id }) => id).join(', ')
  throw new Fault(`Several users have the email ${who}. Use one of these IDs: ${ids}.`)
}

/** For commands that grant rights: rejects an unverified email, because anyone may have signed up with it. */
export async function findTrustedAccount(
  rows: Rows,
  who: string,
  { unproved = false }: { readonly unproved?: boolean },
): Promise<FoundAccount> {
  const account = await findAccount(rows, who)
  if (account.emailProved || unproved || uuidPattern.test(who.trim().toLowerCase())) return account
  throw new Fault(`The email ${who} is not verified. Use the ID, or add --unproved.`)
}
