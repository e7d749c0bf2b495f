import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

describe('200', () => {
  test('a newcomer has the default plan, the first login, and nothing that does not exist', async () => {
    const { token } = await service.person()
    const { status, body, headers } = await service.get('/api/v1/user/data', { token })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      subscription: { plan_id: 'free', plan_name: 'Free', status: 'active' },
      permissions: { provider_keys: ['validate'] },
      isFirstLogin: true,
      mfaFactors: [],
    })
  })
})
