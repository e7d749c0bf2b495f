import { newOpaqueToken, opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { normalizeEmail } from '../../platform/email.ts'
import { normalizeDisplayName } from '../../platform/http/formats.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import type { Secret } from '../../platform/secret.ts'
import { linkTo } from './account-links.ts'
import { findAccountWithEmail } from './mailed-addresses.ts'

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
const weekSeconds = 7 * daySeconds

/**
 * Invites one email to sign up, once. Reserves the email until then, and replaces an earlier unused invitation to it.
 * If an account has the email unverified, only an invitation that verifies it is created; the sign-up then takes the
 * email from that account. An unknown role is database error 23503.
 */
export async function createSignUpInvitation(
  database: Database,
  invitation: NewSignUpInvitation,
): Promise<SignUpInvitation | RefusedInvitation> {
  const { email, roleId = 'user', provesEmail = false, expiresInSeconds = weekSeconds, actorId, mail } = invitation
  const { displayName } = invitation
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
      const values = {
        link: linkTo(mail.linkUrl, token, 'invitation'),
        days: String(Math.floor(expiresInSeconds / daySeconds)),
      }
      const lifeSeconds = expiresInSeconds
      await mail.outbox.put(rows, { kind: 'invitation', to: address, language: null, values, lifeSeconds })
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
