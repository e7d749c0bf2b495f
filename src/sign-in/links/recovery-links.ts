import { lockAccount } from '../../identity/lock-account.ts'
import { type AuditOrigin, recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import { mailCaller, type NewMail, type Outbox } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { createAccountLink, linkTo, type RecoveryPurpose } from './account-links.ts'

interface NewRecoveryLink {
  readonly accountId: string
  /** Whether the link also removes the second factors, which the owner has lost. */
  readonly resetsFactors: boolean
  /** Default: one day. */
  readonly lifeSeconds?: number
  /** The account that creates the link. Absent for the CLI. */
  readonly actorId?: string
  readonly origin?: AuditOrigin
  /** The normalized email that the link is mailed to. */
  readonly mailedTo?: string | undefined
}

interface RecoveryLink {
  /** Contains the token. It is displayed once, and gives access to the account. */
  readonly link: string
  readonly expiresAt: Date
}

const daySeconds = 86_400

/**
 * Creates a link for choosing a new password. The current password works until the link is used. Call it in a
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
    made ?? refuse('password_missing', { detail: 'The account signs in with another issuer. Recover it there.' })
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

/**
 * Creates a recovery link for an administrator. If the service sends mail, the owner gets the link by mail and the
 * result is `undefined`. Call it in a transaction. Problems: `password_missing`; `email_unproved` if the link would be
 * mailed.
 */
export async function createOrMailRecoveryLink(
  issuer: BuiltInIssuer,
  rows: Rows,
  wanted: NewRecoveryLink,
): Promise<RecoveryLink | undefined> {
  const { outbox, settings } = issuer
  const [owner] = outbox
    ? await rows.query<Pick<MailedLink, 'to' | 'language'> & { isProved: boolean }>(mailedOwnerStatement, [
        wanted.accountId,
      ])
    : []
  // Without a password there is no owner row, and `createRecoveryLink` rejects.
  if (!outbox || !owner) return createRecoveryLink(rows, settings.linkUrl, wanted)
  const { to, language, isProved } = owner
  if (!isProved)
    refuse('email_unproved', {
      detail: 'Anyone may have signed up with this email. An operator can create a link on the command line.',
    })
  const caller = wanted.actorId === undefined ? undefined : mailCaller('account', wanted.actorId)
  await mailRecoveryLink(issuer, rows, outbox, { ...wanted, to, language, caller })
  return undefined
}

const mailedOwnerStatement = {
  name: 'recovery_owner',
  text: `
select c.email as "to", a.language, a.is_email_proved as "isProved"
from account a join credential c on c.account_id = a.id
where a.id = $1`,
}

/** Lifetime of a mailed link. It is short, because others may be able to read the mailbox. */
const mailedSeconds = 1_800

interface MailedLink extends NewRecoveryLink, Pick<NewMail<'recovery'>, 'to' | 'language' | 'caller'> {}

/** Creates a link and puts it in the outbox. Call it in a transaction. Problem: `password_missing`. */
async function mailRecoveryLink(
  { settings }: BuiltInIssuer,
  rows: Rows,
  outbox: Outbox,
  { to, language, caller, ...wanted }: MailedLink,
): Promise<void> {
  const life = { lifeSeconds: mailedSeconds, mailedTo: to }
  const { link } = await createRecoveryLink(rows, settings.linkUrl, { ...wanted, ...life })
  const values = { link, minutes: String(mailedSeconds / 60) }
  const { accountId } = wanted
  const mail = { kind: 'recovery', to, language, values, caller, accountId, lifeSeconds: mailedSeconds } as const
  await outbox.put(rows, mail)
}

/** Maximum number of mails per account. Beyond it nothing is sent. */
const mailsMax = { inHour: 3, inDay: 10 } as const

/** Mails a link if the email has an account with a password. Call it in a transaction. */
export async function mailRequestedRecovery(
  issuer: BuiltInIssuer,
  rows: Rows,
  outbox: Outbox,
  { id, email: to, caller }: { readonly id: string; readonly email: string; readonly caller: Buffer | undefined },
): Promise<void> {
  const [owner] = await rows.query<{ accountId: string; language: Language | null }>(ownerStatement, [to])
  if (!owner) return
  await lockAccount(rows, owner.accountId)
  const [mails] = await rows.query<{ hour: number; day: number }>(mailsStatement, [owner.accountId])
  if (!mails || mails.hour >= mailsMax.inHour || mails.day >= mailsMax.inDay) return
  await rows.query(countStatement, [id, owner.accountId])
  await mailRecoveryLink(issuer, rows, outbox, { ...owner, resetsFactors: false, to, caller })
}

const ownerStatement = {
  name: 'recovery_request_owner',
  text: `
select a.id as "accountId", a.language
from credential c join account a on a.id = c.account_id
where c.email = $1 and a.disabled_at is null`,
}

const mailsStatement = {
  name: 'recovery_request_mails',
  text: `
select count(*) filter (where created_at > now() - interval '1 hour')::int as hour, count(*)::int as day
from mail_request where account_id = $1 and purpose = 'recovery' and created_at > now() - interval '1 day'`,
}

const countStatement = { name: 'recovery_request_count', text: `update mail_request set account_id = $2 where id = $1` }
