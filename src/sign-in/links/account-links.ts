import { newOpaqueToken } from '../../identity/opaque-tokens.ts'
import { type AuditOrigin, recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { utcSecondsText } from '../../platform/database/utc-text.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'

/**
 * What a link is good for. `recovery_reset_factors` removes the second factors together with the new password; `email_change` goes to
 * the new address of an account and `email_change_old` to its present one; `email_undo` puts an earlier address back.
 */
export type LinkPurpose = RecoveryPurpose | EmailPurpose | 'email_undo'
type RecoveryPurpose = 'recovery' | 'recovery_reset_factors'
export type EmailPurpose = 'email_change' | 'email_change_old'

export const recoveryPurposes: readonly LinkPurpose[] = ['recovery', 'recovery_reset_factors']
export const emailPurposes: readonly LinkPurpose[] = ['email_change', 'email_change_old']
export const undoPurposes: readonly LinkPurpose[] = ['email_undo']
const allPurposes = [...recoveryPurposes, ...emailPurposes, ...undoPurposes]

interface NewAccountLink {
  readonly accountId: string
  readonly purpose: LinkPurpose
  readonly lifeSeconds: number
  /** The address that the link proves or puts back, normalised: for a recovery that it is mailed to. Absent where a link is shown. */
  readonly address?: string | undefined
  /** A second link to another address has to be used, too. */
  readonly awaitsOther?: boolean
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
  /** The address that the link proves or puts back. */
  readonly address: string | null
  readonly awaitsOther: boolean
  readonly createdAt: Date
  /** Who has the link has read the mail to this address. */
  readonly isMailed: boolean
  /** Whether the account's address was proved before. */
  readonly isProved: boolean
}

/** `undefined` where the account has no password here. The token is shown once; the database stores its hash. */
export async function createAccountLink(
  rows: Rows,
  { accountId, purpose, lifeSeconds, createdBy, address, awaitsOther = false }: NewAccountLink,
): Promise<{ readonly token: Secret; readonly expiresAt: Date } | undefined> {
  const { token, hash } = newOpaqueToken('link')
  const values = [hash, purpose, accountId, createdBy ?? null, lifeSeconds, address ?? null, awaitsOther]
  const [row] = await rows.query<{ expires_at: Date }>(createStatement, values)
  return row && { token, expiresAt: row.expires_at }
}

/** Looks at a link, which stays as it is; `undefined` where it is not good for one of these purposes, for whichever reason. */
export async function findAccountLink(
  rows: Rows,
  hash: Buffer,
  purposes: readonly LinkPurpose[] = allPurposes,
): Promise<AccountLink | undefined> {
  const [row] = await rows.query<AccountLink>(findStatement, [hash, purposes])
  return row
}

/** Behind `#`, which browsers send to no server. */
export function linkTo(linkUrl: string, token: Secret, purpose: LinkPurpose | 'sign_up' | 'invitation'): string {
  return `${linkUrl}#token=${token.open()}&purpose=${purpose}`
}

/** Counts a second factor that is shown with the link. Returns false where it was shown too many. */
export async function countLinkAttempt(rows: Rows, hash: Buffer): Promise<boolean> {
  return (await rows.query(tryStatement, [hash])).length === 1
}

/** Uses the link up, in the transaction of its effect. Of several concurrent calls one returns what it awaited. */
export async function consumeAccountLink(
  rows: Rows,
  hash: Buffer,
): Promise<Pick<AccountLink, 'awaitsOther'> | undefined> {
  const [row] = await rows.query<Pick<AccountLink, 'awaitsOther'>>(spendStatement, [hash])
  return row
}

/** Of the two links of a change of address the other one is used: this one is enough from now on. False where there is none. */
export async function confirmOtherLink(rows: Rows, accountId: string): Promise<boolean> {
  return (await rows.query(awaitNoOtherStatement, [accountId, emailPurposes])).length === 1
}

/** A change of address that is not confirmed ends: another one takes its place, or its owner withdraws it. False where there is none. */
export async function endEmailChange(rows: Rows, accountId: string): Promise<boolean> {
  return (await rows.query(endEmailStatement, [accountId, emailPurposes])).length > 0
}

/** A change of address that was asked for and is not confirmed yet. */
export interface OpenEmailChange {
  readonly newEmail: string
  readonly expiresAt: string
  /** The addresses whose link is still to be used. */
  readonly awaits: ('new' | 'present')[]
}

export async function readEmailChange(rows: Rows, accountId: string): Promise<OpenEmailChange | undefined> {
  const [row] = await rows.query<OpenEmailChange>(openEmailStatement, [accountId, emailPurposes])
  return row
}

/** What ends a link by its change. An undo is ended by none. */
const bindingOf = (purpose: string, address: string) => `
sha256(convert_to((case ${purpose}
  when 'email_undo' then jsonb_build_array(${purpose}, ${address})
  when 'email_change' then jsonb_build_array(${purpose}, c.password, c.email, a.security_epoch, ${address})
  when 'email_change_old' then jsonb_build_array(${purpose}, c.password, c.email, a.security_epoch, ${address})
  else jsonb_build_array(${purpose}, c.password, c.email, a.security_epoch)
end)::text, 'UTF8'))`

/** $1 hash, $2 purpose, $3 account, $4 who makes it, $5 seconds, $6 address, $7 whether it awaits the other link. */
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
       l.created_at as "createdAt", l.email is not null as "isMailed", a.is_email_proved as "isProved"
from account_link l
join account a on a.id = l.account_id
join credential c on c.account_id = a.id
where l.hash = $1 and l.purpose = any ($2::text[]) and l.tries < ${triesMax} and ${isValid}`,
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
where l.hash = $1 and a.id = l.account_id and c.account_id = a.id and ${isValid}
returning l.awaits_other as "awaitsOther"`,
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

/** $1 account, $2 purposes. Nothing where there is none. */
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

export interface NewRecoveryLink {
  readonly accountId: string
  /** Whether it removes the second factors, which the owner has lost too. */
  readonly resetsFactors: boolean
  /** Default: a day. */
  readonly lifeSeconds?: number
  /** The account that makes it; absent for the CLI. */
  readonly actorId?: string
  readonly origin?: AuditOrigin
  /** Where the link is mailed to, normalised. */
  readonly mailedTo?: string | undefined
}

export interface RecoveryLink {
  /** Contains the token: it is shown once, and gives the account to who has it. */
  readonly link: string
  readonly expiresAt: Date
}

const daySeconds = 86_400

/**
 * Makes a link with which its owner chooses a new password. The password that they have stays good until then. To be called in a
 * transaction. Problem: `password_missing`.
 */
export async function createRecoveryLink(
  rows: Rows,
  linkUrl: string,
  { accountId, resetsFactors, lifeSeconds = daySeconds, actorId, origin, mailedTo }: NewRecoveryLink,
): Promise<RecoveryLink> {
  const purpose: RecoveryPurpose = resetsFactors ? 'recovery_reset_factors' : 'recovery'
  const made = await createAccountLink(rows, { accountId, purpose, lifeSeconds, createdBy: actorId, address: mailedTo })
  const { token, expiresAt } =
    made ?? refuse('password_missing', { detail: 'The account signs in with another issuer: recover it there.' })
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(rows, {
    action: 'recovery.link_created',
    actorId,
    target,
    ...origin,
    details: { resetsFactors, isMailed: mailedTo !== undefined },
  })
  return { link: linkTo(linkUrl, token, purpose), expiresAt }
}
