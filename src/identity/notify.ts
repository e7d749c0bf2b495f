import type { Rows } from '../platform/database/database.ts'
import type { Language, MailKind, MailValues } from '../platform/mail/kinds.ts'
import { mailCaller, type Outbox } from '../platform/mail/outbox.ts'

/** A notification that comes later than a day is of no use. */
export const notificationSeconds = 86_400

interface Notification<Kind extends MailKind> {
  readonly accountId: string
  readonly kind: Kind
  readonly values: MailValues<Kind>
}

/**
 * Mails the owner of an account what was changed, in the transaction of the change. Only a proved address gets them: otherwise anyone
 * could sign up with the address of another person and fill that mailbox.
 */
export async function notify<Kind extends MailKind>(
  { outbox }: { readonly outbox?: Outbox | undefined },
  rows: Rows,
  { accountId, kind, values }: Notification<Kind>,
): Promise<void> {
  if (!outbox) return
  const [owner] = await rows.query<{ email: string; language: Language | null }>(ownerStatement, [accountId])
  if (!owner) return
  const { email: to, language } = owner
  await outbox.put(rows, {
    kind,
    to,
    language,
    values,
    caller: mailCaller('account', accountId),
    // With the account the mail would go that says so.
    accountId: kind === 'erased' ? undefined : accountId,
    lifeSeconds: notificationSeconds,
  })
}

const ownerStatement = {
  name: 'notification_owner',
  text: `select email, language from account where id = $1 and email_proved_at is not null`,
}
