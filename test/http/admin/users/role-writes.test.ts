import { beforeAll, describe, expect, test } from 'vitest'
import { subscribe } from '../../../support/billing-rows.ts'
import { holdRows, longLockWaits } from '../../../support/blocked.ts'
import { freshDatabase } from '../../../support/database.ts'
import { operations } from '../../../support/openapi.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Answer, type Person, type Service, startService, testInProcess } from '../../../support/service.ts'
import { textsOf } from '../../../support/sources.ts'

let service: Service

beforeAll(async () => {
  const fresh = await freshDatabase({ limits: longLockWaits })
  service = await startService({ on: fresh })
  await service.sql(`insert into role (id, name, for_members)
    values ('clerk', 'Clerk', false), ('manager', 'Manager', true), ('auditor', 'Auditor', true)`)
  await service.sql(`insert into role_grant
    select 'clerk', 'users', action from unnest(array['list', 'read', 'change_role', 'disable', 'enable', 'rename', 'end_sessions', 'recover', 'erase', 'act_as']) action`)
  await service.sql(`insert into role_grant values ('clerk', 'provider_keys', 'validate'),
    ('manager', 'organization', 'read'), ('manager', 'organization', 'manage'), ('auditor', 'organization', 'read')`)
  return async () => {
    await service.stop()
    await fresh.drop()
  }
})

interface Scene {
  readonly clerk: Person
  readonly admin: Person
  readonly user: Person
  readonly orgId: string
  readonly manager: Person
  readonly owner: Person
  readonly member: Person
  /** An invitation to become an owner, created by an owner. */
  readonly invitationId: string
}

async function scene(): Promise<Scene> {
  const make = (role = 'user') => service.person({ role })
  const [clerk, admin, user, manager, owner, member] = [
    await make('clerk'),
    await make('admin'),
    await make(),
    await make(),
    await make(),
    await make(),
  ]
  const [row] = await service.sql<{ id: string }>(`insert into organization (name) values ('Engines') returning id`)
  const orgId = String(row?.id)
  await service.sql(
    `insert into membership (organization_id, account_id, role_id)
     values ($1, $2, 'manager'), ($1, $3, 'owner'), ($1, $4, 'member')`,
    [orgId, manager.id, owner.id, member.id],
  )
  const invited = await service.post(`/api/v1/orgs/${orgId}/invitations`, {
    token: owner.token,
    body: { role: 'owner' },
  })
  const { id: invitationId } = invited.body as { id: string }
  return { clerk, admin, user, orgId, manager, owner, member, invitationId }
}

function send(place: string, { token }: Person, body?: object): Promise<Answer> {
  const [method = '', path = ''] = place.split(' ')
  return service.call(method, path, { token, headers: { 'if-match': '*' }, ...(body && { body }) })
}

/** Each write that names a role or an account with a role, by callers with the permission but too few grants. */
const attempts: Readonly<Record<string, (at: (place: string) => string, scene: Scene) => Promise<Answer>[]>> = {
  'PUT /api/v1/admin/users/{userId}/role': (at, { clerk, admin, user }) => [
    send(at(user.id), clerk, { role: 'admin' }),
    send(at(admin.id), clerk, { role: 'user' }),
  ],
  'PUT /api/v1/admin/users/{userId}/display-name': (at, { clerk, admin }) => [
    send(at(admin.id), clerk, { displayName: 'Ada' }),
  ],
  'POST /api/v1/admin/users/{userId}/disable': (at, { clerk, admin }) => [send(at(admin.id), clerk)],
  'POST /api/v1/admin/users/{userId}/enable': (at, { clerk, admin }) => [send(at(admin.id), clerk)],
  'DELETE /api/v1/admin/users/{userId}': (at, { clerk, admin }) => [send(at(admin.id), clerk)],
  'DELETE /api/v1/admin/users/{userId}/sessions': (at, { clerk, admin }) => [send(at(admin.id), clerk)],
  'POST /api/v1/admin/users/{userId}/recovery': (at, { clerk, admin }) => [send(at(admin.id), clerk, {})],
  'POST /api/v1/admin/users/{userId}/act-as': (at, { clerk, admin }) => [send(at(admin.id), clerk, { reason: 'x' })],
  'PUT /api/v1/orgs/{orgId}/members/{userId}/role': (at, { manager, owner, member }) => [
    send(at(member.id), manager, { role: 'owner' }),
    send(at(owner.id), manager, { role: 'member' }),
  ],
  'DELETE /api/v1/orgs/{orgId}/members/{userId}': (at, { manager, owner }) => [send(at(owner.id), manager)],
  'POST /api/v1/orgs/{orgId}/invitations': (at, { manager }) => [send(at(''), manager, { role: 'owner' })],
  'POST /api/v1/orgs/{orgId}/invitations/{invitationId}/send': (at, { manager, invitationId }) => [
    send(at(invitationId), manager),
  ],
  'DELETE /api/v1/orgs/{orgId}/invitations/{invitationId}': (at, { manager, invitationId }) => [
    send(at(invitationId), manager),
  ],
}

describe('every write that names a role', () => {
  test('has an attempt here, according to the contracts', () => {
    const writes = operations
      .filter(({ method }) => method !== 'GET')
      // Reverts what the caller has started.
      .filter(({ id }) => id !== 'endActAs')
      // Takes what was offered to the caller.
      .filter(({ path }) => !path.startsWith('/api/v1/invitations/'))
      .filter(({ path, body }) => /\{(userId|invitationId)\}/.test(path) || body?.members.includes('role'))
    expect(Object.keys(attempts).sort()).toEqual(writes.map(({ method, path }) => `${method} ${path}`).sort())
  })

  test.each(Object.keys(attempts))(
    '403 permission_exceeds — %s: names the missing permissions and changes nothing',
    async (place) => {
      const there = await scene()
      const state = () =>
        service.sql(
          `select id::text, role_id, disabled_at is null as enabled from account
           union all select account_id::text, role_id, true from membership where organization_id = $1
           union all select id::text, role_id, true from invitation where organization_id = $1
           union all select id::text, 'session', ended_at is null from session
           union all select account_id::text, 'link', true from account_link order by 1, 2`,
          [there.orgId],
        )
      const before = await state()
      const at = (id: string) => place.replace('{orgId}', there.orgId).replace(/\{(userId|invitationId)\}/, id)
      const ofAccounts = place.includes('/admin/')
      const missing = ofAccounts ? { organization: ['create', 'read'] } : { billing: ['manage'] }
      for (const answer of await Promise.all(attempts[place]?.(at, there) ?? []))
        expect(answer).toMatchObject({ status: 403, body: { code: 'permission_exceeds', missing } })
      expect(await state()).toEqual(before)
    },
  )

  /** Statement name to the operations above that run it, or to the reason why no caller is checked. */
  const statements: Readonly<Record<string, string>> = {
    user_role_change: 'PUT /api/v1/admin/users/{userId}/role',
    member_role_set: 'PUT /api/v1/orgs/{orgId}/members/{userId}/role',
    member_end: 'DELETE /api/v1/orgs/{orgId}/members/{userId}',
    invitation_insert: 'POST /api/v1/orgs/{orgId}/invitations',
    invitation_revoke: 'DELETE /api/v1/orgs/{orgId}/invitations/{invitationId}',
    invitation_used: 'the inviter is bound, tried below',
    organization_create_owned: 'organization:create makes the caller the owner of what was not there before',
    password_account_insert: 'the role user, or that of an invitation by an operator',
    sign_up_invitation_create: 'command line',
    sign_up_invitation_redeem: 'gives nothing',
    invitations_delete_ended: 'gives and takes nothing',
    invitations_expired: 'gives and takes nothing',
    erasing_invitations: 'gives and takes nothing',
    account_role_set: 'command line',
    membership_add: 'the inviter is bound, tried below',
    role_grant: 'command line',
    role_revoke: 'command line',
  }

  test('is listed here, according to the SQL that writes roles', () => {
    const found = textsOf('src', ['.ts']).flatMap(({ text }) =>
      [...text.matchAll(/name: '(\w+)',\s*text:\s*(`[^`]*`|'[^']*')/g)]
        .filter(([, , sql = '']) => /\b(insert into|update|delete from)\b/.test(sql))
        .filter(([, , sql = '']) => /\brole_id\b|\b(insert into|delete from) (membership|invitation)\b/.test(sql))
        .map(([, name]) => name),
    )
    expect(found.sort()).toEqual(Object.keys(statements).sort())
    for (const place of Object.values(statements).filter((text) => /^[A-Z]/.test(text)))
      expect(Object.keys(attempts)).toContain(place)
  })
})

test('403 self_change: support cannot make itself an administrator, nor change to an equal role', async () => {
  const { clerk } = await scene()
  await service.sql(`insert into role (id, name) values ('clerk_2', 'Clerk')`)
  await service.sql(`insert into role_grant select 'clerk_2', resource, action from role_grant where role_id = 'clerk'`)
  const path = `PUT /api/v1/admin/users/${clerk.id}/role`
  for (const role of ['admin', 'clerk_2'])
    expect(problemOf(await send(path, clerk, { role }))).toEqual({ status: 403, code: 'self_change' })
  expect((await send(path, clerk, { role: 'clerk' })).status).toBe(200)
  expect((await send(path, clerk, { role: 'user' })).body).toMatchObject({ role: 'user' })
})

test('403 self_change: a manager cannot become an owner, and can assign only what a manager has', async () => {
  const { orgId, manager, member } = await scene()
  const members = `/api/v1/orgs/${orgId}/members`
  expect(problemOf(await send(`PUT ${members}/${manager.id}/role`, manager, { role: 'owner' }))).toEqual({
    status: 403,
    code: 'self_change',
  })
  const statuses = [
    await send(`PUT ${members}/${member.id}/role`, manager, { role: 'manager' }),
    await send(`POST /api/v1/orgs/${orgId}/invitations`, manager, { role: 'member' }),
    await send(`DELETE ${members}/${member.id}`, manager),
    // Stepping down and leaving are allowed.
    await send(`PUT ${members}/${manager.id}/role`, manager, { role: 'auditor' }),
    await send(`POST /api/v1/orgs/${orgId}/leave`, manager),
  ].map(({ status }) => status)
  expect(statuses).toEqual([204, 201, 204, 204, 204])
})

test('only the caller’s own role counts, not what a plan or an organization grants', async () => {
  const { clerk, owner, user, orgId } = await scene()
  // Has everything that an administrator has and a clerk lacks, from a plan and as owner of an organization.
  await service.sql(`insert into plan (id, name) values ('all', 'All')`)
  await service.sql(
    `insert into plan_grant select 'all', resource, action from role_grant where role_id = 'admin' and resource = 'organization'`,
  )
  await service.sql(`insert into plan_price values ('price_all', 'all')`)
  await subscribe(service, { customer: 'cus_all', accountId: clerk.id, price: 'price_all', status: 'active' })
  await service.sql(`insert into membership (organization_id, account_id, role_id) values ($1, $2, 'owner')`, [
    orgId,
    clerk.id,
  ])
  const data = await service.get('/api/v1/user/data', { token: clerk.token })
  expect(data.body).toMatchObject({ permissions: { organization: ['create', 'manage', 'read'], billing: ['manage'] } })
  const answer = await send(`PUT /api/v1/admin/users/${user.id}/role`, clerk, { role: 'admin' })
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'permission_exceeds', missing: { organization: ['create', 'read'] } },
  })
  expect((await service.get('/api/v1/user/data', { token: owner.token })).status).toBe(200)
})

test('an invitation is valid only while its creator has its grants', async () => {
  const { orgId, owner, user } = await scene()
  const invited = await send(`POST /api/v1/orgs/${orgId}/invitations`, owner, { role: 'owner' })
  const { token } = invited.body as { token: string }
  const accept = () => send('POST /api/v1/orgs/accept-invitation', user, { token })
  const become = (role: string) =>
    service.sql('update membership set role_id = $3 where organization_id = $1 and account_id = $2', [
      orgId,
      owner.id,
      role,
    ])
  await become('manager')
  expect(problemOf(await accept())).toEqual({ status: 404, code: 'invitation_unknown' })
  await become('owner')
  expect((await accept()).body).toMatchObject({ id: orgId, role: 'owner' })
})

test('of two users who demote each other concurrently one succeeds, for accounts and in an organization, 10 times each', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { orgId, manager, member } = await scene()
      await service.sql(`update membership set role_id = 'manager' where organization_id = $1 and account_id = $2`, [
        orgId,
        member.id,
      ])
      const [one, two] = [await service.person({ role: 'clerk' }), await service.person({ role: 'clerk' })]
      const demote = (by: Person, who: Person) => send(`PUT /api/v1/admin/users/${who.id}/role`, by, { role: 'user' })
      const remove = (by: Person, who: Person) =>
        send(`PUT /api/v1/orgs/${orgId}/members/${who.id}/role`, by, { role: 'auditor' })
      const answers = await Promise.all([
        demote(one, two),
        demote(two, one),
        remove(manager, member),
        remove(member, manager),
      ])
      const codes = answers.map((answer) => problemOf(answer).code ?? String(answer.status))
      return [codes.slice(0, 2).sort(), codes.slice(2).sort()]
    }),
  )
  for (const outcome of outcomes)
    expect(outcome).toEqual([
      ['200', 'permission_missing'],
      ['204', 'permission_missing'],
    ])
})

testInProcess(
  'a role is compared after the wait for the lock: one that the caller has lost meanwhile gives nothing',
  async () => {
    const { clerk, user, orgId, manager, member } = await scene()
    await service.sql(`insert into role (id, name) values ('less', 'Less') on conflict do nothing`)
    await service.sql(`insert into role_grant values ('less', 'users', 'change_role') on conflict do nothing`)
    const held = await holdRows(service.fresh, [
      [`select lock_name('administration')`, []],
      [`update account set role_id = 'less' where id = $1`, [clerk.id]],
    ])
    const given = send(`PUT /api/v1/admin/users/${user.id}/role`, clerk, { role: 'clerk' })
    await held.commitOnce(given)
    expect(problemOf(await given).code).toBe('permission_exceeds')

    const heldThere = await holdRows(service.fresh, [
      ['select from organization where id = $1 for no key update', [orgId]],
      [`update membership set role_id = 'auditor' where organization_id = $1 and account_id = $2`, [orgId, manager.id]],
    ])
    const removed = send(`DELETE /api/v1/orgs/${orgId}/members/${member.id}`, manager)
    await heldThere.commitOnce(removed)
    expect(problemOf(await removed).code).toBe('permission_missing')
  },
)
