import { newOpaqueToken, opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import type { Secret } from '../../platform/secret.ts'
import { normalizeEmail } from '../passwords/password-accounts.ts'
import { linkTo } from './account-links.ts'

interface NewSignUpInvitation {
  readonly email: string
  /** The account's role. Default: `user`. */
  readonly roleId?: string
  /** The operator hands the token to the owner of the address: the sign-up proves it. */
  readonly provesEmail?: boolean
  /** Default: a week. */
  readonly expiresInSeconds?: number
  /** The account of the administrator who invites; absent for the CLI. */
  readonly actorId?: string
  /** Mails it to the address, which proves it. */
  readonly mail?: { readonly outbox: Outbox; readonly linkUrl: string } | undefined
}

interface SignUpInvitation {
  /** Shown once: the database stores its hash. A link carries it behind `#`, which no server receives or logs. */
  readonly token: Secret
  readonly expiresAt: Date
}

/** An account bears the address: with a proof, or without one, which an invitation that proves the address displaces. */
type RefusedInvitation = { readonly refused: 'taken' | 'unproved' }

/** What the sign-up with an invitation gives. */
export interface RedeemedInvitation {
  readonly roleId: string
  readonly provesEmail: boolean
}

const daySeconds = 86_400
const weekSeconds = 7 * daySeconds

/**
 * Invites one address to sign up, once, reserves it until then, and revokes an earlier unused invitation to it. For an address that an
 * account bears without a proof only an invitation that proves it is made: the sign-up displaces that account. An unknown role is the
 * database's error 23503.
 */
export async function createSignUpInvitation(
  database: Database,
  { email, roleId = 'user', provesEmail = false, expiresInSeconds = weekSeconds, actorId, mail }: NewSignUpInvitation,
): Promise<SignUpInvitation | RefusedInvitation> {
  const { token, hash } = newOpaqueToken('invitation')
  const address = normalizeEmail(email)
  return database.transaction(async (rows) => {
    const [bearer] = await rows.query<{ is_proved: boolean }>(bearerStatement, [address])
    if (bearer?.is_proved) return { refused: 'taken' }
    if (bearer && !provesEmail) return { refused: 'unproved' }
    await rows.query(revokeStatement, [address])
    const values = [hash, address, roleId, expiresInSeconds, provesEmail]
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

/** The address that the invitation is for; `undefined` where it is no good. It stays as it is. */
export async function findInvitation(rows: Rows, hash: Buffer): Promise<string | undefined> {
  const [row] = await rows.query<{ email: string }>(findStatement, [hash])
  return row?.email
}

/** Uses the invitation up and returns what it gives. Of several concurrent calls one succeeds. */
export async function redeemInvitation(
  rows: Rows,
  email: string,
  token: Secret,
): Promise<RedeemedInvitation | undefined> {
  const [row] = await rows.query<RedeemedInvitation>(redeemStatement, [opaqueTokenHash(token.open()), email])
  return row
}

/** An account with a password for the address, or with a proof of it: the one with a proof first. */
const bearerStatement = {
  name: 'sign_up_invitation_bearer',
  text: `
select a.is_email_proved as is_proved
from account a
where a.id in (select account_id from credential where email = $1
               union all
               select id from account where email_proved_at is not null and lower(email) = $1)
order by a.is_email_proved desc
limit 1`,
}

const revokeStatement = {
  name: 'sign_up_invitation_revoke',
  text: `delete from sign_up_invitation where email = $1 and used_at is null`,
}

/** $1 hash, $2 e-mail address, $3 role, $4 seconds, $5 whether it proves the address. */
const createStatement = {
  name: 'sign_up_invitation_create',
  text: `
insert into sign_up_invitation (hash, email, role_id, expires_at, proves_email)
values ($1, $2, $3, now() + make_interval(secs => $4), $5)
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
returning role_id as "roleId", proves_email as "provesEmail"`,
}
