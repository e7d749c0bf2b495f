import type { Rows } from '../platform/database/database.ts'
import type { Language, MailKind, MailValues } from '../platform/mail/kinds.ts'
import type { BuiltInIssuer } from './issuer.ts'

/** A notification that comes later than a day is of no use. */
const notificationSeconds = 86_400

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
  { outbox }: Pick<BuiltInIssuer, 'outbox'>,
  rows: Rows,
  { accountId, kind, values }: Notification<Kind>,
): Promise<void> {
  if (!outbox) return
  const [owner] = await rows.query<{ email: string; language: Language | null }>(ownerStatement, [accountId])
  if (!owner) return
  const { email: to, language } = owner
  await outbox.put(rows, { kind, to, language, values, accountId, lifeSeconds: notificationSeconds })
}

/**
 * Mails the owner that a device which the account does not know signs in, from a network that it has not signed in from for a month: with
 * both a device token that was lost at home is no reason to worry. The first session of an account is no reason either.
 */
export async function notifyOfNewDevice(
  issuer: Pick<BuiltInIssuer, 'outbox'>,
  rows: Rows,
  accountId: string,
  network: string | undefined,
): Promise<void> {
  if (!issuer.outbox) return
  const [found] = await rows.query<{ isNew: boolean }>(newDeviceStatement, [accountId, network ?? null])
  if (found?.isNew) await notify(issuer, rows, { accountId, kind: 'newDevice', values: {} })
}

const newDeviceStatement = {
  name: 'notification_new_device',
  text: `
select exists (select from session where account_id = $1) and not exists (
  select from session
  where account_id = $1 and network is not distinct from $2 and created_at > now() - interval '30 days') as "isNew"`,
}

const ownerStatement = {
  name: 'notification_owner',
  text: `select email, language from account where id = $1 and email_proved_at is not null`,
}
