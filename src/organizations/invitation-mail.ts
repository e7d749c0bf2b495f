import type { Rows } from '../platform/database/database.ts'
import type { Language } from '../platform/mail/kinds.ts'
import { takeMailQuota } from '../platform/mail/mail-quota.ts'
import { mailCaller, type Outbox } from '../platform/mail/outbox.ts'

/** Absent if the service sends no mail. */
export interface InvitationMailer {
  readonly outbox: Outbox
  /** URL of the page that links open. */
  readonly linkUrl: string
}

interface MailedInvitation {
  readonly invitationId: string
  readonly organizationId: string
  readonly email: string
  readonly recipient: Recipient
  /** The language that the inviter asks for. */
  readonly language: Language | undefined
  readonly expiresInHours: number
  /** Absent for an operator. */
  readonly actorId: string | undefined
}

/**
 * Queues the mail and records its time. Returns false if nothing was queued: no mail server is configured, the email has
 * had too many mails, or too many mails of the inviter are waiting. Call it in a transaction.
 */
export async function mailInvitation(
  rows: Rows,
  mailer: InvitationMailer | undefined,
  { invitationId, email, recipient, language, expiresInHours, actorId, ...invitation }: MailedInvitation,
): Promise<boolean> {
  if (!mailer) return false
  const [request] = await rows.query<{ id: string }>(requestStatement, [])
  if (!request) throw new Error('The insert into mail_request returned no row.')
  if (!(await takeMailQuota(rows, email, request.id))) return false
  const [about] = await rows.query<{ name: string; date: string }>(aboutStatement, [
    invitation.organizationId,
    expiresInHours,
  ])
  if (!about) throw new Error('The organization of an invitation was not found.')
  const isQueued = await mailer.outbox.put(rows, {
    kind: 'organizationInvitation',
    to: email,
    // The recipient's own choice comes first.
    language: recipient.language ?? language ?? null,
    values: {
      link: `${mailer.linkUrl}#purpose=organization_invitation&invitation=${invitationId}`,
      organization: nameInMail(about.name),
      date: about.date,
    },
    caller: actorId === undefined ? undefined : mailCaller('account', actorId),
    accountId: recipient.accountId ?? undefined,
    lifeSeconds: expiresInHours * 3_600,
  })
  if (isQueued) await rows.query(mailedStatement, [invitationId])
  return isQueued
}

/** What is known about the owner of an email. Nothing without an account that has verified it. */
export interface Recipient {
  readonly accountId: string | null
  readonly language: Language | null
  readonly isMember: boolean
}

/** `email` is normalized. */
export async function findRecipient(rows: Rows, organizationId: string, email: string): Promise<Recipient> {
  const [found] = await rows.query<Recipient>(recipientStatement, [organizationId, email])
  return found ?? { accountId: null, language: null, isMember: false }
}

const nameLengthMax = 60

/** Anyone may choose the name of an organization, so it must not look like a link to mail programs. */
export function nameInMail(name: string): string {
  const parted = name.replaceAll('://', ' ').replaceAll(/\.(?=\S)/g, '. ')
  const characters = [...parted]
  return characters.length > nameLengthMax ? `${characters.slice(0, nameLengthMax - 1).join('')}…` : parted
}

const requestStatement = {
  name: 'invitation_mail_request',
  text: `insert into mail_request (purpose) values ('organization_invitation') returning id`,
}

/** $1 organization, $2 hours. */
const aboutStatement = {
  name: 'invitation_mail_about',
  text: `
select name, to_char((now() + make_interval(hours => $2)) at time zone 'UTC', 'YYYY-MM-DD') as date
from organization where id = $1`,
}

const mailedStatement = { name: 'invitation_mailed', text: 'update invitation set mailed_at = now() where id = $1' }

const recipientStatement = {
  name: 'invitation_recipient',
  text: `
select a.id as "accountId", a.language,
       exists (select from membership m where m.organization_id = $1 and m.account_id = a.id) as "isMember"
from account a
where a.email_proved_at is not null and lower(a.email) = $2`,
}
