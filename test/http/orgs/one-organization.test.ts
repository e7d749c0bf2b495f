import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribe } from '../../support/billing-rows.ts'
import { newOrganization, organizationEvents, orgPath } from '../../support/organizations.ts'
import { problemOf } from '../../support/problem.ts'
import { type Answer, type Person, type Service, startService } from '../../support/service.ts'
import { newKey } from '../../support/service-keys.ts'
import { enrol } from '../../support/test-client.ts'
import { receiverEnv, registerEndpoint } from '../../support/webhook-receiver.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService({ env: receiverEnv })
  admin = await service.person({ role: 'admin' })
  const events = ['organization.updated', 'organization.deleted', 'organization.member_removed', 'subscription.changed']
  await registerEndpoint(service, admin.token, { url: 'https://product.example.com/muster', events })
})
afterAll(() => service.stop())

const read = (id: string, token: string) => service.get(orgPath(id), { token })
const rename = (id: string, token: string, name: string) =>
  service.call('PATCH', orgPath(id), { token, body: { name } })
const remove = (id: string, token: string, body?: object) =>
  service.call('DELETE', orgPath(id), { token, ...(body && { body }) })

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const unknown = { status: 404, code: 'organization_unknown' }

/** Webhooks about an organization, the oldest first. */
const webhooksAbout = (id: string) =>
  service.sql<{ type: string; data: object }>('select type, data from webhook_event where subject = $1 order by id', [
    id,
  ])

const orgOf = (answer: Answer) => Object(answer.body).orgId

describe('reading an organization', () => {
  test('returns it to every member, with the role of the caller', async () => {
    const { id, owner, member } = await newOrganization(service)
    const organization = { id, name: 'Engines', requiresMfa: false, createdAt: time }
    expect((await read(id, owner.token)).body).toEqual({ ...organization, role: 'owner' })
    expect((await read(id, member.token)).body).toEqual({ ...organization, role: 'member' })
  })

  test('returns it to a service key with organization:read, without a role, and not to a key of another organization', async () => {
    const [one, other] = [await newOrganization(service), await newOrganization(service)]
    const { key } = await newKey(service, admin, { orgId: one.id })
    expect((await read(one.id, key)).body).toEqual({ id: one.id, name: 'Engines', requiresMfa: false, createdAt: time })
    expect(problemOf(await read(other.id, key))).toEqual(unknown)
  })

  test('looks the same to a stranger as an organization that does not exist', async () => {
    const { id } = await newOrganization(service)
    for (const answer of [await read(id, admin.token), await read(randomUUID(), admin.token)])
      expect(problemOf(answer)).toEqual(unknown)
  })
})

describe('renaming an organization', () => {
  test('changes the name for every reader, and is in the audit log and in one webhook', async () => {
    const { id, owner, member } = await newOrganization(service)
    const renamed = await rename(id, owner.token, 'Difference Engines')
    expect(renamed.status).toBe(200)
    expect(renamed.body).toEqual({
      id,
      name: 'Difference Engines',
      role: 'owner',
      requiresMfa: false,
      createdAt: time,
    })
    expect((await service.get('/api/v1/orgs', { token: member.token })).body).toEqual({
      orgs: [{ id, name: 'Difference Engines', role: 'member' }],
    })
    expect((await rename(id, owner.token, 'Difference Engines')).status).toBe(200)
    expect(await organizationEvents(service, id)).toEqual([
      { action: 'organization.renamed', actor_id: owner.id, details: { from: 'Engines', to: 'Difference Engines' } },
    ])
    expect(await webhooksAbout(id)).toEqual([
      { type: 'organization.updated', data: { id, name: 'Difference Engines', requiresMfa: false, createdAt: time } },
    ])
  })

  test('fails for members without organization:manage and for strangers, and changes nothing', async () => {
    const { id, owner, member } = await newOrganization(service)
    expect(problemOf(await rename(id, member.token, 'Mine'))).toEqual({ status: 403, code: 'permission_missing' })
    expect(problemOf(await rename(id, admin.token, 'Mine'))).toEqual(unknown)
    expect((await read(id, owner.token)).body).toMatchObject({ name: 'Engines' })
  })

  test.each([
    [{}, '/name'],
    [{ name: ' Engines' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ name: 'a\u202eb' }, '/name'],
    [{ name: 'Engines', requiresMfa: true }, '/requiresMfa'],
  ])('rejects %j and names the member', async (body, pointer) => {
    const { id, owner } = await newOrganization(service)
    const answer = await service.call('PATCH', orgPath(id), { token: owner.token, body })
    expect(answer.body).toMatchObject({
      code: 'input_invalid',
      errors: [{ pointer, detail: expect.any(String) }],
    })
  })
})

describe('the roles that a caller can assign', () => {
  const roles = (id: string, token: string) => service.get(orgPath(id, '/roles'), { token })

  test('are the roles for members that grant no more than the role of the caller', async () => {
    const { id, owner, member } = await newOrganization(service)
    const [all, managing] = [`all-${id.slice(-6)}`, `managing-${id.slice(-6)}`]
    await service.sql(`insert into role (id, name, for_members) values ($1, 'All', true), ($2, 'Managing', true)`, [
      all,
      managing,
    ])
    await service.sql(
      `insert into role_grant (role_id, resource, action) values
         ($1, 'organization', 'read'), ($1, 'organization', 'manage'), ($1, 'billing', 'manage'), ($1, 'dns', 'edit'),
         ($2, 'organization', 'read'), ($2, 'organization', 'manage')`,
      [all, managing],
    )
    const listed = Object((await roles(id, owner.token)).body).roles
    expect(listed).toContainEqual({ id: 'member', name: 'Member', permissions: { organization: ['read'] } })
    expect(listed).toContainEqual({
      id: managing,
      name: 'Managing',
      permissions: { organization: ['manage', 'read'] },
    })
    const ids = listed.map((role: { id: string }) => role.id)
    expect(ids).toContain('owner')
    expect(ids).not.toContain(all)
    expect(ids).not.toContain('admin')
    // Each listed role can be assigned, and no other.
    const assign = (role: string) =>
      service.call('PUT', orgPath(id, `/members/${member.id}/role`), { token: owner.token, body: { role } })
    expect(problemOf(await assign(all))).toEqual({ status: 403, code: 'permission_exceeds' })
    for (const role of ids) expect((await assign(role)).status, role).toBe(204)
  })

  test('fails for members without organization:manage and for strangers', async () => {
    const { id, member } = await newOrganization(service)
    expect(problemOf(await roles(id, member.token))).toEqual({ status: 403, code: 'permission_missing' })
    expect(problemOf(await roles(id, admin.token))).toEqual(unknown)
  })
})

describe('deleting an organization', () => {
  test('removes it for every member at once, with its invitations, and is in the audit log and in one webhook', async () => {
    const { id, owner, member } = await newOrganization(service)
    const invited = await service.post(orgPath(id, '/invitations'), { token: owner.token, body: {} })
    const answer = await remove(id, owner.token)
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const { token } of [owner, member]) {
      expect(problemOf(await read(id, token))).toEqual(unknown)
      expect((await service.get('/api/v1/orgs', { token })).body).toEqual({ orgs: [] })
      expect(orgOf(await service.get('/api/v1/user/data', { token }))).toBeUndefined()
    }
    const { token } = Object(invited.body)
    const joining = await service.post('/api/v1/orgs/accept-invitation', { token: member.token, body: { token } })
    expect(problemOf(joining)).toEqual({ status: 404, code: 'invitation_unknown' })
    expect(problemOf(await remove(id, owner.token))).toEqual(unknown)
    expect((await organizationEvents(service, id)).at(-1)).toEqual({
      action: 'organization.deleted',
      actor_id: owner.id,
      details: { name: 'Engines', members: 2, serviceKeys: 0 },
    })
    expect(await webhooksAbout(id)).toEqual([{ type: 'organization.deleted', data: { id } }])
  })

  test('fails for members without organization:manage and for strangers', async () => {
    const { id, owner, member } = await newOrganization(service)
    expect(problemOf(await remove(id, member.token))).toEqual({ status: 403, code: 'permission_missing' })
    expect(problemOf(await remove(id, admin.token))).toEqual(unknown)
    expect((await read(id, owner.token)).status).toBe(200)
  })

  test('fails for a manager if a member has a role that grants more', async () => {
    const { id, owner, member } = await newOrganization(service)
    const role = `manager-${id.slice(-6)}`
    await service.sql(`insert into role (id, name, for_members) values ($1, 'Manager', true)`, [role])
    await service.sql(
      `insert into role_grant (role_id, resource, action) values ($1, 'organization', 'read'), ($1, 'organization', 'manage')`,
      [role],
    )
    await service.sql('update membership set role_id = $3 where organization_id = $1 and account_id = $2', [
      id,
      member.id,
      role,
    ])
    const answer = await remove(id, member.token)
    expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_exceeds' })
    expect(Object(answer.body).missing).toEqual({ billing: ['manage'] })
    expect((await read(id, owner.token)).status).toBe(200)
  })

  test('needs a recent sign-in, and the second factor of a user who has one', async () => {
    const { id, owner, member } = await newOrganization(service)
    await service.sql(`update session set proved_at = now() - interval '11 minutes' where account_id = $1`, [owner.id])
    const stepUp = { status: 401, code: 'step_up_required' }
    const old = await remove(id, owner.token)
    expect(problemOf(old)).toEqual(stepUp)
    expect(Object(old.body).needs).toEqual({ maxAgeSeconds: 600 })
    await service.sql(`update membership set role_id = 'owner' where account_id = $1`, [member.id])
    await enrol(service, member.token, member)
    await service.sql(`update session set amr = '{pwd}' where account_id = $1`, [member.id])
    expect(problemOf(await remove(id, member.token))).toEqual(stepUp)
    await service.sql(`update session set amr = '{pwd,otp,mfa}' where account_id = $1`, [member.id])
    expect((await remove(id, member.token)).status).toBe(204)
  })

  test('while a subscription has not ended, needs a confirmation, and changes nothing without it', async () => {
    const { id, owner } = await newOrganization(service)
    const customer = `cus_${id}`
    await subscribe(service, { customer, orgId: id, price: 'price_team', status: 'active' })
    for (const body of [undefined, {}, { ignoreSubscriptions: false }]) {
      const answer = await remove(id, owner.token, body)
      expect(problemOf(answer)).toEqual({ status: 409, code: 'subscription_active' })
      expect(Object(answer.body).detail).toMatch(new RegExp(`sub_${customer}`))
    }
    expect((await read(id, owner.token)).status).toBe(200)
    expect((await remove(id, owner.token, { ignoreSubscriptions: true })).status).toBe(204)
    expect((await organizationEvents(service, id)).at(-1)).toMatchObject({
      action: 'organization.deleted',
      details: { members: 2, subscriptions: [expect.stringContaining(customer)] },
    })
  })

  test.each(['canceled', 'incomplete_expired'])('needs no confirmation after a subscription is %s', async (status) => {
    const { id, owner } = await newOrganization(service)
    await subscribe(service, { customer: `cus_${id}`, orgId: id, price: 'price_team', status })
    expect((await remove(id, owner.token)).status).toBe(204)
  })

  test('keeps its customers and subscriptions, which get no other owner without an operator', async () => {
    const { id, owner } = await newOrganization(service)
    const customer = `cus_${id}`
    await subscribe(service, { customer, orgId: id, price: 'price_team', status: 'active' })
    await service.sql(
      `update customer set claim_kind = 'organization', claim_value = $2, claim_rank = 2, claim_at = now() where id = $1`,
      [customer, id],
    )
    await remove(id, owner.token, { ignoreSubscriptions: true })
    const [kept] = await service.sql(
      `select organization_id, claim_value, erased_at is not null as released,
              (select count(*)::int from subscription s where s.customer_id = c.id) as subscriptions
       from customer c where c.id = $1`,
      [customer],
    )
    expect(kept).toEqual({ organization_id: null, claim_value: null, released: true, subscriptions: 1 })
    const billing = await service.get('/api/v1/admin/billing', { token: admin.token })
    expect(billing.status).toBe(200)
    expect(billing.text).not.toContain(customer)
  })

  test('sends a webhook for each of its subscriptions, which then has no owner', async () => {
    const { id, owner } = await newOrganization(service)
    await subscribe(service, { customer: `cus_${id}`, orgId: id, price: 'price_team', status: 'canceled' })
    expect((await remove(id, owner.token)).status).toBe(204)
    const events = await service.sql<{ data: object }>(
      `select data from webhook_event where type = 'subscription.changed' and data ->> 'id' like $1 order by id`,
      [`sub_cus_${id}%`],
    )
    const subscription = { id: expect.any(String), planId: 'price_team', status: 'canceled', createdAt: time }
    expect(events.map(({ data }) => data)).toEqual([{ ...subscription, orgId: id }, subscription])
  })

  test('rejects its service keys from the next request on', async () => {
    const [one, other] = [await newOrganization(service), await newOrganization(service)]
    const [own, unbound] = [await newKey(service, admin, { orgId: one.id }), await newKey(service, admin)]
    expect((await read(one.id, own.key)).status).toBe(200)
    expect((await remove(one.id, one.owner.token)).status).toBe(204)
    for (const path of [orgPath(one.id), orgPath(other.id), '/api/v1/admin/users/fetch'])
      expect(problemOf(await service.get(path, { token: own.key }))).toEqual({ status: 401, code: 'token_invalid' })
    expect(problemOf(await read(one.id, unbound.key))).toEqual(unknown)
    expect((await read(other.id, unbound.key)).status).toBe(200)
    const listed = await service.get('/api/v1/admin/service-keys', { token: admin.token })
    expect(listed.text).not.toContain(own.id)
    expect((await organizationEvents(service, one.id)).at(-1)).toMatchObject({ details: { serviceKeys: 1 } })
  })

  test('while a member reads user data, every answer shows the organization whole or not at all', async () => {
    const { id, owner, member } = await newOrganization(service)
    let isDeleted = false
    const reading = (async () => {
      const seen: Answer[] = []
      for (;;) {
        const isLast = isDeleted
        seen.push(await service.get('/api/v1/user/data', { token: member.token }))
        if (isLast) return seen
      }
    })()
    expect((await remove(id, owner.token)).status).toBe(204)
    isDeleted = true
    const answers = await reading
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      const { orgId, permissions } = Object(answer.body)
      expect(permissions.organization).toEqual(orgId === id ? ['read'] : undefined)
    }
    expect(orgOf(answers.at(-1) as Answer)).toBeUndefined()
  })

  test('returns members who chose it for their session to the organization that they joined first', async () => {
    const [one, other] = [await newOrganization(service), await newOrganization(service)]
    const { token, id: accountId } = one.member
    await service.sql('insert into membership (organization_id, account_id) values ($1, $2)', [other.id, accountId])
    const choose = () => service.call('PUT', '/auth/current-organization', { token, body: { orgId: other.id } })
    expect((await choose()).status).toBe(200)
    expect(orgOf(await service.get('/api/v1/user/data', { token }))).toBe(other.id)
    expect((await remove(other.id, other.owner.token)).status).toBe(204)
    expect(orgOf(await service.get('/api/v1/user/data', { token }))).toBe(one.id)
    expect(problemOf(await choose())).toEqual(unknown)
  })

  test('succeeds for one of two owners who delete it at once', async () => {
    const { id, owner, member } = await newOrganization(service)
    await service.sql(`update membership set role_id = 'owner' where organization_id = $1`, [id])
    const answers = await Promise.all([owner, member].map(({ token }) => remove(id, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  test.each([
    [{ ignoreSubscriptions: 'yes' }, '/ignoreSubscriptions'],
    [{ force: true }, '/force'],
  ])('rejects %j and names the member', async (body, pointer) => {
    const { id, owner } = await newOrganization(service)
    const answer = await remove(id, owner.token, body)
    expect(answer.body).toMatchObject({ code: 'input_invalid', errors: [{ pointer, detail: expect.any(String) }] })
  })
})
