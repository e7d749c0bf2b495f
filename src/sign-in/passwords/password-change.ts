import type { Caller } from '../../identity/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { dropChallenges } from '../factors/challenges.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { readMember, reauthenticate } from '../member.ts'
import { replacePasswordHash } from '../people.ts'
import type { Client } from '../sessions/client.ts'
import { endSessionsOf } from '../sessions/own-sessions.ts'
import { originOf } from '../sessions/sessions.ts'
import { requireGoodPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'

/**
 * Changes the caller's password. Every other session ends: whoever knew the old one is out.
 * Problems: those of `readMember`, `password_wrong`, and `input_invalid` for one that may not be taken.
 */
export async function changePassword(
  issuer: BuiltInIssuer,
  caller: Caller,
  { currentPassword, newPassword }: { readonly currentPassword: Secret; readonly newPassword: Secret },
  client: Client,
): Promise<void> {
  const member = await readMember(issuer.database, caller)
  requireGoodPassword(newPassword, member.email ?? '', '/newPassword')
  const person = await reauthenticate(issuer, member, currentPassword, client)
  const passwordHash = await hashPassword(newPassword)
  await issuer.database.transaction(async (rows) => {
    // Two changes at once: the second was asked for with a password that is no longer the current one.
    if (!(await replacePasswordHash(rows, person, passwordHash))) refuse('password_wrong')
    await endSessionsOf(rows, member.accountId, { except: member.sessionId })
    await dropChallenges(rows, member.accountId)
    const target = { kind: 'account', id: member.accountId } as const
    await recordAudit(rows, { action: 'password.changed', actorId: member.accountId, target, ...originOf(client) })
  })
}
