import { expect } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { type Service, serviceForTest, testInProcess } from '../../support/service.ts'

const twoWrites = () => serviceForTest({ env: { MUSTER_WRITES_PER_MINUTE: '2' } })

function create(service: Service, token: string) {
  return service.post('/api/v1/orgs', { token, body: { name: 'An organization' } })
}

testInProcess(
  '429 — the writes of a caller have a limit, are not carried out beyond it, and go on after a minute',
  async () => {
    const service = await twoWrites()
    const { token } = await service.person({ role: 'admin' })
    const [first, last] = [await create(service, token), await create(service, token)]
    expect([first.status, last.status]).toEqual([201, 201])
    expect(last.headers).toMatchObject({
      'ratelimit-policy': '"writes";q=2;w=60',
      ratelimit: expect.stringMatching(/;r=0;/),
    })
    const over = await create(service, token)
    expect(problemOf(over)).toEqual({ status: 429, code: 'rate_limited' })
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
    expect(await service.sql('select from organization')).toHaveLength(2)
    service.clock.advanceSeconds(61)
    expect((await create(service, token)).status).toBe(201)
  },
)

testInProcess('the writes of one caller cost nobody else any, and its own reads and key checks neither', async () => {
  const service = await twoWrites()
  const [busy, other] = [await service.person({ role: 'admin' }), await service.person({ role: 'admin' })]
  for (let n = 0; n < 3; n += 1) await create(service, busy.token)
  expect((await create(service, other.token)).status).toBe(201)
  expect((await service.get('/api/v1/user/data', { token: busy.token })).status).toBe(200)
  const check = { apiKey: 'x', keyType: 'no_such_type' }
  const { status } = await service.post('/api/v1/provider/keys/validate', { token: busy.token, body: check })
  expect(status).toBe(400)
})
