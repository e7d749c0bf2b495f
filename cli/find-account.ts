import type { Rows } from '../src/platform/database/database.ts'
import { uuidPattern } from '../src/platform/http/formats.ts'
import { type FoundAccount, findAccounts } from '../src/users/accounts.ts'
import { Fault } from './fault.ts'

/**
 * The one account with this id or e-mail address: the one whose address is proved, or the only one. Several accounts can have one address,
 * because an issuer need not verify it.
 */
export async function findAccount(rows: Rows, who: string): Promise<FoundAccount> {
  const [account, ...others] = await findAccounts(rows, who)
  if (!account) throw new Fault(`There is no account with the e-mail address or id ${who}.`)
  if (others.length === 0 || account.emailProved) return account
  const ids = [account, ...others].map(({ id }) => id).join(', ')
  throw new Fault(`Several accounts have the e-mail address ${who}; choose one by its id: ${ids}.`)
}

/** For commands that give rights: an address without a proof may have been typed by a stranger. */
export async function findAccountToTrust(
  rows: Rows,
  who: string,
  { unproved = false }: { readonly unproved?: boolean },
): Promise<FoundAccount> {
  const account = await findAccount(rows, who)
  if (account.emailProved || unproved || uuidPattern.test(who.trim().toLowerCase())) return account
  throw new Fault(`The address ${who} is not proved; use the id, or --unproved.`)
}

/** The option of such a command. */
export const unprovedOption = [
  '--unproved',
  'Accept an address that is not proved: anyone may have signed up with it.',
] as const
