import { newOpaqueToken, opaqueTokenHash } from '../identity/opaque-tokens.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import type { Secret } from '../platform/secret.ts'
import { normalizeEmail } from './passwords/password-accounts.ts'

export interface NewSignUpInvitation {
  readonly email: string
  /** The account's role. Default: `user`. */
  readonly roleId?: string
  /** Default: a week. */
  readonly expiresInSeconds?: number
  /** The account of the administrator who invites; absent for the CLI. */
  readonly actorId?: string
}

export interface SignUpInvitation {
  /** Shown once: the database stores its hash. A link carries it behind `#`, which no server receives or logs. */
  readonly token: Secret
  readonly expiresAt: Date
}

const weekSeconds = 7 * 86_400

/**
 * Invites one address to sign up, once, and revokes an earlier unused invitation to it. Returns `undefined` where the address has
 * an account. An unknown role is the database's error 23503.
 */
export async function createSignUpInvitation(
  database: Database,
  { email, roleId = 'user', expiresInSeconds = weekSeconds, actorId }: NewSignUpInvitation,
): Promise<SignUpInvitation | undefined> {
  const { token, hash } = newOpaqueToken('invitation')
  const values = [hash, normalizeEmail(email), roleId, expiresInSeconds]
  return database.transaction(async (rows) => {
    await rows.query(revokeStatement, [normalizeEmail(email)])
    const [row] = await rows.query<{ expires_at: Date }>(createStatement, values)
    if (!row) return undefined
    await recordAudit(rows, { action: 'account.invited', actorId, details: { role: roleId } })
    return { token, expiresAt: row.expires_at }
  })
}

/** Uses the invitation up and returns the role that it grants. Of several concurrent calls one succeeds. */
export async function redeemInvitation(rows: Rows, email: string, token: Secret): Promise<string | undefined> {
  const [row] = await rows.query<{ role_id: string }>(redeemStatement, [opaqueTokenHash(token.open()), email])
  return row?.role_id
}

const revokeStatement = {
  name: 'sign_up_invitation_revoke',
  text: `delete from sign_up_invitation where email = $1 and used_at is null`,
}

/** $1 hash, $2 e-mail address, $3 role, $4 seconds. */
const createStatement = {
  name: 'sign_up_invitation_create',
  text: `
insert into sign_up_invitation (hash, email, role_id, expires_at)
select $1, $2::text, $3, now() + make_interval(secs => $4)
where not exists (select from credential where email = $2::text)
returning expires_at`,
}

const redeemStatement = {
  name: 'sign_up_invitation_redeem',
  text: `
update sign_up_invitation set used_at = now()
where hash = $1 and email = $2 and used_at is null and expires_at > now()
returning role_id`,
}
