import { actorOf, type ChangedBy, lockAdministration } from '../identity/administrators.ts'
import { authorize } from '../identity/authorize.ts'
import type { Grant } from '../identity/permission-scope.ts'
import { requireHoldsGrants } from '../identity/require-holds.ts'
import { newServiceKey, serviceKeyHash } from '../identity/service-key.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { uuidPattern } from '../platform/http/formats.ts'
import { refuse } from '../platform/problems.ts'
import { type CreatedServiceKey, type ServiceKeyRecord, serviceKeyContracts } from './contract.ts'

/** Who changes keys: an administrator, limited by their own role, or an operator on the command line. */

interface WantedKey {
  readonly name: string
  readonly grants: readonly Grant[]
  readonly expiresInDays: number
  readonly organizationId?: string | undefined
}

/**
 * Problems: those of `authorize`, `permission_exceeds`, `service_key_name_taken`, `input_invalid` if the organization
 * does not exist.
 */
export function createServiceKey(database: Database, by: ChangedBy, wanted: WantedKey): Promise<CreatedServiceKey> {
  const { name, grants, expiresInDays, organizationId } = wanted
  return change(database, by, async (rows, actor) => {
    await actor.requireHolds(grants)
    if (organizationId !== undefined) await requireOrganization(rows, organizationId)
    const lifeSeconds = expiresInDays * 86_400
    const created = await insertKey(rows, { name, grants, lifeSeconds, organizationId, createdBy: actor.id })
    await recordAudit(rows, {
      action: 'service_key.created',
      ...actorOf(by),
      target: { kind: 'service_key', id: created.id },
      details: {
        name,
        permissions: grants.map(textOf),
        expiresAt: created.expiresAt,
        ...(organizationId !== undefined && { organization: organizationId }),
      },
    })
    return created
  })
}

/**
 * Creates a new key with the same name, grants and lifetime. The old key ends after the overlap, and never past its own
 * expiry.
 * Problems: those of `authorize`, `permission_exceeds`, `service_key_unknown` if the key has ended or was already
 * rotated.
 */
export function rotateServiceKey(
  database: Database,
  by: ChangedBy,
  { keyId, overlapSeconds }: { readonly keyId: string; readonly overlapSeconds: number },
): Promise<CreatedServiceKey> {
  return change(database, by, async (rows, actor) => {
    const [old] = await rows.query<OldKey>(lockStatement, [keyId])
    if (!old?.rotates) return refuse('service_key_unknown')
    await actor.requireHolds(old.grants)
    const [ended] = await rows.query<{ ends_at: string }>(supersedeStatement, [keyId, overlapSeconds])
    const created = await insertKey(rows, {
      name: old.name,
      grants: old.grants,
      lifeSeconds: old.life_seconds,
      organizationId: old.organization_id ?? undefined,
      createdBy: actor.id,
      replaces: keyId,
    })
    await recordAudit(rows, {
      action: 'service_key.rotated',
      ...actorOf(by),
      target: { kind: 'service_key', id: keyId },
      details: { by: created.id, ...(ended && { endsAt: ended.ends_at }) },
    })
    return created
  })
}

/** Revokes a key on all nodes. Problems: those of `authorize`, `permission_exceeds`, `service_key_unknown`. */
export function revokeServiceKey(database: Database, by: ChangedBy, keyId: string): Promise<void> {
  return change(database, by, async (rows, actor) => {
    const [old] = await rows.query<OldKey>(lockStatement, [keyId])
    await actor.requireHolds((old ?? refuse('service_key_unknown')).grants)
    await rows.query(revokeStatement, [keyId])
    await recordAudit(rows, {
      action: 'service_key.revoked',
      ...actorOf(by),
      target: { kind: 'service_key', id: keyId },
    })
  })
}

/** JSON text of the contract's response. */
export async function readServiceKeys(rows: Rows): Promise<string> {
  const [row] = await rows.query<{ body: string }>(listStatement, [])
  return row?.body ?? '{"keys":[]}'
}

/** Streams the JSON text of each `ServiceKeyRecord`. */
export function streamServiceKeys(database: Database): AsyncIterable<readonly string[]> {
  return database.stream(streamStatement, [])
}

/** Keys with this id, and keys with this name that can be rotated. At most 10. */
export function findServiceKeys(rows: Rows, { id, name }: { id?: string; name?: string }): Promise<{ id: string }[]> {
  return rows.query(findStatement, [id ?? null, name ?? null])
}

/**
 * Keys that audit events may refer to, including ended ones: by id, by name, by key, or by the first characters of the
 * key.
 */
export function findActingServiceKeys(rows: Rows, which: string): Promise<{ id: string }[]> {
  const id = which.trim().toLowerCase()
  return rows.query(actingStatement, [uuidPattern.test(id) ? id : null, which, serviceKeyHash(which) ?? null])
}

interface Actor {
  readonly id: string | undefined
  requireHolds(grants: readonly Grant[]): Promise<void>
}

/** Checks the permission again under the lock, because the caller's role may have changed. */
function change<Result>(
  database: Database,
  by: ChangedBy,
  work: (rows: Rows, actor: Actor) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (rows) => {
    await lockAdministration(rows)
    if (by === 'operator') return work(rows, { id: undefined, requireHolds: async () => undefined })
    const id = await authorize(rows, by.caller, serviceKeyContracts.create.permission)
    return work(rows, {
      id,
      requireHolds: (grants) => requireHoldsGrants(rows, id, grants, 'every permission of this key'),
    })
  })
}

async function requireOrganization(rows: Rows, id: string): Promise<void> {
  if ((await rows.query(organizationStatement, [id])).length > 0) return
  refuse('input_invalid', { errors: [{ pointer: '/orgId', detail: 'The organization does not exist.' }] })
}

interface KeyToInsert {
  readonly name: string
  readonly grants: readonly Grant[]
  readonly lifeSeconds: number
  readonly organizationId: string | undefined
  readonly createdBy: string | undefined
  readonly replaces?: string
}

/** Problem: `service_key_name_taken`. */
async function insertKey(rows: Rows, wanted: KeyToInsert): Promise<CreatedServiceKey> {
  const { name, grants, lifeSeconds, organizationId, createdBy, replaces } = wanted
  const { key, hash, hint } = newServiceKey()
  const values = [name, hash, hint, organizationId ?? null, createdBy ?? null, lifeSeconds, replaces ?? null]
  const [inserted] = await rows.query<{ id: string }>(insertStatement, values)
  const { id } =
    inserted ??
    refuse('service_key_name_taken', { detail: 'A valid key has this name. Rotate it, or revoke it first.' })
  await rows.query(grantStatement, [id, grants.map(({ resource }) => resource), grants.map(({ action }) => action)])
  const [row] = await rows.query<{ record: ServiceKeyRecord }>(readStatement, [id])
  if (!row) throw new Error('The inserted service key was not found.')
  return { ...row.record, key: key.open() }
}

function textOf({ resource, action }: Grant): string {
  return `${resource}:${action}`
}

/** The key is not revoked. */
interface OldKey {
  readonly name: string
  readonly organization_id: string | null
  readonly life_seconds: number
  readonly grants: readonly Grant[]
  /** The key is the newest of its name and has not ended. */
  readonly rotates: boolean
}

const record = `json_strip_nulls(json_build_object(
         'id', k.id, 'name', k.name, 'hint', k.hint,
         'permissions', (select json_object_agg(resource, actions order by resource)
                         from (select resource, json_agg(action order by action) as actions
                               from service_key_grant where key_id = k.id group by resource) g),
         'orgId', k.organization_id,
         'createdAt', ${utcText('k.created_at')}, 'expiresAt', ${utcText('k.expires_at')},
         'lastUsedAt', ${utcText('k.last_used_at')},
         'status', case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired'
                        when k.rotated_at is not null then 'rotated' else 'active' end))`

/** Ended keys stay in the list for 30 days. */
const listed = `least(k.revoked_at, k.expires_at) > now() - interval '30 days'`

const listStatement = {
  name: 'service_keys',
  text: `
select json_build_object('keys', coalesce(json_agg(${record} order by k.created_at, k.id), '[]'))::text as body
from service_key k
where ${listed}`,
}

const streamStatement = {
  name: 'service_keys_all',
  text: `select (${record})::text from service_key k where ${listed} order by k.created_at, k.id`,
}

const readStatement = {
  name: 'service_key_read',
  text: `select ${record} as record from service_key k where k.id = $1`,
}

const findStatement = {
  name: 'service_keys_find',
  text: `
select id from service_key
where id = $1::uuid or (name = $2 and revoked_at is null and rotated_at is null)
limit 10`,
}

/** $1 id, $2 name or first characters, $3 hash. */
const actingStatement = {
  name: 'service_keys_acting',
  text: `select id from service_key where id = $1::uuid or name = $2 or hint = $2 or hash = $3::bytea limit 1000`,
}

const organizationStatement = { name: 'service_key_organization', text: 'select from organization where id = $1' }

const insertStatement = {
  name: 'service_key_insert',
  text: `
insert into service_key (name, hash, hint, organization_id, created_by, expires_at, replaces)
values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7)
on conflict (name) where revoked_at is null and rotated_at is null do nothing
returning id`,
}

const grantStatement = {
  name: 'service_key_grant',
  text: `
insert into service_key_grant (key_id, resource, action)
select $1, resource, action from unnest($2::text[], $3::text[]) as wanted (resource, action)
on conflict do nothing`,
}

/** Lifetimes are rounded down to whole seconds, so rotating a key never extends it. */
const lockStatement = {
  name: 'service_key_lock',
  text: `
select k.name, k.organization_id, floor(extract(epoch from k.expires_at - k.created_at))::int as life_seconds,
       k.rotated_at is null and k.expires_at > now() as rotates,
       (select json_agg(json_build_object('resource', g.resource, 'action', g.action))
        from service_key_grant g where g.key_id = k.id) as grants
from service_key k
where k.id = $1 and k.revoked_at is null
for update of k`,
}

const supersedeStatement = {
  name: 'service_key_supersede',
  text: `
update service_key k set rotated_at = now(), expires_at = least(k.expires_at, now() + make_interval(secs => $2))
where k.id = $1
returning ${utcText('k.expires_at')} as ends_at`,
}

const revokeStatement = { name: 'service_key_revoke', text: 'update service_key set revoked_at = now() where id = $1' }
