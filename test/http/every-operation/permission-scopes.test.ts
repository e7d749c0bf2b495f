import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribe } from '../../support/billing-rows.ts'
import { type DocumentedOperation, operations, pathOf } from '../../support/openapi.ts'
import { problemOf } from '../../support/problem.ts'
import { type Person, type Service, startService } from '../../support/service.ts'

let service: Service
let elsewhere: string
beforeAll(async () => {
  // Configures everything that adds operations.
  service = await startService({
    env: { STRIPE_SECRET_KEY: 'sk_test_app', STRIPE_WEBHOOK_SECRET: 'whsec_app', MUSTER_READS_PER_MINUTE: '1000000' },
  })
  elsewhere = await organization()
  await service.sql(`insert into role (id, name) values ('bare', 'Bare')`)
})
afterAll(() => service.stop())

/** Every operation that requires a permission or a membership. */
const guarded = operations.filter(({ grant, permission }) => grant || permission.startsWith('member'))
const grants = guarded.flatMap(({ grant }) => (grant ? [grant] : []))

type Scope = 'organization' | 'product' | 'account' | 'service'

/** Which roles and plans can grant it, by docs/permissions.md. */
function scopeOf({ grant, isInOrganization }: DocumentedOperation): Scope | undefined {
  if (!grant) return undefined
  if (isInOrganization) return 'organization'
  if (grant.resource === 'provider_keys') return 'product'
  return grant.resource === 'organization' && grant.action === 'create' ? 'account' : 'service'
}

async function organization(): Promise<string> {
  const [row] = await service.sql<{ id: string }>(`insert into organization (name) values ('Engines') returning id`)
  return String(row?.id)
}

async function memberWith(memberRole: string, orgId: string, role = 'bare'): Promise<Person> {
  const person = await service.person({ role })
  const values = [orgId, person.id, memberRole]
  await service.sql('insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)', values)
  return person
}

const call = (operation: DocumentedOperation, { token }: Person, orgId: string) =>
  service.call(operation.method, pathOf(operation, { orgId }), {
    token,
    headers: { 'if-match': '*' },
    ...(operation.body && { body: {} }),
  })

describe('a member of an organization', () => {
  /** With every permission that a role for members can grant. */
  const everything = async () => {
    await service.sql(
      `insert into role (id, name, for_members) values ('everything', 'Everything', true) on conflict do nothing`,
    )
    for (const { resource, action } of [...grants, { resource: 'billing', action: 'manage' }])
      await service
        .sql(`insert into role_grant values ('everything', $1, $2) on conflict do nothing`, [resource, action])
        .catch((error: unknown) => expect(error).toMatchObject({ constraint: 'role_grant_needs_role_for_accounts' }))
  }

  test('can do nothing in another organization, or outside organizations, whatever role they have', async () => {
    await everything()
    const roles = await service.sql<{ id: string }>('select id from role where for_members order by id')
    expect(roles.map(({ id }) => id)).toEqual(expect.arrayContaining(['everything', 'member', 'owner']))
    for (const { id: role } of roles) {
      const member = await memberWith(role, await organization())
      for (const operation of guarded) {
        const found = problemOf(await call(operation, member, elsewhere))
        // Permissions of the scope `product` count from every role, but apply only to the member's own keys.
        const isOwn = scopeOf(operation) === 'product' && role === 'everything'
        const expected = operation.isInOrganization
          ? { status: 404, code: 'organization_unknown' }
          : { status: 403, code: 'permission_missing' }
        if (isOwn) expect([operation.id, found.status]).not.toEqual([operation.id, 403])
        else expect([role, operation.id, found]).toEqual([role, operation.id, expected])
      }
    }
  })

  test('cannot read, check keys or pay for another organization', async () => {
    await everything()
    const member = await memberWith('everything', await organization())
    const { token } = member
    const pages = { successUrl: 'https://app.test/', returnUrl: 'https://app.test/' }
    for (const answer of [
      await service.get(`/api/v1/user/data?orgId=${elsewhere}`, { token }),
      await service.post(`/api/v1/provider/keys/validate?orgId=${elsewhere}`, { token, body: {} }),
      await service.post(`/api/v1/provider/keys/validate-batch?orgId=${elsewhere}`, { token, body: {} }),
      await service.post(`/api/v1/billing/checkout?orgId=${elsewhere}`, {
        token,
        body: { priceId: 'price', successUrl: pages.successUrl },
      }),
      await service.post(`/api/v1/billing/portal?orgId=${elsewhere}`, { token, body: { returnUrl: pages.returnUrl } }),
    ])
      expect(problemOf(answer)).toEqual({ status: 404, code: 'organization_unknown' })
  })
})

/** The service with a database without its constraints on grants, so that only the gate decides. */
async function withoutConstraints<Result>(work: () => Promise<Result>): Promise<Result> {
  await service.sql('alter table role_grant drop constraint role_grant_needs_role_for_accounts')
  await service.sql('alter table plan_grant drop constraint plan_grant_is_not_for_the_service')
  try {
    return await work()
  } finally {
    await service.sql(`delete from role_grant where account_role_id = 'rogue'`)
    await service.sql(`delete from plan_grant where permission_scope(resource, action) = 'service'`)
    await service.sql(`alter table role_grant add constraint role_grant_needs_role_for_accounts
      foreign key (account_role_id) references role (account_role_id) on delete cascade`)
    await service.sql(`alter table plan_grant add constraint plan_grant_is_not_for_the_service
      check (permission_scope(resource, action) <> 'service')`)
  }
}

test('permissions of the service never count from a role in an organization or a plan, even if the constraints are gone', async () => {
  await withoutConstraints(async () => {
    await service.sql(`insert into role (id, name, for_members) values ('rogue', 'Rogue', true)`)
    await service.sql(`insert into plan (id, name) values ('rogue', 'Rogue')`)
    await service.sql(`insert into plan_price values ('price_rogue', 'rogue')`)
    for (const { resource, action } of grants)
      for (const table of ['role_grant', 'plan_grant'])
        await service.sql(`insert into ${table} values ('rogue', $1, $2) on conflict do nothing`, [resource, action])
    const orgId = await organization()
    const member = await memberWith('rogue', orgId)
    await subscribe(service, { customer: 'cus_own', accountId: member.id, price: 'price_rogue', status: 'active' })
    await subscribe(service, { customer: 'cus_org', orgId, price: 'price_rogue', status: 'active' })
    const ofService = guarded.filter((operation) => scopeOf(operation) === 'service')
    expect(ofService.length).toBeGreaterThan(30)
    for (const operation of ofService)
      expect([operation.id, problemOf(await call(operation, member, orgId))]).toEqual([
        operation.id,
        { status: 403, code: 'permission_missing' },
      ])
    const { body } = await service.get('/api/v1/user/data', { token: member.token })
    expect(Object(body).permissions).toEqual({
      // Granted by the plan of the account, because no role in an organization can create another one.
      organization: ['create', 'manage', 'read'],
      provider_keys: ['validate'],
    })
  })
})

describe('user data', () => {
  const widths = ['wide', 'narrow'] as const
  type Width = (typeof widths)[number]

  /** All grants that each of the four holders can have, alone and together. */
  const cases = widths.flatMap((role) =>
    [undefined, ...widths].flatMap((memberRole) =>
      widths.flatMap((plan) => widths.map((orgPlan) => ({ role, memberRole, plan, orgPlan }))),
    ),
  )

  /** One operation of each permission. refusals.test.ts has all operations. */
  const examples = [...new Map(guarded.flatMap((one) => (one.grant ? [[one.permission, one] as const] : []))).values()]

  const inOrganization = ['organization:read', 'organization:manage', 'billing:manage']

  beforeAll(async () => {
    await service.sql(`insert into role (id, name, for_members)
      values ('wide', 'Wide', false), ('narrow', 'Narrow', false), ('in_wide', 'Wide', true), ('in_narrow', 'Narrow', true)`)
    await service.sql(`insert into plan (id, name) values ('wide', 'Wide'), ('narrow', 'Narrow')`)
    await service.sql(`insert into plan_price values ('price_wide', 'wide'), ('price_narrow', 'narrow')`)
    const ofAll = ['provider_keys:validate', ...inOrganization]
    await grant('role', 'wide', ['users:list', 'audit:read', 'organization:create', ...ofAll])
    await grant('role', 'in_wide', ofAll)
    await grant('plan', 'wide', ['organization:create', ...ofAll])
  })

  async function grant(holder: 'role' | 'plan', id: string, permissions: readonly string[]): Promise<void> {
    for (const permission of permissions)
      await service.sql(`insert into ${holder}_grant values ($1, $2, $3)`, [id, ...permission.split(':')])
  }

  async function scene({ role, memberRole, plan, orgPlan }: (typeof cases)[number]) {
    const orgId = await organization()
    const person = memberRole ? await memberWith(`in_${memberRole}`, orgId, role) : await service.person({ role })
    const price = (width: Width) => ({ price: `price_${width}`, status: 'active' })
    await subscribe(service, { customer: `cus_${person.id}`, accountId: person.id, ...price(plan) })
    await subscribe(service, { customer: `cus_${orgId}`, orgId, ...price(orgPlan) })
    return { orgId, person }
  }

  test.each(cases)(
    'shows what the gate lets through and nothing else: role $role, in the organization $memberRole, plans $plan and $orgPlan',
    async (one) => {
      const { orgId, person } = await scene(one)
      const { body } = await service.get('/api/v1/user/data', { token: person.token })
      const shown = Object.entries((body as { permissions: Record<string, string[]> }).permissions).flatMap(
        ([resource, actions]) => actions.map((action) => `${resource}:${action}`),
      )
      const asked = examples.filter(({ isInOrganization }) => !isInOrganization || one.memberRole !== undefined)
      for (const operation of asked) {
        const [permission = ''] = operation.permission.split(' ')
        const { code } = problemOf(await call(operation, person, orgId))
        expect([operation.id, shown.includes(permission)]).toEqual([operation.id, code !== 'permission_missing'])
      }
      expect(shown.filter((permission) => inOrganization.includes(permission)).sort()).toEqual(
        one.memberRole === 'wide' ? [...inOrganization].sort() : [],
      )
    },
  )
})

test('counts organization:create from the plan of the account, and not from the plan of an organization', async () => {
  await service.sql(`insert into plan (id, name) values ('founder', 'Founder')`)
  await service.sql(`insert into plan_price values ('price_founder', 'founder')`)
  await service.sql(`insert into plan_grant values ('founder', 'organization', 'create')`)
  const create = ({ token }: Person) => service.post('/api/v1/orgs', { token, body: { name: 'New' } })
  const orgId = await organization()
  const member = await memberWith('member', orgId)
  await subscribe(service, { customer: 'cus_founders', orgId, price: 'price_founder', status: 'active' })
  expect(problemOf(await create(member))).toEqual({ status: 403, code: 'permission_missing' })
  await subscribe(service, { customer: 'cus_founder', accountId: member.id, price: 'price_founder', status: 'active' })
  expect(await create(member)).toMatchObject({ status: 201, body: { name: 'New', role: 'owner' } })
})
