import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { holdRows, longLockWaits } from '../../../support/blocked.ts'
import { freshDatabase } from '../../../support/database.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Person, type Service, serviceForTest, startService, testInProcess } from '../../../support/service.ts'
import { keysPath, newKey } from '../../../support/service-keys.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
})
afterAll(() => service.stop())

const create = (body: object, { token }: Person = admin) => service.post(keysPath, { token, body })
const rotate = (id: string, body = {}, { token }: Person = admin) =>
  service.post(`${keysPath}/${id}/rotate`, { token, body })
const revoke = (id: string, { token }: Person = admin) => service.call('DELETE', `${keysPath}/${id}`, { token })
const secondsFrom = (text: unknown, since: unknown) => Math.round((Date.parse(String(text)) - Number(since)) / 1_000)

async function listed(name: string) {
  const { body } = await service.get(keysPath, { token: admin.token })
  return Object(body).keys.filter((key: { name: string }) => key.name === name)
}

test('201 — shows a key once, and lists it with its permissions, first characters, expiry and state', async () => {
  const permissions = { user_data: ['read'], users: ['list', 'read'] }
  const { status, body } = await create({ name: 'Nightly report', permissions })
  const { key, ...record } = body as { key: string; createdAt: string; expiresAt: string }
  expect(status).toBe(201)
  expect(record).toEqual({
    id: expect.any(String),
    name: 'Nightly report',
    hint: key.slice(0, 8),
    permissions,
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    status: 'active',
  })
  expect(secondsFrom(record.expiresAt, Date.parse(record.createdAt))).toBe(90 * 86_400)
  expect(await listed('Nightly report')).toEqual([record])
})

test('400 — permissions outside the list, and lifetimes outside 1 to 366 days', async () => {
  const permissions = { users: ['list'] }
  for (const body of [
    { name: 'x', permissions: { users: ['disable'] } },
    { name: 'x', permissions: { service_keys: ['manage'] } },
    { name: 'x', permissions: {} },
    { name: 'x', permissions: { users: [] } },
    { name: '', permissions },
    { name: 'x'.repeat(101), permissions },
    { name: 'x', permissions, expiresInDays: 0 },
    { name: 'x', permissions, expiresInDays: 367 },
    { name: 'x', permissions, orgId: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f' },
  ])
    expect([body, problemOf(await create(body)).code]).toEqual([body, 'input_invalid'])
  expect((await create({ name: 'a year', permissions, expiresInDays: 366 })).status).toBe(201)
})

test('409 — a name has one valid key, until it is revoked or rotated', async () => {
  const body = { name: 'Only one', permissions: { users: ['list'] } }
  const first = await create(body)
  expect(problemOf(await create(body))).toEqual({ status: 409, code: 'service_key_name_taken' })
  expect((await revoke(Object(first.body).id)).status).toBe(204)
  expect((await create(body)).status).toBe(201)
  const codes = await Promise.all([1, 2, 3, 4].map(() => create({ ...body, name: 'Raced' })))
  expect(codes.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
})

test('403 permission_exceeds — creating, rotating or revoking a key that grants more than the caller’s own role', async () => {
  await service.sql(`insert into role (id, name) values ('keeper', 'Keeper')`)
  await service.sql(`insert into role_grant values ('keeper', 'service_keys', 'manage'), ('keeper', 'users', 'list')`)
  const keeper = await service.person({ role: 'keeper' })
  const refusal = {
    status: 403,
    body: { code: 'permission_exceeds', missing: { user_data: ['read'], users: ['read'] } },
  }
  const permissions = { users: ['list', 'read'], user_data: ['read'] }
  expect(await create({ name: 'Too much', permissions }, keeper)).toMatchObject(refusal)
  const { id, key } = await newKey(service, admin, { permissions })
  expect(await rotate(id, {}, keeper)).toMatchObject(refusal)
  expect(await revoke(id, keeper)).toMatchObject(refusal)
  expect((await service.get('/api/v1/admin/users/fetch?limit=1', { token: key })).status).toBe(200)
  const own = await create({ name: 'As much', permissions: { users: ['list'] } }, keeper)
  expect(own.status).toBe(201)
  expect((await rotate(Object(own.body).id, {}, keeper)).status).toBe(201)
  // Permissions from an organization do not count.
  const owner = await create({ name: 'Org', permissions: { organization: ['read'] } }, keeper)
  expect(problemOf(owner).code).toBe('permission_exceeds')
})

testInProcess(
  'what a caller holds is compared after the wait for the lock: a role that was lost meanwhile gives no key',
  async () => {
    const fresh = await freshDatabase({ limits: longLockWaits })
    onTestFinished(() => fresh.drop())
    const alone = await serviceForTest({ on: fresh })
    const root = await alone.person({ role: 'admin' })
    await alone.sql(`insert into role (id, name) values ('less', 'Less')`)
    await alone.sql(`insert into role_grant values ('less', 'service_keys', 'manage')`)
    const held = await holdRows(fresh, [
      [`select lock_name('administration')`, []],
      [`update account set role_id = 'less' where id = $1`, [root.id]],
    ])
    const given = alone.post(keysPath, { token: root.token, body: { name: 'Late', permissions: { users: ['list'] } } })
    await held.commitOnce(given)
    expect(problemOf(await given).code).toBe('permission_exceeds')
  },
)

test('rotation: the new key has the same name, permissions, organization and lifetime; the old key works until the overlap ends', async () => {
  const [org] = await service.sql<{ id: string }>(`insert into organization (name) values ('One') returning id`)
  const permissions = { users: ['list'] }
  const made = await create({ name: 'Rotated', permissions, expiresInDays: 30, orgId: org?.id })
  const { key: _, ...old } = made.body as { key: string; id: string; name: string }
  const startedAt = Date.now()
  const rotated = await rotate(old.id, { overlapSeconds: 3_600 })
  const { key: next, ...record } = rotated.body as { key: string; id: string; createdAt: string; expiresAt: string }
  expect(record).toMatchObject({ name: 'Rotated', permissions, orgId: org?.id, status: 'active' })
  expect(secondsFrom(record.expiresAt, Date.parse(record.createdAt))).toBe(30 * 86_400)
  const [first] = await listed('Rotated')
  expect(first).toMatchObject({ id: old.id, status: 'rotated' })
  expect(Math.abs(secondsFrom(first.expiresAt, startedAt) - 3_600)).toBeLessThan(60)
  const status = async (token: string) => (await service.get('/api/v1/admin/users/fetch', { token })).status
  const { key } = made.body as { key: string }
  expect([await status(key), await status(next)]).toEqual([200, 200])
  await service.sql('update service_key set expires_at = now() where id = $1', [old.id])
  expect([await status(key), await status(next)]).toEqual([401, 200])
  const [replaced] = await service.sql('select replaces from service_key where id = $1', [record.id])
  expect(replaced).toEqual({ replaces: old.id })
  expect(problemOf(await rotate(old.id))).toEqual({ status: 404, code: 'service_key_unknown' })
})

test('an overlap never extends a key, is at most 7 days, and may be 0', async () => {
  const { id } = await newKey(service, admin, { expiresInDays: 1 })
  await rotate(id, { overlapSeconds: 604_800 })
  const [row] = await service.sql<{ kept: boolean }>(
    `select expires_at = created_at + interval '1 day' as kept from service_key where id = $1`,
    [id],
  )
  expect(row).toEqual({ kept: true })
  const other = await newKey(service, admin)
  expect(problemOf(await rotate(other.id, { overlapSeconds: 604_801 })).code).toBe('input_invalid')
  await rotate(other.id, { overlapSeconds: 0 })
  expect((await service.get('/api/v1/admin/users/fetch', { token: other.key })).status).toBe(401)
})

test('one of two concurrent rotations succeeds, 10 times', async () => {
  for (let n = 0; n < 10; n += 1) {
    const { id } = await newKey(service, admin)
    const both = await Promise.all([rotate(id), rotate(id)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 404])
  }
})

test('404 — changing a key that is revoked, expired or unknown', async () => {
  const [revoked, expired] = [await newKey(service, admin), await newKey(service, admin)]
  await revoke(revoked.id)
  await service.sql('update service_key set expires_at = now() where id = $1', [expired.id])
  const unknown = { status: 404, code: 'service_key_unknown' }
  for (const answer of [
    await revoke(revoked.id),
    await rotate(revoked.id),
    await rotate(expired.id),
    await revoke('0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'),
  ])
    expect(problemOf(answer)).toEqual(unknown)
  expect((await revoke(expired.id)).status).toBe(204)
})

test('the audit log shows who created, rotated and revoked a key, with its permissions', async () => {
  const { id } = await newKey(service, admin, { permissions: { users: ['list'] } })
  const { body } = await rotate(id)
  await revoke(id)
  const events = await service.sql(
    `select action, actor_kind, actor_id, details from audit_event where target_id = $1 order by at, id`,
    [id],
  )
  const by = { actor_kind: 'account', actor_id: admin.id }
  expect(events).toMatchObject([
    { action: 'service_key.created', ...by, details: { permissions: ['users:list'] } },
    { action: 'service_key.rotated', ...by, details: { by: Object(body).id } },
    { action: 'service_key.revoked', ...by },
  ])
})
