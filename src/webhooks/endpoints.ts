import { randomUUID } from 'node:crypto'
import { actorOf, type ChangedBy } from '../identity/administrators.ts'
import type { IssuerNames } from '../identity/issuers/names.ts'
import type { Grant } from '../identity/permission-scope.ts'
import { requireHoldsGrants } from '../identity/require-holds.ts'
import { type AuditDetails, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { lockStatement } from '../platform/database/named-locks.ts'
import { utcText } from '../platform/database/utc-text.ts'
import type { Sealing } from '../platform/mail/outbox.ts'
import { refuse } from '../platform/problems.ts'
import {
  endpointsMax,
  endpointsOfCreatorMax,
  type ListedWebhookEndpoint,
  type NewWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointChange,
  type WebhookEndpointWithSecret,
} from './contract.ts'
import type { WebhookSettings } from './settings.ts'
import { newSigningSecret, sealSecret } from './signing.ts'
import { urlFault } from './target.ts'

/** Dependencies of endpoint changes. */
export interface Endpoints {
  readonly issuers: Pick<IssuerNames, 'shown'>
  readonly database: Database
  readonly sealing: Sealing
  readonly settings: WebhookSettings
}

/** All endpoints, oldest first, with only the host of the address: the rest may be a secret of its receiver. */
export async function listEndpoints(rows: Rows): Promise<ListedWebhookEndpoint[]> {
  const found = await rows.query<{ record: WebhookEndpoint }>(listStatement, [])
  return found.map(({ record: { id, url, ...others } }) => ({ id, host: hostOf(url), ...others }))
}

/** Throws `input_invalid` for the address, `permission_exceeds`, `webhook_endpoints_full`. */
export function createEndpoint(
  { database, sealing, settings }: Endpoints,
  by: ChangedBy,
  { url, description, events }: NewWebhookEndpoint,
): Promise<WebhookEndpointWithSecret> {
  requireUrl(url, settings)
  return database.transaction(async (rows) => {
    await rows.query(endpointsLock, [])
    await requireReads(rows, by, events)
    const id = randomUUID()
    const secret = newSigningSecret()
    const createdBy = by === 'operator' ? null : by.caller.accountId
    const ofCreatorMax = createdBy === null ? endpointsMax : endpointsOfCreatorMax
    const row = [id, url, description ?? null, events, sealSecret(sealing, id, secret), createdBy]
    const inserted = await rows.query(insertStatement, [...row, endpointsMax, ofCreatorMax])
    if (inserted.length === 0)
      refuse('webhook_endpoints_full', {
        detail: `Remove an unused endpoint. One administrator can register ${endpointsOfCreatorMax}.`,
      })
    await note(rows, by, { action: 'webhook_endpoint.created', id, details: { host: hostOf(url), events } })
    return { ...(await requireEndpoint(rows, id)), secret: secret.open() }
  })
}

/** Throws `webhook_endpoint_unknown`, `input_invalid` for the address, `permission_exceeds`. */
export function changeEndpoint(
  { database, settings }: Endpoints,
  by: ChangedBy,
  { id, change }: { readonly id: string; readonly change: WebhookEndpointChange },
): Promise<WebhookEndpoint> {
  const { url, description, events, isEnabled } = change
  if (url !== undefined) requireUrl(url, settings)
  return database.transaction(async (rows) => {
    await lockOwnEndpoint(rows, by, id)
    if (events) await requireReads(rows, by, events)
    await rows.query(changeStatement, [id, url ?? null, description ?? null, events ?? null])
    if (isEnabled === true) await rows.query(enableStatement, [id])
    if (isEnabled === false) await disableEndpoint(rows, id, 'administrator')
    const details = {
      ...(url !== undefined && { host: hostOf(url) }),
      ...(events && { events }),
      ...(isEnabled !== undefined && { isEnabled }),
    }
    await note(rows, by, { action: 'webhook_endpoint.changed', id, details })
    return requireEndpoint(rows, id)
  })
}

/**
 * The previous secret signs too until the overlap ends; an older one no longer does. Throws `webhook_endpoint_unknown`,
 * `permission_exceeds`.
 */
export function rotateSecret(
  { database, sealing }: Endpoints,
  by: ChangedBy,
  { id, overlapSeconds }: { readonly id: string; readonly overlapSeconds: number },
): Promise<WebhookEndpointWithSecret> {
  return database.transaction(async (rows) => {
    await lockOwnEndpoint(rows, by, id)
    const secret = newSigningSecret()
    await rows.query(rotateStatement, [id, sealSecret(sealing, id, secret), overlapSeconds])
    await note(rows, by, { action: 'webhook_endpoint.rotated', id, details: { overlapSeconds } })
    return { ...(await requireEndpoint(rows, id)), secret: secret.open() }
  })
}

/** Throws `webhook_endpoint_unknown`, `permission_exceeds`. */
export function removeEndpoint({ database }: Pick<Endpoints, 'database'>, by: ChangedBy, id: string): Promise<void> {
  return database.transaction(async (rows) => {
    await lockOwnEndpoint(rows, by, id)
    await rows.query(removeStatement, [id])
    await note(rows, by, { action: 'webhook_endpoint.removed', id, details: {} })
  })
}

/** After three days without a success: by then one event has had nearly all of its attempts. */
export function failingLong(endpoint: string): string {
  return `${endpoint}.failing_since <= now() - interval '3 days'`
}

export type DisabledWhy = 'administrator' | 'gone' | 'failing'

/**
 * Disables the endpoint and cancels its pending deliveries; returns false if it was already disabled. `failing` applies only after three
 * days without a successful attempt.
 */
export async function disableEndpoint(rows: Rows, id: string, why: DisabledWhy): Promise<boolean> {
  return (await rows.query(disableStatement, [id, why])).length > 0
}

/** Throws `webhook_endpoint_unknown`, `permission_exceeds`, `webhook_endpoint_disabled`. */
export async function requireEnabled(rows: Rows, by: ChangedBy, id: string): Promise<void> {
  const { status } = await lockOwnEndpoint(rows, by, id)
  if (status === 'disabled') refuse('webhook_endpoint_disabled', { detail: 'Enable it first.' })
}

/**
 * Locks the endpoint until the end of the transaction. Every operation on an endpoint starts here or in `requireReadable`, because only
 * callers who may read its events may see its secret, address and deliveries. Throws `webhook_endpoint_unknown`, `permission_exceeds`.
 */
async function lockOwnEndpoint(rows: Rows, by: ChangedBy, id: string): Promise<WebhookEndpoint> {
  await rows.query(lockOneStatement, [id])
  return requireReadable(rows, by, id)
}

/** Throws `webhook_endpoint_unknown`, `permission_exceeds`. */
export async function requireReadable(rows: Rows, by: ChangedBy, id: string): Promise<WebhookEndpoint> {
  const endpoint = await requireEndpoint(rows, id)
  await requireReads(rows, by, endpoint.events)
  return endpoint
}

/** Throws `webhook_endpoint_unknown`. */
export async function requireEndpoint(rows: Rows, id: string): Promise<WebhookEndpoint> {
  const [found] = await rows.query<{ record: WebhookEndpoint }>(readStatement, [id])
  return (found ?? refuse('webhook_endpoint_unknown')).record
}

export async function note(
  rows: Rows,
  by: ChangedBy | 'service',
  { action, id, details }: { readonly action: EndpointAction; readonly id: string; readonly details: AuditDetails },
): Promise<void> {
  const actor = by === 'service' ? {} : actorOf(by)
  await recordAudit(rows, { action, ...actor, target: { kind: 'webhook_endpoint', id }, details })
}

type EndpointAction =
  `webhook_endpoint.${'created' | 'changed' | 'rotated' | 'removed' | 'tested' | 'replayed' | 'disabled'}`

function requireUrl(url: string, settings: WebhookSettings): void {
  const fault = urlFault(url, settings)
  if (fault) refuse('input_invalid', { errors: [{ pointer: '/url', detail: fault }] })
}

function hostOf(url: string): string {
  return new URL(url).host
}

/** Checks that the caller's own role grants reading the data in the events. Throws `permission_exceeds`. */
async function requireReads(rows: Rows, by: ChangedBy, events: readonly string[]): Promise<void> {
  if (by === 'operator') return
  const grants = Object.entries(readsOf).flatMap(([prefix, grant]) =>
    events.some((event) => event.startsWith(prefix)) ? [grant] : [],
  )
  await requireHoldsGrants(rows, by.caller.accountId, grants, 'reading the events of this endpoint')
}

const readsOf = {
  'user.': { resource: 'users', action: 'read' },
  'organization.': { resource: 'organizations', action: 'list' },
  'subscription.': { resource: 'user_data', action: 'read' },
} as const satisfies Readonly<Record<string, Grant>>

const record = `json_strip_nulls(json_build_object(
         'id', w.id, 'url', w.url, 'description', w.description, 'events', w.events,
         'status', case when w.disabled_at is not null then 'disabled' when w.failing_since is not null then 'failing' else 'enabled' end,
         'failingSince', case when w.disabled_at is null then ${utcText('w.failing_since')} end,
         'disabledAt', ${utcText('w.disabled_at')}, 'disabledBecause', w.disabled_why,
         'previousSecretUntil', case when w.previous_until > now() then ${utcText('w.previous_until')} end,
         'createdAt', ${utcText('w.created_at')}))`

const listStatement = {
  name: 'webhook_endpoints',
  text: `select ${record} as record from webhook_endpoint w order by w.created_at, w.id`,
}

const readStatement = {
  name: 'webhook_endpoint_read',
  text: `select ${record} as record from webhook_endpoint w where w.id = $1`,
}

/** Locks the creation of endpoints, so that the count is exact. */
const endpointsLock = lockStatement('webhook_endpoints_new_lock', `'webhook endpoints'`)

const lockOneStatement = {
  name: 'webhook_endpoint_lock',
  text: 'select id from webhook_endpoint where id = $1 for no key update',
}

/** $7 endpoints in total, $8 endpoints of this creator. */
const insertStatement = {
  name: 'webhook_endpoint_insert',
  text: `
insert into webhook_endpoint (id, url, description, events, secret, created_by)
select $1::uuid, $2, $3, $4::text[], $5::bytea, $6::uuid
where (select count(*) from webhook_endpoint) < $7::int
  and (select count(*) from webhook_endpoint where created_by is not distinct from $6::uuid) < $8::int
returning id`,
}

const changeStatement = {
  name: 'webhook_endpoint_change',
  text: `
update webhook_endpoint
set url = coalesce($2, url), description = coalesce($3, description), events = coalesce($4::text[], events)
where id = $1`,
}

const enableStatement = {
  name: 'webhook_endpoint_enable',
  text: 'update webhook_endpoint set disabled_at = null, disabled_why = null, failing_since = null where id = $1',
}

const disableStatement = {
  name: 'webhook_endpoint_disable',
  text: `
with disabled as (
  update webhook_endpoint set disabled_at = now(), disabled_why = $2
  where id = $1 and disabled_at is null and ($2 <> 'failing' or ${failingLong('webhook_endpoint')})
  returning id
), given_up as (
  update webhook_delivery d set state = 'failed', fault = 'DISABLED' from disabled
  where d.endpoint_id = disabled.id and d.state = 'pending'
)
select id from disabled`,
}

/** Each value on the right is the old one. */
const rotateStatement = {
  name: 'webhook_endpoint_rotate',
  text: `
update webhook_endpoint
set secret = $2,
    previous_secret = case when $3::int > 0 then secret end,
    previous_until = case when $3::int > 0 then now() + make_interval(secs => $3::int) end
where id = $1`,
}

const removeStatement = { name: 'webhook_endpoint_remove', text: 'delete from webhook_endpoint where id = $1' }
