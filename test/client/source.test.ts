import { expect, test, vi } from 'vitest'
import { createMuster, isProblem, type Muster, type TokenSource, unwrap } from '../../client/src/index.ts'
import { serviceForTest, testInProcess } from '../support/service.ts'

testInProcess('calls at once with an expired token renew it once, and all of them succeed', async () => {
  const service = await serviceForTest()
  const person = await service.person()
  const expired = person.token
  service.clock.advanceSeconds(1_000)
  let current = expired
  const renew = vi.fn(async () => {
    current = await service.tokenFor(person.id)
    return current
  })
  const muster = createMuster({ baseUrl: service.url, source: { read: () => current, renew } })
  await Promise.all([userData(muster), userData(muster), userData(muster)])
  expect(renew.mock.calls).toEqual([[expired]])
})

test.each(['token_expired', 'token_invalid'])('a call refused with %s is sent again with its body', async (code) => {
  const { muster, source, sent } = clientOf({ refusal: () => code })
  const answer = await muster.POST('/api/v1/orgs', { body: { name: 'Lovelace' } })
  expect(answer.data).toEqual({ orgId: 'one' })
  expect(source.renew).toHaveBeenCalledTimes(1)
  expect(sent).toEqual([
    ['Bearer old', '{"name":"Lovelace"}'],
    ['Bearer new', '{"name":"Lovelace"}'],
  ])
})

test('a renewed token that is refused as well is not renewed again', async () => {
  const { muster, source, sent } = clientOf({ refusal: () => 'token_expired', isGood: () => false })
  await expect(userData(muster)).rejects.toSatisfy((error) => isProblem(error, 'token_expired'))
  expect(source.renew).toHaveBeenCalledTimes(1)
  expect(sent).toHaveLength(2)
})

test.each(['session_ended', 'permission_missing', 'step_up_required'])('%s renews nothing', async (code) => {
  const { muster, source } = clientOf({ refusal: () => code })
  await expect(userData(muster)).rejects.toMatchObject({ problem: { code } })
  expect(source.renew).not.toHaveBeenCalled()
})

test('a session that has ended leaves the refusal as the answer', async () => {
  const { muster, sent } = clientOf({ refusal: () => 'token_expired', renew: async () => undefined })
  await expect(userData(muster)).rejects.toSatisfy((error) => isProblem(error, 'token_expired'))
  expect(sent).toHaveLength(1)
})

test('a renewal that fails is thrown, and the next call renews again', async () => {
  const renew = vi.fn(async (): Promise<string | undefined> => 'new')
  renew.mockRejectedValueOnce(new TypeError('fetch failed'))
  const { muster } = clientOf({ refusal: () => 'token_expired', renew })
  await expect(userData(muster)).rejects.toThrow('fetch failed')
  expect(await userData(muster)).toEqual({ orgId: 'one' })
})

test('a call that is refused after the renewal of another takes its token', async () => {
  let current = 'old'
  const renew = vi.fn(async () => {
    current = 'new'
    return current
  })
  let arrive = () => {}
  const late = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const muster = createMuster({
    baseUrl,
    source: { read: () => current, renew },
    fetch: async (request) => {
      if (request.headers.get('Authorization') === 'Bearer new') return Response.json({ orgId: 'one' })
      if (request.url.endsWith('/api/v1/orgs')) await late
      return refusal('token_expired')
    },
  })
  const second = muster.GET('/api/v1/orgs')
  await userData(muster)
  arrive()
  expect((await second).response.status).toBe(200)
  expect(renew).toHaveBeenCalledTimes(1)
})

test('without a token a call has no authorization, and nothing is renewed', async () => {
  const { muster, source, sent } = clientOf({ read: () => undefined, isGood: () => true })
  await userData(muster)
  expect(sent).toEqual([[null, '']])
  expect(source.renew).not.toHaveBeenCalled()
})

const baseUrl = 'http://muster.test'

interface Given extends Partial<TokenSource> {
  readonly refusal?: () => string
  readonly isGood?: (authorization: string | null) => boolean
}

/** A client whose service accepts the token "new" alone. */
function clientOf({ refusal: code = () => 'token_expired', isGood, read, renew }: Given) {
  const source = { read: vi.fn(read ?? (() => 'old')), renew: vi.fn(renew ?? (async () => 'new')) }
  const sent: [string | null, string][] = []
  const muster = createMuster({
    baseUrl,
    source,
    fetch: async (request) => {
      const authorization = request.headers.get('Authorization')
      sent.push([authorization, await request.text()])
      const accepts = isGood ?? ((header: string | null) => header === 'Bearer new')
      return accepts(authorization) ? Response.json({ orgId: 'one' }) : refusal(code())
    },
  })
  return { muster, source, sent }
}

function refusal(code: string): Response {
  const headers = { 'Content-Type': 'application/problem+json' }
  return new Response(JSON.stringify({ code, status: 401 }), { status: 401, headers })
}

function userData(muster: Muster) {
  return unwrap(muster.GET('/api/v1/user/data'))
}
