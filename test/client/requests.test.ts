import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createMuster,
  isProblem,
  type Muster,
  type ProblemCode,
  UnexpectedAnswerError,
  unwrap,
} from '../../client/src/index.ts'
import { serviceForTest } from '../support/service.ts'

const baseUrl = 'http://muster.test'
const token = () => 'token'

test('an answer that has not changed is sent once, and comes from memory until it changes', async () => {
  const service = await serviceForTest()
  const person = await service.person()
  const statuses: number[] = []
  const muster = createMuster({
    baseUrl: service.url,
    token: () => person.token,
    fetch: async (request) => {
      const response = await fetch(request)
      statuses.push(response.status)
      return response
    },
  })
  const first = await userData(muster)
  expect(await userData(muster)).toEqual(first)
  const other = await service.person()
  const same = await unwrap(muster.GET('/api/v1/user/data', { headers: { Authorization: `Bearer ${other.token}` } }))
  expect(same).toBeDefined()
  await service.sql(`update account set role_id = 'admin' where id = $1`, [person.id])
  expect((await userData(muster)).permissions).toHaveProperty('users')
  expect(statuses).toEqual([200, 304, expect.any(Number), 200])
})

describe('a request is sent again only where that is safe', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([503, 429])('a GET after %i, not before the time of Retry-After', async (status) => {
    const sentAt: number[] = []
    const send = async () => {
      sentAt.push(performance.now())
      return sentAt.length === 1
        ? refusal('rate_limited', status, { 'Retry-After': '1' })
        : Response.json({ orgId: 'one' })
    }
    expect(await userData(createMuster({ baseUrl, token, fetch: send }))).toEqual({ orgId: 'one' })
    const [first = 0, second = 0, ...more] = sentAt
    // A timer may end up to a millisecond early.
    expect(second - first).toBeGreaterThan(998)
    expect(more).toEqual([])
  })

  test('a GET after a lost connection, three times at most', async () => {
    vi.useFakeTimers()
    const send = vi.fn(async () => Promise.reject(new TypeError('fetch failed')))
    const data = expect(userData(createMuster({ baseUrl, token, fetch: send }))).rejects.toThrow('fetch failed')
    await vi.advanceTimersByTimeAsync(60_000)
    await data
    expect(send).toHaveBeenCalledTimes(3)
  })

  test('not a GET whose Retry-After is longer than a caller waits', async () => {
    const send = vi.fn(async () => refusal('rate_limited', 429, { 'Retry-After': '60' }))
    const { error, response } = await createMuster({ baseUrl, token, fetch: send }).GET('/api/v1/user/data')
    expect([error?.code, response.headers.get('Retry-After')]).toEqual(['rate_limited', '60'])
    expect(send).toHaveBeenCalledTimes(1)
  })

  test('not a POST, whatever the answer', async () => {
    const send = vi.fn(async () => refusal('overloaded', 503, { 'Retry-After': '1' }))
    const muster = createMuster({ baseUrl, token, fetch: send })
    const { error } = await muster.POST('/api/v1/provider/keys/validate', {
      body: { apiKey: 'x', keyType: 'api_token' },
    })
    expect(error?.code).toBe('overloaded')
    send.mockRejectedValueOnce(new TypeError('fetch failed'))
    await expect(muster.POST('/auth/refresh', { body: { refresh_token: 'x' } })).rejects.toThrow('fetch failed')
    expect(send).toHaveBeenCalledTimes(2)
  })

  test('an aborted call waits for no Retry-After', async () => {
    const controller = new AbortController()
    const send = vi.fn(async () => {
      queueMicrotask(() => controller.abort())
      return refusal('overloaded', 503, { 'Retry-After': '9' })
    })
    const call = createMuster({ baseUrl, token, fetch: send }).GET('/api/v1/user/data', { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(send).toHaveBeenCalledTimes(1)
  })
})

test('an answer that is no problem of the service is thrown, and never typed as one', async () => {
  const fetch = async () =>
    new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } })
  const call = createMuster({ baseUrl, token, fetch }).GET('/api/v1/user/data')
  await expect(call).rejects.toBeInstanceOf(UnexpectedAnswerError)
})

test('a problem is a union by its code: the compiler narrows it', async () => {
  const fetch = async () => refusal('token_missing', 401)
  const muster = createMuster({ baseUrl, fetch })
  const { data, error } = await muster.GET('/api/v1/admin/users/fetch')
  // The list is JSON, and not a text.
  data satisfies { users: { id: string; email?: string }[] } | undefined
  expect(error?.code).toBe('token_missing')
  const thrown = await unwrap(muster.GET('/api/v1/user/data')).catch((error: unknown) => error)
  expect(isProblem(thrown, 'token_missing') && (thrown.problem.code satisfies 'token_missing')).toBe('token_missing')
})

function userData(muster: Muster) {
  return unwrap(muster.GET('/api/v1/user/data'))
}

function refusal(code: ProblemCode, status: number, headers: Record<string, string> = {}): Response {
  const type = { 'Content-Type': 'application/problem+json; charset=utf-8' }
  return new Response(JSON.stringify({ code, status, title: 'Refused.' }), { status, headers: { ...type, ...headers } })
}
