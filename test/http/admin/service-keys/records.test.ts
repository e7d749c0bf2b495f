import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { holdRows } from '../../../support/blocked.ts'
import { type Person, type Service, startService, testInProcess } from '../../../support/service.ts'
import { keysPath, newKey } from '../../../support/service-keys.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
})
afterAll(() => service.stop())

const rotate = (id: string) => service.post(`${keysPath}/${id}/rotate`, { token: admin.token, body: {} })
const revoke = (id: string) => service.call('DELETE', `${keysPath}/${id}`, { token: admin.token })

async function eventsOf(id: string) {
  return service.sql<{ action: string; target_kind: string; details: Record<string, unknown> }>(
    'select action, target_kind, details from audit_event where target_id = $1 order by at, id',
    [id],
  )
}

test('400 — rejects a key for an unknown organization, and names the member', async () => {
  const orgId = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
  const body = { name: 'no organization', permissions: { users: ['list'] }, orgId }
  const answer = await service.post(keysPath, { token: admin.token, body })
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'input_invalid', errors: [{ pointer: '/orgId', detail: 'The organization does not exist.' }] },
  })
})

test('audit events name the service key as their target, and the organization of the key', async () => {
  const [org] = await service.sql<{ id: string }>(`insert into organization (name) values ('Engines') returning id`)
  const bound = await newKey(service, admin, { permissions: { users: ['list'] }, orgId: String(org?.id) })
  const free = await newKey(service, admin, { permissions: { users: ['list'] } })
  for (const { id } of [bound, free]) {
    expect((await rotate(id)).status).toBe(201)
    expect((await revoke(id)).status).toBe(204)
  }
  const facts = { name: expect.any(String), permissions: ['users:list'], expiresAt: expect.any(String) }
  const about = (details: object) => [
    { action: 'service_key.created', target_kind: 'service_key', details },
    {
      action: 'service_key.rotated',
      target_kind: 'service_key',
      details: { by: expect.any(String), endsAt: expect.any(String) },
    },
    { action: 'service_key.revoked', target_kind: 'service_key', details: {} },
  ]
  expect(await eventsOf(bound.id)).toEqual(about({ ...facts, organization: org?.id }))
  expect(await eventsOf(free.id)).toEqual(about(facts))
})

test('stores the first of concurrent uses', async () => {
  const { id, key } = await newKey(service, admin)
  const held = await holdRows(service.fresh, [
    [`update service_key set last_used_at = now(), last_used_network = 'first' where id = $1`, [id]],
  ])
  const use = service.get('/api/v1/admin/users/fetch', { token: key })
  await held.commitOnce(use)
  expect((await use).status).toBe(200)
  const used = await service.sql('select last_used_network as network from service_key where id = $1', [id])
  expect(used).toEqual([{ network: 'first' }])
})

testInProcess('a key that is used again within a quarter of an hour costs no write, and one later does', async () => {
  const { id, key } = await newKey(service, admin)
  const query = vi.spyOn(service.parts.database, 'query')
  const writesOfUse = async () => {
    query.mockClear()
    expect((await service.get('/api/v1/admin/users/fetch', { token: key })).status).toBe(200)
    return query.mock.calls.filter(([{ name }]) => name === 'service_key_used').length
  }
  expect(await writesOfUse()).toBe(1)
  expect(await writesOfUse()).toBe(0)
  await service.sql(`update service_key set last_used_at = now() - interval '14 minutes' where id = $1`, [id])
  expect(await writesOfUse()).toBe(0)
  await service.sql(`update service_key set last_used_at = now() - interval '16 minutes' where id = $1`, [id])
  expect(await writesOfUse()).toBe(1)
})
