import { expect, inject, test } from 'vitest'
import { fuzzHttp } from '../../support/http-fuzz.ts'
import { serviceForTest } from '../../support/service.ts'

test('no request without a token causes a 5xx, an error in the log, or an error response that is not a problem', async () => {
  const service = await serviceForTest({
    // Some requests look like those of an untrusted proxy, which logs a warning.
    env: { MUSTER_TRUSTED_PROXIES: '127.0.0.1', MUSTER_READS_PER_MINUTE: '1000000', STRIPE_WEBHOOK_SECRET: 'whsec_x' },
  })
  const { statuses, faults } = await fuzzHttp(service.url, { seed: inject('propertySeed'), requests: 3_000 })
  expect(faults).toEqual([])
  for (const status of ['200', '400', '401', '404', '405', '408', '417', '501'])
    expect(Object.keys(statuses), JSON.stringify(statuses)).toContain(status)
  const lines = (await service.logged()).split('\n').filter((line) => line !== '')
  expect(lines.filter((line) => JSON.parse(line).level >= 40 || line.includes('"stack"'))).toEqual([])
  const open = () => new Promise<number>((resolve) => service.app.server.getConnections((_, count) => resolve(count)))
  await expect.poll(open).toBe(0)
  for (const path of ['/livez', '/readyz']) expect((await service.get(path)).status).toBe(200)
})
