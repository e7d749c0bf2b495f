import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchExpiry } from '../../src/service-keys/expiry.ts'
import { findActingServiceKeys, findServiceKeys } from '../../src/service-keys/service-keys.ts'
import { type Person, type Service, serviceForTest, startService } from '../support/service.ts'
import { keysPath, newKey } from '../support/service-keys.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
})
afterAll(() => service.stop())

const rotate = (id: string) => service.post(`${keysPath}/${id}/rotate`, { token: admin.token, body: {} })
const revoke = (id: string) => service.call('DELETE', `${keysPath}/${id}`, { token: admin.token })

test('a name finds only the current key, not a rotated or revoked one', async () => {
  const { id } = await newKey(service, admin)
  const [{ name } = { name: '' }] = await service.sql<{ name: string }>('select name from service_key where id = $1', [
    id,
  ])
  const { body } = await rotate(id)
  const newer = String(Object(body).id)
  expect(await findServiceKeys(service.database, { name })).toEqual([{ id: newer }])
  expect(await findServiceKeys(service.database, { id })).toEqual([{ id }])
  await revoke(newer)
  expect(await findServiceKeys(service.database, { name })).toEqual([])
})

test('finds the events of a key by its id in any case, by its name also after its end, and by its text', async () => {
  const { id, key } = await newKey(service, admin)
  const [{ name } = { name: '' }] = await service.sql<{ name: string }>('select name from service_key where id = $1', [
    id,
  ])
  await revoke(id)
  for (const which of [id, ` ${id.toUpperCase()} `, name, key])
    expect(await findActingServiceKeys(service.database, which), which).toEqual([{ id }])
  expect(await findActingServiceKeys(service.database, 'another')).toEqual([])
})

test('logs and counts keys that expire within 14 days, unless they were rotated', async () => {
  const token = 'only-for-the-scraper'
  const alone = await serviceForTest({ env: { MUSTER_METRICS_TOKEN: token } })
  const root = await alone.person({ role: 'admin' })
  const soon = await newKey(alone, root, { expiresInDays: 13 })
  const [rotated, revoked] = [
    await newKey(alone, root, { expiresInDays: 13 }),
    await newKey(alone, root, { expiresInDays: 13 }),
  ]
  await newKey(alone, root, { expiresInDays: 15 })
  await alone.sql('update service_key set rotated_at = now() where id = $1', [rotated.id])
  await alone.sql('update service_key set revoked_at = now() where id = $1', [revoked.id])
  expect((await alone.get('/metrics', { token })).text).toMatch(/^muster_service_keys_expiring 1$/m)
  const warned: unknown[] = []
  const watch = watchExpiry(alone.database, { warn: (facts: unknown) => void warned.push(facts) })
  await watch.stop()
  expect(warned).toMatchObject([{ keys: [{ id: soon.id }] }])
})
