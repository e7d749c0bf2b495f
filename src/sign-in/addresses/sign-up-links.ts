import type { Rows } from '../../platform/database/database.ts'

/** The address that a link makes an account for; `undefined` where it is no good. The link stays as it is. */
export async function findSignUpLink(rows: Rows, hash: Buffer): Promise<string | undefined> {
  const [row] = await rows.query<{ email: string }>(findStatement, [hash])
  return row?.email
}

/** Uses the link up together with every other one to its address. Of several concurrent calls one returns true. */
export async function spendSignUpLink(rows: Rows, hash: Buffer): Promise<boolean> {
  const [spent] = await rows.query<{ email: string }>(spendStatement, [hash])
  if (spent) await rows.query(endStatement, [spent.email])
  return spent !== undefined
}

const findStatement = {
  name: 'sign_up_link_find',
  text: `select email from sign_up_link where hash = $1 and expires_at > now()`,
}

const spendStatement = {
  name: 'sign_up_link_spend',
  text: `delete from sign_up_link where hash = $1 and expires_at > now() returning email`,
}

const endStatement = { name: 'sign_up_links_end', text: `delete from sign_up_link where email = $1` }
