import type { Rows } from '../../platform/database/database.ts'

/**
 * Ends the links of the account, also one that is made at the same moment: with each change of how the owner signs in. The links that put
 * an earlier address back stay: otherwise a thief would change the password too, and the owner could undo nothing.
 */
export async function endAccountLinks(
  rows: Rows,
  accountId: string,
  { alsoUndo = false }: { readonly alsoUndo?: boolean } = {},
): Promise<void> {
  await rows.query(endLinksStatement, [accountId, alsoUndo ? [] : ['email_undo']])
}

const endLinksStatement = {
  name: 'account_links_end',
  text: `
with raised as (update account set security_epoch = security_epoch + 1 where id = $1)
delete from account_link where account_id = $1 and purpose <> all ($2::text[])`,
}

/** After a change of the password, a sign-in that passed its first step with the old one has to start again. */
export async function deleteChallenges(rows: Rows, accountId: string): Promise<void> {
  await rows.query(deleteChallengesStatement, [accountId])
}

const deleteChallengesStatement = {
  name: 'challenges_delete',
  text: `
with passkeys as (delete from webauthn_challenge where account_id = $1)
delete from sign_in_challenge where account_id = $1`,
}
