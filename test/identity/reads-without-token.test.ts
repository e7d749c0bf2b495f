import { expect, vi } from 'vitest'
import { problemOf } from '../support/problem.ts'
import { serviceForTest, testInProcess } from '../support/service.ts'

testInProcess('429 — reads without a token have a limit for each network, and cost no other network any', async () => {
  const service = await serviceForTest({
    env: { MUSTER_READS_PER_MINUTE: '2', MUSTER_TRUSTED_PROXIES: '127.0.0.1' },
  })
  const read = (address: string) => service.get('/api/v1/providers', { headers: { 'x-forwarded-for': address } })
  const [busy, other] = ['192.0.2.1', '198.51.100.1']
  expect([(await read(busy)).status, (await read(busy)).status]).toEqual([200, 200])
  expect(problemOf(await read(busy))).toEqual({ status: 429, code: 'rate_limited' })
  expect((await read(other)).status).toBe(200)
})

testInProcess('a read waits for no invalidation, and a write waits before it is answered', async () => {
  const service = await serviceForTest()
  const { token } = await service.person({ role: 'admin' })
  const settled = vi.spyOn(service.parts.invalidation, 'settled')
  expect((await service.get('/api/v1/user/data', { token })).status).toBe(200)
  expect(settled).not.toHaveBeenCalled()
  expect((await service.post('/api/v1/orgs', { token, body: { name: 'Engines' } })).status).toBe(201)
  expect(settled).toHaveBeenCalledOnce()
})
