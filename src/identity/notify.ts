import type { Rows } from '../platform/database/database.ts'
import type { Language, MailKind, MailValues } from '../platform/mail/kinds.ts'
import { mailCaller, type Outbox } from '../platform/mail/outbox.ts'

/** Time to live of a notification: 1 day. */
const notificationSeconds = 86_400

interface Notification<Kind extends MailKind> {
  readonly accountId: string
  readonly kind: Kind
  readonly values: MailValues<Kind>
}

/**
 * Queues an email about a change, in the transaction of the change. Sends only to a verified email: otherwise anyone
 * could sign up with a stranger's address and fill that mailbox.
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
    // Deleting the account would also delete the queued email.
    accountId: kind === 'erased' ? undefined : accountId,
    lifeSeconds: notificationSeconds,
  })
}

const ownerStatement = {
  name: 'notification_owner',
  text: `select email, language from account where id = $1 and email_proved_at is not null`,
}
