import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations, pathOf } from '../../support/openapi.ts'
import { problemOf } from '../../support/problem.ts'
import type { Person, Service } from '../../support/service.ts'
import { codeAt, enrol, laterCode, newClient, startIssuer } from '../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
  await service.sql(`insert into role (id, name, requires_mfa) values ('guard', 'Guard', true)`)
  await service.sql(`insert into role_grant select 'guard', resource, action from role_grant where role_id = 'admin'`)
  await service.sql(`insert into role_grant values ('guard', 'billing', 'manage')`)
  await service.sql(
    `insert into role (id, name, for_members, requires_mfa) values ('steward', 'Steward', true, true), ('founder', 'Founder', true, false)`,
  )
  await service.sql(
    `insert into role_grant select r, g.resource, g.action from role_grant g, unnest('{steward,founder}'::text[]) r where g.role_id = 'owner'`,
  )
})
afterAll(() => service.stop())

const stepUp = { status: 401, code: 'step_up_required' }
const read = async (token: string, query = '') => (await service.get(`/api/v1/user/data${query}`, { token })).body

async function raise(token: string, amr = '{pwd,otp,mfa}'): Promise<void> {
  await service.sql(`update session set amr = $2 where id = $1`, [decodeJwt<{ sid: string }>(token).sid, amr])
}

async function organizationOf(person: Person, role: string, requiresMfa: boolean): Promise<string> {
  const [org] = await service.sql<{ id: string }>(
    `with org as (insert into organization (name, requires_mfa) values ('Own', $3) returning id)
     insert into membership (organization_id, account_id, role_id) select id, $1, $2 from org returning organization_id as id`,
    [person.id, role, requiresMfa],
  )
  return String(org?.id)
}

describe('every permission of a role that requires a second factor', () => {
  const guarded = operations.filter(({ permission, path }) => permission.includes(':') && !path.includes('billing'))

  test.each(guarded)('$id: 401 step_up_required with one factor, allowed with two', async (operation) => {
    const person = await service.person({ role: 'guard' })
    await service.sql(`delete from role_grant where role_id = 'user'`)
    const orgId = await organizationOf(person, 'steward', false)
    const path = pathOf(operation, { orgId })
    const call = () =>
      service.call(operation.method, path, { token: person.token, ...(operation.body && { body: {} }) })
    const refused = await call()
    expect(problemOf(refused)).toEqual(stepUp)
    expect(refused.headers['www-authenticate']).toContain('acr_values="urn:muster:aal2"')
    await raise(person.token)
    expect([401, 403]).not.toContain((await call()).status)
  })
})

describe('a role that requires a second factor', () => {
  test('shows its permissions in user data after a step-up, despite caches; nothing else is missing', async () => {
    const person = await service.person({ role: 'guard' })
    const client = newClient(service)
    const { access } = await client.openSession(person)
    const before = await read(access)
    expect(before).toMatchObject({ permissions: {}, subscription: { plan_id: 'free' } })
    expect((before as { permissions: object }).permissions).not.toHaveProperty('users')
    const factor = await enrol(service, access, { password: person.password })
    expect(await read(access)).toMatchObject({ permissions: { users: expect.arrayContaining(['list']) } })
    await raise(access, '{pwd}')
    expect((await read(access)) as object).not.toHaveProperty('permissions.users')
    laterCode(service)
    const code = codeAt(factor.secret, service.clock.now())
    expect((await client.post('/auth/step-up', { factorId: factor.id, code }, access)).status).toBe(200)
    expect(await read(access)).toMatchObject({ permissions: { users: expect.arrayContaining(['list']) } })
  })

  test('a rule change applies to the next request', async () => {
    await service.sql(`insert into role (id, name) values ('shifting', 'Shifting')`)
    await service.sql(`insert into role_grant values ('shifting', 'users', 'list')`)
    const { token } = await service.person({ role: 'shifting' })
    expect(await read(token)).toHaveProperty('permissions.users', ['list'])
    await service.sql(`update role set requires_mfa = true where id = 'shifting'`)
    expect(await read(token)).not.toHaveProperty('permissions.users')
  })

  test('403 permission_missing for what the role does not grant, even with a second factor', async () => {
    await service.sql(`insert into role (id, name, requires_mfa) values ('bare', 'Bare', true)`)
    const { token } = await service.person({ role: 'bare' })
    await raise(token)
    expect(problemOf(await service.get('/api/v1/admin/users/fetch', { token }))).toEqual({
      status: 403,
      code: 'permission_missing',
    })
  })

  test('403 permission_missing when a second factor would allow only another action, another resource or another organization', async () => {
    await service.sql(
      `insert into role (id, name, for_members, requires_mfa) values ('near', 'Near', false, true), ('near_member', 'Near', true, true)`,
    )
    await service.sql(
      `insert into role_grant values ('near', 'users', 'erase'), ('near', 'other', 'list'), ('near', 'organization', 'read'),
         ('near_member', 'organization', 'other'), ('near_member', 'other', 'read')`,
    )
    const person = await service.person({ role: 'near' })
    const orgId = await organizationOf(person, 'near_member', false)
    for (const path of ['/api/v1/admin/users/fetch', `/api/v1/orgs/${orgId}/members`]) {
      const refused = problemOf(await service.get(path, { token: person.token }))
      expect([path, refused]).toEqual([path, { status: 403, code: 'permission_missing' }])
    }
  })

  test('applies to a role in an organization like to the role of an account, each separately', async () => {
    const person = await service.person({ role: 'admin' })
    const orgId = await organizationOf(person, 'steward', false)
    const { token } = person
    const members = () => service.get(`/api/v1/orgs/${orgId}/members`, { token })
    expect(problemOf(await members())).toEqual(stepUp)
    expect((await service.get('/api/v1/admin/users/fetch?limit=1', { token })).status).toBe(200)
    await raise(token)
    expect((await members()).status).toBe(200)
  })
})

describe('an organization that requires a second factor', () => {
  test('withholds its role and its plan without a second factor; the account’s own role, plan and membership still count', async () => {
    await service.sql(`insert into plan (id, name) values ('crew', 'Crew')`)
    await service.sql(`insert into plan_price values ('price_crew', 'crew')`)
    await service.sql(`insert into plan_grant values ('crew', 'reports', 'export')`)
    const person = await service.person({ role: 'admin' })
    const orgId = await organizationOf(person, 'founder', true)
    await service.sql(`insert into customer (id, organization_id) values ('cus_crew', $1)`, [orgId])
    await service.sql(
      `insert into subscription values ('sub_crew', 'cus_crew', '{price_crew}', null, 'active', now(), now(), 0)`,
    )
    const weak = (await read(person.token)) as { permissions: object }
    expect(weak).toMatchObject({
      orgId,
      orgSubscription: { plan_id: 'crew' },
      permissions: { users: expect.anything() },
    })
    expect(weak.permissions).not.toHaveProperty('reports')
    expect(weak.permissions).not.toHaveProperty('billing')
    await raise(person.token)
    expect(await read(person.token)).toMatchObject({
      permissions: { reports: ['export'], billing: ['manage'], users: expect.anything() },
    })
  })

  test('is set by its managers in a session with a second factor; members without one can still leave', async () => {
    const owner = await service.person()
    const orgId = await organizationOf(owner, 'owner', false)
    const member = await service.person()
    await service.sql(`insert into membership (organization_id, account_id, role_id) values ($1, $2, 'member')`, [
      orgId,
      member.id,
    ])
    const path = `/api/v1/orgs/${orgId}`
    const members = (token: string) => service.get(`${path}/members`, { token })
    const change = (requiresMfa: boolean, token = owner.token) =>
      service.call('PUT', `${path}/security`, { token, body: { requiresMfa } })
    expect(problemOf(await change(true))).toEqual(stepUp)
    expect((await members(member.token)).status).toBe(200)
    await raise(owner.token)
    expect(await change(true)).toMatchObject({ status: 200, body: { requiresMfa: true } })
    expect((await service.get(`${path}/security`, { token: member.token })).body).toEqual({ requiresMfa: true })
    expect(problemOf(await members(member.token))).toEqual(stepUp)
    expect((await members(owner.token)).status).toBe(200)
    expect(problemOf(await change(false, member.token))).toEqual({ status: 403, code: 'permission_missing' })
    expect((await service.post(`${path}/leave`, { token: member.token })).status).toBe(204)
    expect((await change(true)).status).toBe(200)
    const noted = await service.sql(
      `select details from audit_event where action = 'organization.mfa_changed' and target_id = $1`,
      [orgId],
    )
    expect(noted).toEqual([{ details: { requiresMfa: true } }])
  })
})

test('user data has exactly the documented members unless details are requested', async () => {
  const plain = await service.person()
  const guard = await service.person({ role: 'guard' })
  for (const { token } of [plain, guard]) expect(await read(token)).not.toHaveProperty('mfaRequired')
  expect(await read(plain.token, '?details=true')).toHaveProperty('mfaRequired', false)
  expect(await read(guard.token, '?details=true')).toHaveProperty('mfaRequired', true)
  await organizationOf(plain, 'founder', true)
  expect(await read(plain.token, '?details=true')).toHaveProperty('mfaRequired', true)
  await raise(plain.token)
  expect(await read(plain.token, '?details=true')).toHaveProperty('mfaRequired', false)
})
