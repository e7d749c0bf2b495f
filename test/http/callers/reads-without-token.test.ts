import { expect, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { serviceForTest } from '../../support/service.ts'

test('429: limits reads without a token per network, without affecting other networks', async () => {
  const service = await serviceForTest({
    env: { MUSTER_READS_PER_MINUTE: '2', MUSTER_TRUSTED_PROXIES: '127.0.0.1' },
  })
  const read = (address: string) => service.get('/api/v1/providers', { headers: { 'x-forwarded-for': address } })
  const [busy, other] = ['192.0.2.1', '198.51.100.1']
  expect([(await read(busy)).status, (await read(busy)).status]).toEqual([200, 200])
  expect(problemOf(await read(busy))).toEqual({ status: 429, code: 'rate_limited' })
  expect((await read(other)).status).toBe(200)
})
