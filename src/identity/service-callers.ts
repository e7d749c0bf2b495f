import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Bulkhead } from '../platform/bulkhead.ts'
import { atMost } from '../platform/cache-bounds.ts'
import type { Rows } from '../platform/database/database.ts'
import { networkOf, widestNetworkOf } from '../platform/http/client-address.ts'
import type { Permission } from '../platform/http/contract.ts'
import { Problem, refuse } from '../platform/problems.ts'
import type { NodeLimit, NodeLimits } from '../platform/rate-limits.ts'
import type { PresentedServiceKey } from './authenticate.ts'
import { readPermission, refusePermission } from './authorize.ts'
import { isForServices } from './permission-scope.ts'

interface KeyRequirements {
  readonly permission: Permission
  /** The organization that the request names. */
  readonly organizationId: string | undefined
  /** The limit of the operation. Undefined if the operation counts requests itself. */
  readonly limit: NodeLimit | undefined
}

/**
 * Sets the caller of a request with a service key, if the key may do this. Reads the key from the database on every
 * request, so that revoking it takes effect immediately.
 * Problems: `token_invalid` if the key is unknown or revoked, `token_expired`, `caller_not_a_person` if service keys
 * cannot call the operation, `organization_unknown` if the key belongs to another organization, `permission_missing`,
 * `rate_limited`.
 */
export type AuthorizeService = (
  request: FastifyRequest,
  reply: FastifyReply,
  presented: PresentedServiceKey,
  required: KeyRequirements,
) => Promise<void>

interface ServiceAccess {
  readonly database: Rows
  readonly nodeLimits: NodeLimits
  readonly shares: Readonly<Record<'callers' | 'networks', Bulkhead>>
}

export function createServiceAuthorization({ database, ...limits }: ServiceAccess): AuthorizeService {
  const count = createCount(limits)
  return async (request, reply, { hash }, required) => {
    const counted = count(request, reply, { hash, limit: required.limit })
    await counted.inShare(async () => {
      const found = (await readKey(database, hash, required)) ?? refuse('token_invalid')
      counted.found()
      const { id, organization_id: organizationId } = found
      request.caller = {
        kind: 'service',
        key: `service ${id}`,
        keyId: id,
        ...(organizationId !== null && { organizationId }),
      }
      checkKey(found, required)
      if (found.use_is_old) await recordUse(database, id, networkOf(request.client.address))
    })
  }
}

/** Maximum number of cached hashes of keys that exist. */
const seenMax = 10_000

/**
 * Counts requests by key. A key not seen before is counted and queued by network, before its statement: it may be made
 * up, with a correct checksum.
 */
function createCount({ nodeLimits: { reads }, shares: { callers, networks } }: Omit<ServiceAccess, 'database'>) {
  const seen = new LRUCache<string, true>(atMost(seenMax))
  return (
    { client }: FastifyRequest,
    reply: FastifyReply,
    { hash, limit }: { readonly hash: Buffer; readonly limit: NodeLimit | undefined },
  ) => {
    const key = hash.toString('base64')
    const isSeen = seen.has(key)
    if (!isSeen) reply.headers(reads.take(`network ${networkOf(client.address)}`))
    else if (limit) reply.headers(limit.take(`service ${key}`))
    return {
      found: () => void seen.set(key, true),
      inShare<T>(work: () => Promise<T>): Promise<T> {
        return isSeen ? callers.run(work, key) : networks.run(work, widestNetworkOf(client))
      },
    }
  }
}

function checkKey(row: KeyRow, { permission }: KeyRequirements): void {
  if (row.revoked) refuse('token_invalid')
  if (row.expired) refuse('token_expired')
  const { grant } = readPermission(permission)
  if (grant === undefined || !isForServices(permission)) refuse('caller_not_a_person')
  else if (!row.reaches) refuse('organization_unknown')
  else if (!row.allowed) refusePermission(grant)
}

/** Reads still succeed on a read-only database. */
async function recordUse(rows: Rows, id: string, network: string): Promise<void> {
  try {
    await rows.query(useStatement, [id, network])
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'read_only')) throw error
  }
}

interface KeyRow {
  readonly id: string
  readonly organization_id: string | null
  readonly revoked: boolean
  readonly expired: boolean
  readonly use_is_old: boolean
  readonly allowed: boolean
  readonly reaches: boolean
}

async function readKey(
  rows: Rows,
  hash: Buffer,
  { permission, organizationId }: KeyRequirements,
): Promise<KeyRow | undefined> {
  const { grant } = readPermission(permission)
  const values = [hash, grant?.resource ?? null, grant?.action ?? null, organizationId ?? null]
  const [row] = await rows.query<KeyRow>(keyStatement, values)
  return row
}

/** Minimum time between two writes of the last use. */
const useMinutes = 15

/** $1 hash, $2 resource, $3 action, $4 named organization or null. */
const keyStatement = {
  name: 'service_key_authorize',
  text: `
select k.id, k.organization_id, k.revoked_at is not null as revoked, k.expires_at <= now() as expired,
       k.last_used_at is null or k.last_used_at < now() - interval '${useMinutes} minutes' as use_is_old,
       exists (select from service_key_grant g where g.key_id = k.id and g.resource = $2 and g.action = $3) as allowed,
       $4::uuid is null
         or (coalesce(k.organization_id, $4) = $4 and exists (select from organization o where o.id = $4)) as reaches
from service_key k
where k.hash = $1`,
}

/** Of several concurrent uses, one is written. */
const useStatement = {
  name: 'service_key_used',
  text: `
update service_key set last_used_at = now(), last_used_network = $2
where id = $1 and (last_used_at is null or last_used_at < now() - interval '${useMinutes} minutes')`,
}
