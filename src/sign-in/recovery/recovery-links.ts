import { type AuditOrigin, recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import { createAccountLink, linkTo, type RecoveryPurpose } from './account-links.ts'

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
