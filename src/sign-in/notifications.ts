import { notify } from '../identity/notify.ts'
import type { Rows } from '../platform/database/database.ts'
import type { BuiltInIssuer } from './issuer.ts'

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
