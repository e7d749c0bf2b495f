import { planIdOfOrganization } from '../identity/subscriptions.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { uuidPattern } from '../platform/http/formats.ts'
import type { Member } from './contract.ts'

/** Maximum length of a name in the table. */
export const organizationNameLengthMax = 200

/** Creates an organization without members, audits it and returns its id. Names need not be unique. */
export async function createOrganization(database: Database, name: string): Promise<string> {
  return database.transaction(async (rows) => {
    const [created] = await rows.query<{ id: string }>(createStatement, [name])
    if (!created) throw new Error('The insert into organization returned no row.')
    await recordAudit(rows, { action: 'organization.created', target: { kind: 'organization', id: created.id } })
    return created.id
  })
}

/** Finds organizations by id or exact name. At most 10. */
export async function findOrganizations(rows: Rows, which: string): Promise<{ id: string; name: string }[]> {
  const id = which.trim().toLowerCase()
  return rows.query(findStatement, uuidPattern.test(id) ? [id, null] : [null, which])
}

/** An organization in the output of the command line. */
export interface OrganizationRow {
  readonly id: string
  readonly name: string
  readonly members: number
  /** RFC 3339, UTC. */
  readonly createdAt: string
}

/** One organization in the output of the command line. */
interface OrganizationDetails extends OrganizationRow {
  readonly requiresMfa: boolean
  /** Absent without an active subscription. */
  readonly plan?: string
  /** Invitations that have not expired. */
  readonly invitations: number
  /** Service keys that have not ended. */
  readonly serviceKeys: number
  /** Customers at payment processors. At most 100. */
  readonly customers: readonly { readonly id: string; readonly processor: string }[]
}

export async function readOrganizationDetails(rows: Rows, id: string): Promise<OrganizationDetails | undefined> {
  return (await rows.query<{ details: OrganizationDetails }>(detailsStatement, [id]))[0]?.details
}

/**
 * All organizations, oldest first, each as the JSON text of an `OrganizationRow`. Streams one snapshot in constant
 * memory.
 */
export function streamOrganizations(database: Database): AsyncIterable<readonly string[]> {
  return database.stream(allStatement, [])
}

/** A member in the output of the command line. */
export type MemberRow = Omit<Member, 'displayName'>

/** All members of an organization, in the order of joining, each as the JSON text of a `MemberRow`. */
export function streamMembers(database: Database, organizationId: string): AsyncIterable<readonly string[]> {
  return database.stream(membersStatement, [organizationId])
}

const membersStatement = {
  name: 'organization_members',
  text: `
select json_strip_nulls(json_build_object(
         'id', a.id, 'email', a.email, 'role', m.role_id,
         'joinedAt', ${utcText('m.joined_at')}))::text
from membership m join account a on a.id = m.account_id
where m.organization_id = $1
order by m.joined_at, m.account_id`,
}

const createStatement = {
  name: 'organization_create',
  text: 'insert into organization (name) values ($1) returning id',
}

const findStatement = {
  name: 'organizations_find',
  text: 'select id, name from organization where id = $1::uuid or name = $2 order by created_at, id limit 10',
}

const detailsStatement = {
  name: 'organization_details',
  text: `
select json_strip_nulls(json_build_object(
         'id', o.id, 'name', o.name, 'createdAt', ${utcText('o.created_at')}, 'requiresMfa', o.requires_mfa,
         'plan', ${planIdOfOrganization('o.id')},
         'members', (select count(*) from membership m where m.organization_id = o.id),
         'invitations', (select count(*) from invitation i where i.organization_id = o.id and i.expires_at > now()),
         'serviceKeys', (select count(*) from service_key k
                         where k.organization_id = o.id and k.revoked_at is null and k.expires_at > now()),
         'customers', (select coalesce(json_agg(json_build_object('id', c.id, 'processor', c.processor) order by c.id), '[]')
                       from (select id, processor from customer where organization_id = o.id order by id limit 100) c)
       )) as details
from organization o
where o.id = $1`,
}

const allStatement = {
  name: 'organizations_all',
  text: `
select json_strip_nulls(json_build_object(
         'id', o.id, 'name', o.name,
         'members', (select count(*) from membership m where m.organization_id = o.id),
         'createdAt', ${utcText('o.created_at')}
       ))::text
from organization o
order by o.created_at, o.id`,
}
