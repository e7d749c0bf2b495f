import type { Caller } from '../access/caller.ts'
import { recordAudit } from '../audit/audit.ts'
import { refuse } from '../problems.ts'
import type { Secret } from '../secret.ts'
import { dropChallenges } from './challenges.ts'
import type { Client } from './client.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { readMember, reauthenticate } from './member.ts'
import { endSessionsOf } from './own-sessions.ts'
import { requireGoodPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { replacePasswordHash } from './people.ts'
import { originOf } from './sessions.ts'

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
