import type { FastifyRequest } from 'fastify'
import { notify } from '../../identity/notify.ts'
import { type AuditOrigin, type RecordedEvent, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { utcSecondsText } from '../../platform/database/utc-text.ts'
import type { ActingCaller, UserCaller } from '../../platform/http/caller.ts'
import { type ClientAddress, networksOf } from '../../platform/http/client-address.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import { newOpaqueToken, opaqueTokenHash, type Secret } from '../../platform/secret.ts'
import type { Device } from './contract.ts'
import { readOwner, writeInSession } from './current-session.ts'

/** The client of a request, as stored in sessions, rate limits and the audit log. */
export interface Client extends AuditOrigin {
  readonly address: string
  /** From narrow to wide. Empty behind an untrusted proxy, where all clients share one address. */
  readonly networks: readonly string[]
  readonly userAgent?: string
  readonly requestId: string
}

const userAgentLengthMax = 200

export function clientOf({ client, headers, id }: FastifyRequest): Client {
  return describeClient({ ...client, userAgent: headers['user-agent'], requestId: id })
}

/**
 * Shortens the user agent to 200 characters and replaces everything except printable ASCII, because it is displayed.
 */
export function describeClient({
  address,
  isShared = false,
  userAgent = '',
  requestId,
}: Pick<ClientAddress, 'address'> &
  Partial<ClientAddress> & { readonly userAgent?: string | undefined; readonly requestId: string }): Client {
  const name = userAgent
    .slice(0, userAgentLengthMax)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim()
  const networks = isShared ? [] : networksOf(address)
  return { address, networks, ...(name !== '' && { userAgent: name }), requestId }
}

interface OwnEvent extends Pick<RecordedEvent, 'action' | 'target' | 'details'> {
  readonly accountId: string
  readonly client: Client
}

/** Records what the owner of an account did. The target is the account if the event names no other one. */
export async function recordOwn(rows: Rows, { accountId, client, ...event }: OwnEvent): Promise<void> {
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(rows, { target, ...event, actorId: accountId, ...originOf(client) })
}

/** The client's part of an audit event. */
export function originOf({ address, requestId }: Client): { readonly address: string; readonly requestId: string } {
  return { address, requestId }
}

/** Maximum number of devices per account. Another one replaces the least recently used. */
const devicesMax = 20

interface KnownDevice {
  readonly id: string
  /** Proves only that the client is known. It opens no session and replaces no second factor. */
  readonly token: Secret
}

/** Returns the device of the token if the account knows it, otherwise creates a new one. */
export async function rememberDevice(
  rows: Rows,
  {
    accountId,
    client,
    deviceToken,
  }: { readonly accountId: string; readonly client: Client; readonly deviceToken?: Secret | undefined },
): Promise<KnownDevice> {
  const label = client.userAgent ?? null
  if (deviceToken) {
    const [known] = await rows.query<{ id: string }>(useStatement, [
      opaqueTokenHash(deviceToken.open()),
      accountId,
      label,
    ])
    if (known) return { id: known.id, token: deviceToken }
  }
  const { token, hash } = newOpaqueToken('device')
  const [added] = await rows.query<{ id: string }>(addStatement, [accountId, hash, label])
  if (!added) throw new Error('A device was inserted and not returned.')
  return { id: added.id, token }
}

/** A device token that a client sent, and the account that may know the device: by the hash of a challenge, or by a passkey. */
export interface NamedDevice {
  /** Of the token. */
  readonly hash: Buffer
  readonly challengeHash?: Buffer
  readonly credentialId?: Buffer
}

/** Whether the account knows the device. */
export async function isKnownDevice(rows: Rows, { hash, challengeHash, credentialId }: NamedDevice): Promise<boolean> {
  return (await rows.query(knownStatement, [hash, challengeHash ?? null, credentialId ?? null])).length === 1
}

/** The caller's devices, the most recently used first. Problems: those of `readCurrentSession`. */
export async function listDevices(database: Database, caller: UserCaller | ActingCaller): Promise<Device[]> {
  const { accountId, sessionId } = await readOwner(database, caller)
  const found = await database.query<{ device: Device }>(listStatement, [accountId, sessionId])
  return found.map(({ device }) => device)
}

/** Forgets a device. Problems: those of `readCurrentSession`; `device_unknown`, also for another account's device. */
export async function removeDevice(
  database: Database,
  caller: UserCaller,
  deviceId: string,
  client: Client,
): Promise<void> {
  await writeInSession(database, caller, async (rows, { accountId }) => {
    const removed = await rows.query(removeStatement, [accountId, deviceId])
    if (removed.length === 0) refuse('device_unknown')
    await recordOwn(rows, { action: 'device.removed', accountId, client })
  })
}

/** Forgets every device of the account. */
export async function removeDevices(rows: Rows, accountId: string): Promise<void> {
  await rows.query(removeStatement, [accountId, null])
}

/** Revokes the token of a device that has sent too many wrong passwords. */
export async function revokeDevice(
  rows: Rows,
  { accountId, deviceId, client }: { readonly accountId: string; readonly deviceId: string; readonly client: Client },
): Promise<void> {
  if ((await rows.query(removeStatement, [accountId, deviceId])).length === 0) return
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(rows, { action: 'device.revoked', target, ...originOf(client) })
}

const isRemembered = `last_used_at > now() - interval '180 days'`

const useStatement = {
  name: 'device_use',
  text: `
update device set last_used_at = now(), label = coalesce($3, label)
where hash = $1 and account_id = $2 and ${isRemembered}
returning id`,
}

/** $1 account, $2 hash, $3 label. */
const addStatement = {
  name: 'device_add',
  text: `
with surplus as (
  delete from device where id in (
    select id from device where account_id = $1 order by last_used_at desc, id desc offset ${devicesMax - 1}
  )
)
insert into device (account_id, hash, label) values ($1, $2, $3) returning id`,
}

/** $1 hash of the token, $2 hash of a challenge, $3 credential of a passkey. */
const knownStatement = {
  name: 'device_known',
  text: `
select from device d
where d.hash = $1 and d.${isRemembered} and d.account_id in (
  select account_id from sign_in_challenge where hash = $2::bytea
  union all select account_id from passkey where credential_id = $3::bytea
)`,
}

const listStatement = {
  name: 'devices_of_account',
  text: `
select json_strip_nulls(json_build_object(
         'id', d.id,
         'label', d.label,
         'createdAt', ${utcSecondsText('d.created_at')},
         'lastUsedAt', ${utcSecondsText('d.last_used_at')},
         'isCurrent', exists (select from session s where s.id = $2::uuid and s.device_id = d.id))) as device
from device d
where d.account_id = $1 and d.${isRemembered}
order by d.last_used_at desc, d.id desc
limit ${devicesMax}`,
}

/** $1 account, $2 device, or null for all. */
const removeStatement = {
  name: 'devices_remove',
  text: `delete from device where account_id = $1 and ($2::uuid is null or id = $2) returning id`,
}

/**
 * Notifies the owner of a sign-in on an unknown device from a network that the account has not used for 30 days. A lost
 * device token in a known network is no reason to worry, and neither is the first session of an account.
 */
export async function notifyOfNewDevice(
  issuer: { readonly outbox?: Outbox | undefined },
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

/** The device of a client that answers a challenge. */
export function deviceAt(challenge: Secret, deviceToken: Secret | undefined): NamedDevice | undefined {
  return deviceToken && { hash: opaqueTokenHash(deviceToken.open()), challengeHash: opaqueTokenHash(challenge.open()) }
}
