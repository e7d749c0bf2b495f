import { describe, expect, test } from 'vitest'
import { takeDatabaseAway } from '../support/database-away.ts'
import { problemOf } from '../support/problem.ts'
import { serviceForTest } from '../support/service.ts'

describe('while the database is down', () => {
  test('503 with Retry-After for every operation that needs it; never an empty response or a 401', async () => {
    const service = await serviceForTest()
    const admin = await service.person({ role: 'admin' })
    await service.get('/api/v1/user/data', { token: admin.token })
    const { back } = await takeDatabaseAway(service)
    // Cached responses are served until this node notices that it receives no notifications.
    await expect.poll(async () => (await service.get('/api/v1/user/data', { token: admin.token })).status).toBe(503)

    for (const [method, path, body] of [
      ['GET', '/api/v1/user/data', undefined],
      ['GET', '/api/v1/admin/users/fetch', undefined],
      ['GET', '/api/v1/admin/users/fetch?limit=10', undefined],
      ['POST', '/api/v1/provider/keys/validate', { apiKey: 'x', keyType: 'api_token' }],
      ['POST', '/auth/sign-in', { email: admin.email, password: admin.password }],
      ['GET', '/readyz', undefined],
    ] as const) {
      const answer = await service.call(method, path, { token: admin.token, ...(body && { body }) })
      expect(problemOf(answer), path).toEqual({ status: 503, code: 'database_unavailable' })
      expect(Number(answer.headers['retry-after']), path).toBeGreaterThan(0)
      expect(answer.text, path).not.toMatch(/users"|select|postgres|ECONN/i)
    }
    expect((await service.get('/livez')).status).toBe(200)
    expect((await service.get('/readyz')).body).toMatchObject({ detail: 'The database is in the state refused.' })
    await back()

    // No restart: the health check reconnects.
    await expect.poll(async () => (await service.get('/readyz')).status).toBe(200)
    expect((await service.get('/api/v1/user/data', { token: admin.token })).status).toBe(200)
    expect((await service.get('/api/v1/admin/users/fetch', { token: admin.token })).status).toBe(200)

    // A failed request logs one line without a stack.
    const lines = (await service.logged())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const failed = lines.filter(({ msg }) => msg === 'request failed')
    expect(failed[0]).toMatchObject({ problem: 'database_unavailable', cause: { code: expect.any(String) } })
    expect(JSON.stringify(failed)).not.toContain('"stack"')
  })

  test('503 for requests interrupted midway; the process keeps running and sends no response twice', async () => {
    const service = await serviceForTest()
    const { token } = await service.person()
    const calls = Promise.all(Array.from({ length: 40 }, () => service.get('/api/v1/user/data', { token })))
    const { back } = await takeDatabaseAway(service)
    const answers = await calls
    await back()
    for (const { status } of answers) expect([200, 503]).toContain(status)
    await expect.poll(async () => (await service.get('/api/v1/user/data', { token })).status).toBe(200)
  })
})

test('readyz is 503 while the service drains, so that load balancers choose other nodes; livez stays 200', async () => {
  const service = await serviceForTest()
  expect((await service.get('/readyz')).body).toEqual({ status: 'ok' })
  service.drain()
  expect(problemOf(await service.get('/readyz'))).toEqual({ status: 503, code: 'shutting_down' })
  expect((await service.get('/livez')).body).toEqual({ status: 'ok' })
})
