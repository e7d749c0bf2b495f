import { newOpaqueToken, opaqueTokenHash } from '../identity/opaque-tokens.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import type { Secret } from '../platform/secret.ts'
import { normalizeEmail } from './people.ts'

export interface NewInvitation {
  readonly email: string
  /** The account's role. Default: `user`. */
  readonly roleId?: string
  /** Default: a week. */
  readonly expiresInSeconds?: number
  /** The account of the administrator who invites; left out for the operator at the machine. */
  readonly actorId?: string
}

export interface SignUpInvitation {
  /** Shown once: only its hash is kept. Into a link it goes behind `#`, where no server and no log sees it. */
  readonly token: Secret
  readonly expiresAt: Date
}

const weekSeconds = 7 * 86_400

/**
 * Invites one address to sign up, once. An earlier invitation to it that was not used is taken back.
 * Nothing where the address has an account already. A role that does not exist is the database's error 23503.
 */
export async function createSignUpInvitation(
  database: Database,
  { email, roleId = 'user', expiresInSeconds = weekSeconds, actorId }: NewInvitation,
): Promise<SignUpInvitation | undefined> {
  const { token, hash } = newOpaqueToken('invitation')
  const values = [hash, normalizeEmail(email), roleId, expiresInSeconds]
  return database.transaction(async (rows) => {
    await rows.query(clearStatement, [normalizeEmail(email)])
    const [row] = await rows.query<{ expires_at: Date }>(createStatement, values)
    if (!row) return undefined
    await recordAudit(rows, { action: 'account.invited', actorId, details: { role: roleId } })
    return { token, expiresAt: row.expires_at }
  })
}

/** The role that the invitation gives, which is used up with this. Of several at once one gets it. */
export async function spendInvitation(rows: Rows, email: string, token: Secret): Promise<string | undefined> {
  const [row] = await rows.query<{ role_id: string }>(spendStatement, [opaqueTokenHash(token.open()), email])
  return row?.role_id
}

const clearStatement = {
  name: 'sign_up_invitation_clear',
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

const spendStatement = {
  name: 'sign_up_invitation_spend',
  text: `
update sign_up_invitation set used_at = now()
where hash = $1 and email = $2 and used_at is null and expires_at > now()
returning role_id`,
}
