import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { normalizeEmail } from '../../platform/email.ts'
import { normalizeDisplayName } from '../../platform/http/formats.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import { takeMailQuota } from '../../platform/mail/mail-quota.ts'
import type { NewMail, Outbox } from '../../platform/mail/outbox.ts'
import { newOpaqueToken, opaqueTokenHash, type Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { linkTo } from './account-links.ts'

const linkHours = 2
const lifeSeconds = linkHours * 3_600

/**
 * Mails a link to a new email. If the email is taken, its owner gets a notification. If an invitation reserves it,
 * nothing is sent, because the user must use the invitation. Call it in a transaction.
 */
export async function mailSignUpLink(
  { settings }: BuiltInIssuer,
  rows: Rows,
  outbox: Outbox,
  { id, email: to, caller }: { readonly id: string; readonly email: string; readonly caller: Buffer | undefined },
): Promise<void> {
  if ((await rows.query(reservedStatement, [to])).length > 0 || !(await takeMailQuota(rows, to, id))) return
  const existing = await findAccountWithEmail(rows, to)
  if (existing) return mailExisting(rows, outbox, { to, language: existing.language, caller })
  const { token, hash } = newOpaqueToken('link')
  await rows.query(linkStatement, [hash, to, lifeSeconds])
  const values = { link: linkTo(settings.linkUrl, token, 'sign_up'), hours: String(linkHours) }
  await outbox.put(rows, { kind: 'verify', to, language: null, values, caller, lifeSeconds })
}

/** Tells the owner of a taken email that someone wanted to use it. */
export async function mailExisting(
  rows: Rows,
  outbox: Outbox,
  mail: Pick<NewMail<'signUpExisting'>, 'to' | 'language' | 'caller'>,
): Promise<void> {
  await outbox.put(rows, { ...mail, kind: 'signUpExisting', values: {}, lifeSeconds })
}

const reservedStatement = {
  name: 'sign_up_reserved',
  text: `select from sign_up_invitation where email = $1 and used_at is null and expires_at > now()`,
}

/** $1 hash, $2 email, $3 seconds. */
const linkStatement = {
  name: 'sign_up_link_create',
  text: `insert into sign_up_link (hash, email, expires_at) values ($1, $2, now() + make_interval(secs => $3))`,
}

/** The email of a sign-up link. `undefined` if it is invalid. Does not consume the link. */
export async function findSignUpLink(rows: Rows, hash: Buffer): Promise<string | undefined> {
  const [row] = await rows.query<{ email: string }>(findLinkStatement, [hash])
  return row?.email
}

/** Consumes the link and deletes all other links to its email. Of several concurrent calls, one returns true. */
export async function consumeSignUpLink(rows: Rows, hash: Buffer): Promise<boolean> {
  const [spent] = await rows.query<{ email: string }>(spendStatement, [hash])
  if (spent) await rows.query(endStatement, [spent.email])
  return spent !== undefined
}

const findLinkStatement = {
  name: 'sign_up_link_find',
  text: `select email from sign_up_link where hash = $1 and expires_at > now()`,
}

const spendStatement = {
  name: 'sign_up_link_spend',
  text: `delete from sign_up_link where hash = $1 and expires_at > now() returning email`,
}

const endStatement = { name: 'sign_up_links_end', text: `delete from sign_up_link where email = $1` }

interface NewSignUpInvitation {
  readonly email: string
  /** The account's role. Default: `user`. */
  readonly roleId?: string
  /** The name of the new account, unless the user chooses another one. */
  readonly displayName?: string | undefined
  /** The operator hands the token to the owner of the email, so that the sign-up verifies it. */
  readonly provesEmail?: boolean
  /** Default: one week. */
  readonly expiresInSeconds?: number
  /** The administrator's account. Absent for the CLI. */
  readonly actorId?: string
  /** Mails the invitation, so that the sign-up verifies the email. */
  readonly mail?: { readonly outbox: Outbox; readonly linkUrl: string } | undefined
}

interface SignUpInvitation {
  /**
   * Returned only once; the database stores its hash. In a link it is in the fragment, which no server receives or
   * logs.
   */
  readonly token: Secret
  readonly expiresAt: Date
}

/**
 * An account has the email: verified (`taken`) or unverified (`unproved`). Only an invitation that verifies the email
 * can take it from an unverified account.
 */
type RefusedInvitation = { readonly refused: 'taken' | 'unproved' }

/** The effects of an invitation on the new account. */
export interface RedeemedInvitation {
  readonly roleId: string
  readonly provesEmail: boolean
  readonly displayName: string | null
}

const daySeconds = 86_400

/**
 * Invites one email to sign up, once. Reserves the email until then, and replaces an earlier unused invitation to it.
 * If an account has the email unverified, only an invitation that verifies it is created; the sign-up then takes the
 * email from that account. An unknown role is database error 23503.
 */
export async function createSignUpInvitation(
  database: Database,
  invitation: NewSignUpInvitation,
): Promise<SignUpInvitation | RefusedInvitation> {
  const { email, roleId = 'user', displayName, provesEmail = false, actorId, mail } = invitation
  const { expiresInSeconds = 7 * daySeconds } = invitation
  const { token, hash } = newOpaqueToken('invitation')
  const address = normalizeEmail(email)
  return database.transaction(async (rows) => {
    const existing = await findAccountWithEmail(rows, address)
    if (existing?.isProved) return { refused: 'taken' }
    if (existing && !provesEmail) return { refused: 'unproved' }
    await rows.query(revokeStatement, [address])
    const name = displayName === undefined ? null : normalizeDisplayName(displayName)
    const values = [hash, address, roleId, expiresInSeconds, provesEmail, name]
    const [row] = await rows.query<{ expires_at: Date }>(createStatement, values)
    if (!row) throw new Error('An invitation was inserted and not returned.')
    await recordAudit(rows, { action: 'account.invited', actorId, details: { role: roleId, provesEmail } })
    if (mail) {
      const days = String(Math.floor(expiresInSeconds / daySeconds))
      const sent = { kind: 'invitation', to: address, language: null, lifeSeconds: expiresInSeconds } as const
      await mail.outbox.put(rows, { ...sent, values: { link: linkTo(mail.linkUrl, token, 'invitation'), days } })
    }
    return { token, expiresAt: row.expires_at }
  })
}

/** The email of the invitation. `undefined` if it is invalid. Does not consume it. */
export async function findInvitation(rows: Rows, hash: Buffer): Promise<string | undefined> {
  const [row] = await rows.query<{ email: string }>(findStatement, [hash])
  return row?.email
}

/** Consumes the invitation and returns its effects. Of several concurrent calls, one succeeds. */
export async function redeemInvitation(
  rows: Rows,
  email: string,
  token: Secret,
): Promise<RedeemedInvitation | undefined> {
  const [row] = await rows.query<RedeemedInvitation>(redeemStatement, [opaqueTokenHash(token.open()), email])
  return row
}

const revokeStatement = {
  name: 'sign_up_invitation_revoke',
  text: `delete from sign_up_invitation where email = $1 and used_at is null`,
}

/** $1 hash, $2 email, $3 role, $4 seconds, $5 whether it verifies the email, $6 name or null. */
const createStatement = {
  name: 'sign_up_invitation_create',
  text: `
insert into sign_up_invitation (hash, email, role_id, expires_at, proves_email, display_name)
values ($1, $2, $3, now() + make_interval(secs => $4), $5, $6)
returning expires_at`,
}

const findStatement = {
  name: 'sign_up_invitation_find',
  text: 'select email from sign_up_invitation where hash = $1 and used_at is null and expires_at > now()',
}

const redeemStatement = {
  name: 'sign_up_invitation_redeem',
  text: `
update sign_up_invitation set used_at = now()
where hash = $1 and email = $2 and used_at is null and expires_at > now()
returning role_id as "roleId", proves_email as "provesEmail", display_name as "displayName"`,
}

/** The account that has the email, verified or with a password. Both count as taken. A verified one comes first. */
export async function findAccountWithEmail(rows: Rows, address: string): Promise<EmailAccount | undefined> {
  const [account] = await rows.query<EmailAccount>(accountStatement, [address])
  return account
}

interface EmailAccount {
  readonly accountId: string
  readonly language: Language | null
  /** Whether the email is verified. */
  readonly isProved: boolean
}

const accountStatement = {
  name: 'mailed_address_bearer',
  text: `
select a.id as "accountId", a.language, a.is_email_proved as "isProved"
from account a
where a.id in (select account_id from credential where email = $1
               union all
               select id from account where email_proved_at is not null and lower(email) = $1)
order by a.is_email_proved desc
limit 1`,
}
