import { newOpaqueToken } from '../../identity/opaque-tokens.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { Secret } from '../../platform/secret.ts'

/** What a link is good for. `recovery_reset_factors` removes the second factors together with the new password. */
export type LinkPurpose = 'recovery' | 'recovery_reset_factors'

export interface NewAccountLink {
  readonly accountId: string
  readonly purpose: LinkPurpose
  readonly lifeSeconds: number
  /** Where the link is mailed to, normalised; absent where it is shown. */
  readonly mailedTo?: string | undefined
  /** The account that makes it; absent for the CLI. */
  readonly createdBy?: string | undefined
}

/** Second factors that may be shown with one link. */
const triesMax = 5

/** A link that is good at this moment. */
export interface AccountLink {
  readonly accountId: string
  readonly purpose: LinkPurpose
  /** The account's own, normalised. */
  readonly email: string
  /** Who has the link has read the mail to this address. */
  readonly isMailed: boolean
  /** Whether the account's address was proved before. */
  readonly isProved: boolean
}

/** `undefined` where the account has no password here. The token is shown once; the database stores its hash. */
export async function createAccountLink(
  rows: Rows,
  { accountId, purpose, lifeSeconds, createdBy, mailedTo }: NewAccountLink,
): Promise<{ readonly token: Secret; readonly expiresAt: Date } | undefined> {
  const { token, hash } = newOpaqueToken('link')
  const values = [hash, purpose, accountId, createdBy ?? null, lifeSeconds, mailedTo ?? null]
  const [row] = await rows.query<{ expires_at: Date }>(createStatement, values)
  return row && { token, expiresAt: row.expires_at }
}

/** Looks at a link, which stays as it is; `undefined` where it is good for nothing, for whichever reason. */
export async function findAccountLink(rows: Rows, hash: Buffer): Promise<AccountLink | undefined> {
  const [row] = await rows.query<AccountLink>(findStatement, [hash])
  return row
}

/** Counts a second factor that is shown with the link. Returns false where it was shown too many. */
export async function tryAccountLink(rows: Rows, hash: Buffer): Promise<boolean> {
  return (await rows.query(tryStatement, [hash])).length === 1
}

/** Uses the link up, in the transaction of its effect. Of several concurrent calls one returns true. */
export async function spendAccountLink(rows: Rows, hash: Buffer): Promise<boolean> {
  return (await rows.query(spendStatement, [hash])).length === 1
}

/** Ends every link of the account, also one that is made at the same moment: with each change of how the owner signs in. */
export async function endAccountLinks(rows: Rows, accountId: string): Promise<void> {
  await rows.query(endStatement, [accountId])
}

/** What ends a link by its change. */
const boundTo = (purpose: string) =>
  `sha256(convert_to(jsonb_build_array(${purpose}, c.password, c.email, a.security_epoch)::text, 'UTF8'))`

/** $1 hash, $2 purpose, $3 account, $4 who makes it, $5 seconds, $6 where it is mailed to. */
const createStatement = {
  name: 'account_link_create',
  text: `
insert into account_link (hash, purpose, account_id, bound_to, created_by, expires_at, email)
select $1, $2::text, a.id, ${boundTo('$2::text')}, $4::uuid, now() + make_interval(secs => $5), $6::text
from account a
join credential c on c.account_id = a.id
where a.id = $3
returning expires_at`,
}

const isGood = `l.expires_at > now() and l.bound_to = ${boundTo('l.purpose')} and a.disabled_at is null`

const findStatement = {
  name: 'account_link_find',
  text: `
select l.account_id as "accountId", l.purpose, c.email, l.email is not null as "isMailed", a.is_email_proved as "isProved"
from account_link l
join account a on a.id = l.account_id
join credential c on c.account_id = a.id
where l.hash = $1 and l.tries < ${triesMax} and ${isGood}`,
}

const tryStatement = {
  name: 'account_link_try',
  text: `update account_link set tries = tries + 1 where hash = $1 and tries < ${triesMax} returning hash`,
}

/** The last of the tries may have been right. */
const spendStatement = {
  name: 'account_link_spend',
  text: `
delete from account_link l using account a, credential c
where l.hash = $1 and a.id = l.account_id and c.account_id = a.id and ${isGood}
returning l.hash`,
}

const endStatement = {
  name: 'account_links_end',
  text: `
with raised as (update account set security_epoch = security_epoch + 1 where id = $1)
delete from account_link where account_id = $1`,
}
