import type { Rows } from '../../platform/database/database.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import { mailCaller } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { createRecoveryLink, type NewRecoveryLink, type RecoveryLink } from './recovery-links.ts'
import { mailRecoveryLink } from './recovery-requests.ts'

/**
 * Makes the link that an administrator asks for. Where the service sends mail, the owner of the account gets it and the administrator does
 * not: the result is `undefined`. To be called in a transaction. Problems: `password_missing`; `email_unproved` where it would be mailed.
 */
export async function giveRecoveryLink(
  issuer: BuiltInIssuer,
  rows: Rows,
  wanted: NewRecoveryLink,
): Promise<RecoveryLink | undefined> {
  const { outbox, settings } = issuer
  const [owner] = outbox ? await rows.query<Owner>(ownerStatement, [wanted.accountId]) : []
  // Without a password here there is no owner, and no link either.
  if (!outbox || !owner) return createRecoveryLink(rows, settings.linkUrl, wanted)
  const { to, language, isProved } = owner
  if (!isProved)
    refuse('email_unproved', {
      detail: 'Anyone may have signed up with it. An operator can make a link on the command line.',
    })
  const caller = wanted.actorId === undefined ? undefined : mailCaller('account', wanted.actorId)
  await mailRecoveryLink(issuer, rows, outbox, { ...wanted, to, language, caller })
  return undefined
}

interface Owner {
  readonly to: string
  readonly language: Language | null
  readonly isProved: boolean
}

const ownerStatement = {
  name: 'recovery_owner',
  text: `
select c.email as "to", a.language, a.is_email_proved as "isProved"
from account a join credential c on c.account_id = a.id
where a.id = $1`,
}
