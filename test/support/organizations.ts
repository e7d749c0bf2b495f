import type { Person, Service } from './service.ts'

export interface TestOrganization {
  readonly id: string
  readonly owner: Person
  readonly member: Person
}

/** An organization called Engines, with an owner and a member, whose emails are verified. */
export async function newOrganization(service: Service): Promise<TestOrganization> {
  const [owner, member] = await Promise.all([service.person(), service.person()])
  const [row] = await service.sql<{ id: string }>(`insert into organization (name) values ('Engines') returning id`)
  const id = String(row?.id)
  await service.sql(
    `insert into membership (organization_id, account_id, role_id) values ($1, $2, 'owner'), ($1, $3, 'member')`,
    [id, owner.id, member.id],
  )
  return { id, owner, member }
}

export const orgPath = (id: string, rest = '') => `/api/v1/orgs/${id}${rest}`

/** Events of the audit log about the organization, the oldest first. */
export async function organizationEvents(service: Service, id: string) {
  return service.sql<{ action: string; actor_id: string | null; details: Record<string, unknown> }>(
    `select action, actor_id, details from audit_event
     where details ->> 'organization' = $1 or target_id = $1 order by at, id`,
    [id],
  )
}
