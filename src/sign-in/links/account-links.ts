import { lockAccount } from '../../identity/lock-account.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { utcSecondsText } from '../../platform/database/utc-text.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import { refuse } from '../../platform/problems.ts'
import { newOpaqueToken, opaqueTokenHash, type Secret } from '../../platform/secret.ts'

/**
 * What a link does. `recovery_reset_factors` also removes the second factors. `email_change` is mailed to the new email
 * of an account, `email_change_old` to its current one. `email_undo` restores an earlier email.
 */
export type LinkPurpose = RecoveryPurpose | EmailPurpose | 'email_undo'
export type RecoveryPurpose = 'recovery' | 'recovery_reset_factors'
export type EmailPurpose = 'email_change' | 'email_change_old'

export const recoveryPurposes: readonly LinkPurpose[] = ['recovery', 'recovery_reset_factors']
export const emailPurposes: readonly LinkPurpose[] = ['email_change', 'email_change_old']
export const undoPurposes: readonly LinkPurpose[] = ['email_undo']
const allPurposes = [...recoveryPurposes, ...emailPurposes, ...undoPurposes]

interface NewAccountLink {
  readonly accountId: string
  readonly purpose: LinkPurpose
  readonly lifeSeconds: number
  /**
   * The normalized email that the link verifies or restores. For a recovery, the email that it is mailed to. Absent if
   * the link is displayed instead of mailed.
   */
  readonly address?: string | undefined
  /** Whether the link to the other email must be used, too. */
  readonly awaitsOther?: boolean
  /** The account that creates the link. Absent for the CLI. */
  readonly createdBy?: string | undefined
}

/** Maximum number of second-factor attempts per link. */
const triesMax = 5

/** A valid link. */
export interface AccountLink {
  readonly accountId: string
  readonly purpose: LinkPurpose
  /** The account's current email, normalized. */
  readonly email: string
  /** The email that the link verifies or restores. */
  readonly address: string | null
  readonly awaitsOther: boolean
  readonly createdAt: Date
  /** Whether the link was mailed, so that using it verifies this email. */
  readonly isMailed: boolean
  /** Whether the account's email is already verified. */
  readonly isProved: boolean
  readonly language: Language | null
}

/**
 * Creates a link. Returns `undefined` if the account has no password. The token is returned only here; the database
 * stores its hash.
 */
export async function createAccountLink(
  rows: Rows,
  { accountId, purpose, lifeSeconds, createdBy, address, awaitsOther = false }: NewAccountLink,
): Promise<{ readonly token: Secret; readonly expiresAt: Date } | undefined> {
  const { token, hash } = newOpaqueToken('link')
  const values = [hash, purpose, accountId, createdBy ?? null, lifeSeconds, address ?? null, awaitsOther]
  const [row] = await rows.query<{ expires_at: Date }>(createStatement, values)
  return row && { token, expiresAt: row.expires_at }
}

/** Finds a link without consuming it. Returns `undefined` if it is invalid for these purposes, for any reason. */
export async function findAccountLink(
  rows: Rows,
  hash: Buffer,
  purposes: readonly LinkPurpose[] = allPurposes,
): Promise<AccountLink | undefined> {
  const [row] = await rows.query<AccountLink>(findStatement, [hash, purposes])
  return row
}

/** The token is in the fragment, which browsers never send to a server. */
export function linkTo(linkUrl: string, token: Secret, purpose: LinkPurpose | 'sign_up' | 'invitation'): string {
  return `${linkUrl}#token=${token.open()}&purpose=${purpose}`
}

/** Counts a second-factor attempt. Returns false if the link has no attempts left. */
export async function countLinkAttempt(rows: Rows, hash: Buffer): Promise<boolean> {
  return (await rows.query(tryStatement, [hash])).length === 1
}

/**
 * Consumes a link in the transaction of its effect, which has locked the account. Of several concurrent calls, one
 * returns true.
 */
export async function consumeAccountLink(rows: Rows, hash: Buffer): Promise<boolean> {
  return (await rows.query(spendStatement, [hash])).length === 1
}

/** Consumes a link and does its work, in one transaction that has locked the account. Problem: `link_invalid`. */
export async function useAccountLink(
  database: Database,
  token: Secret,
  purposes: readonly LinkPurpose[],
  work: (rows: Rows, link: AccountLink) => Promise<void>,
): Promise<void> {
  const hash = opaqueTokenHash(token.open())
  const { accountId } = (await findAccountLink(database, hash, purposes)) ?? refuse('link_invalid')
  await database.transaction(async (rows) => {
    await lockAccount(rows, accountId)
    const link = (await findAccountLink(rows, hash, purposes)) ?? refuse('link_invalid')
    if (!(await consumeAccountLink(rows, hash))) refuse('link_invalid')
    await work(rows, link)
  })
}

/**
 * Called when the other of the two links of an email change was used: the remaining one is now sufficient. Returns
 * false if there is none.
 */
export async function confirmOtherLink(rows: Rows, accountId: string): Promise<boolean> {
  return (await rows.query(awaitNoOtherStatement, [accountId, emailPurposes])).length === 1
}

/** Deletes the links of a pending email change. Returns false if there is none. */
export async function endEmailChange(rows: Rows, accountId: string): Promise<boolean> {
  return (await rows.query(endEmailStatement, [accountId, emailPurposes])).length > 0
}

/** A pending email change. */
export interface OpenEmailChange {
  readonly newEmail: string
  readonly expiresAt: string
  /** The emails whose link must still be used. */
  readonly awaits: ('new' | 'present')[]
}

export async function readEmailChange(rows: Rows, accountId: string): Promise<OpenEmailChange | undefined> {
  const [row] = await rows.query<OpenEmailChange>(openEmailStatement, [accountId, emailPurposes])
  return row
}

/**
 * The account data that a link is bound to: a change of it invalidates the link. An undo link is not bound to account
 * data.
 */
const bindingOf = (purpose: string, address: string) => `
sha256(convert_to((case ${purpose}
  when 'email_undo' then jsonb_build_array(${purpose}, ${address})
  when 'email_change' then jsonb_build_array(${purpose}, c.password, c.email, a.security_epoch, ${address})
  when 'email_change_old' then jsonb_build_array(${purpose}, c.password, c.email, a.security_epoch, ${address})
  else jsonb_build_array(${purpose}, c.password, c.email, a.security_epoch)
end)::text, 'UTF8'))`

/** $1 hash, $2 purpose, $3 account, $4 creator, $5 seconds, $6 email, $7 whether the other link is required too. */
const createStatement = {
  name: 'account_link_create',
  text: `
insert into account_link (hash, purpose, account_id, bound_to, created_by, expires_at, email, awaits_other)
select $1, $2::text, a.id, ${bindingOf('$2::text', '$6::text')}, $4::uuid, now() + make_interval(secs => $5), $6::text, $7::boolean
from account a
join credential c on c.account_id = a.id
where a.id = $3
returning expires_at`,
}

const isValid = `l.expires_at > now() and l.bound_to = ${bindingOf('l.purpose', 'l.email')} and a.disabled_at is null`

const findStatement = {
  name: 'account_link_find',
  text: `
select l.account_id as "accountId", l.purpose, c.email, l.email as address, l.awaits_other as "awaitsOther",
       l.created_at as "createdAt", l.email is not null as "isMailed", a.is_email_proved as "isProved", a.language
from account_link l
join account a on a.id = l.account_id
join credential c on c.account_id = a.id
where l.hash = $1 and l.purpose = any ($2::text[]) and l.tries < ${triesMax} and ${isValid}`,
}

const tryStatement = {
  name: 'account_link_try',
  text: `update account_link set tries = tries + 1 where hash = $1 and tries < ${triesMax} returning hash`,
}

/** Ignores `tries`: the last allowed attempt may have been correct. */
const spendStatement = {
  name: 'account_link_spend',
  text: `
delete from account_link l using account a, credential c
where l.hash = $1 and a.id = l.account_id and c.account_id = a.id and ${isValid}
returning l.hash`,
}

/** $1 account, $2 purposes. */
const awaitNoOtherStatement = {
  name: 'account_link_await_no_other',
  text: `
update account_link set awaits_other = false
where account_id = $1 and purpose = any ($2::text[]) and awaits_other
returning hash`,
}

const endEmailStatement = {
  name: 'account_links_end_email',
  text: `delete from account_link where account_id = $1 and purpose = any ($2::text[]) returning hash`,
}

/** $1 account, $2 purposes. Returns no row if no change is pending. */
const openEmailStatement = {
  name: 'account_link_open_email',
  text: `
select min(l.email) as "newEmail", ${utcSecondsText('min(l.expires_at)')} as "expiresAt",
       array_agg(case l.purpose when 'email_change' then 'new' else 'present' end order by l.purpose) as awaits
from account_link l
join account a on a.id = l.account_id
join credential c on c.account_id = a.id
where l.account_id = $1 and l.purpose = any ($2::text[]) and ${isValid}
having count(*) > 0`,
}
