import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  createMuster,
  isProblem,
  type Muster,
  memoryStore,
  type SessionTokens,
  type TokenStore,
  unwrap,
} from '../../client/src/index.ts'
import { type Service, startService, testInProcess } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ env: { MUSTER_SIGN_INS_PER_MINUTE: '1000000' } })
})
afterAll(() => service.stop())

testInProcess('calls at once with an expired token refresh it once, and all of them succeed', async () => {
  const { store, expire } = await signedIn()
  const { muster, sent } = clientOf(store)
  expire()
  await Promise.all([userData(muster), userData(muster), validate(muster)])
  expect(sent('/auth/refresh')).toBe(1)
  expect(sent('/api/v1/user/data')).toBe(4)
})

testInProcess('pages with Web Locks refresh their common session once', async () => {
  let last: Promise<unknown> = Promise.resolve()
  const request = (_: string, work: () => Promise<unknown>) => {
    last = last.then(work)
    return last
  }
  vi.stubGlobal('navigator', { locks: { request } })
  try {
    const { store, expire } = await signedIn()
    const [one, two] = [clientOf(store), clientOf(store)]
    expire()
    await Promise.all([userData(one.muster), userData(two.muster)])
    expect(one.sent('/auth/refresh') + two.sent('/auth/refresh')).toBe(1)
  } finally {
    vi.unstubAllGlobals()
  }
})

testInProcess('pages without Web Locks that refresh at the same time keep their common session', async () => {
  const { store, expire } = await signedIn()
  const [one, two] = [clientOf(store), clientOf(store)]
  for (let round = 0; round < 2; round += 1) {
    expire()
    await Promise.all([userData(one.muster), userData(two.muster)])
  }
})

testInProcess('an answer to a refresh that is lost keeps the session', async () => {
  const { store, expire } = await signedIn()
  let lost = 0
  const { muster, sent } = clientOf(store, async (request) => {
    const response = await fetch(request)
    if (!request.url.endsWith('/auth/refresh') || lost++ > 0) return response
    throw new TypeError('fetch failed')
  })
  expire()
  await userData(muster)
  expect(sent('/auth/refresh')).toBe(2)
  expire()
  await userData(muster)
})

testInProcess('a refresh that fails leaves the session as it is, and the next call refreshes it', async () => {
  const { store, expire } = await signedIn()
  const before = await store.read()
  let isDown = true
  const { muster } = clientOf(store, async (request) => {
    if (isDown && request.url.endsWith('/auth/refresh')) throw new TypeError('fetch failed')
    return fetch(request)
  })
  expire()
  await expect(userData(muster)).rejects.toThrow('fetch failed')
  expect(await store.read()).toEqual(before)
  isDown = false
  await userData(muster)
})

testInProcess('a session that has ended is removed from the store, and the call is refused', async () => {
  const { store, expire, id } = await signedIn()
  const { muster, sent } = clientOf(store)
  await service.sql('delete from session where account_id = $1', [id])
  expire()
  await expect(userData(muster)).rejects.toSatisfy((error) => isProblem(error, 'token_expired', 'session_ended'))
  expect(sent('/api/v1/user/data')).toBe(1)
  expect(await store.read()).toBeUndefined()
})

testInProcess('a sign-in during a refresh is not overwritten by it', async () => {
  const { store, expire } = await signedIn()
  const other = await signedIn()
  const tokens = await other.store.read()
  const { muster } = clientOf(store, async (request) => {
    const response = await fetch(request)
    if (request.url.endsWith('/auth/refresh')) await store.write(tokens)
    return response
  })
  expire()
  // The tokens of the sign-in have expired as well here.
  await expect(userData(muster)).rejects.toSatisfy((error) => isProblem(error, 'token_expired'))
  expect(await store.read()).toEqual(tokens)
})

test('an aborted call waits no longer for the refresh, which goes on for the others', async () => {
  const tokens = { access_token: 'old', refresh_token: 'first' }
  const store = memoryStore(tokens)
  const refreshed = resolvers<Response>()
  const muster = createMuster({
    baseUrl: 'http://muster.test',
    session: store,
    fetch: async (request) => {
      if (request.url.endsWith('/auth/refresh')) return refreshed.promise
      return request.headers.get('Authorization') === 'Bearer new' ? Response.json({ orgId: 'one' }) : expired()
    },
  })
  const controller = new AbortController()
  const [aborted, other] = [userData(muster, controller.signal), userData(muster)]
  controller.abort()
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  refreshed.resolve(Response.json({ access_token: 'new', refresh_token: 'second' }))
  expect(await other).toMatchObject({ orgId: 'one' })
  expect(await store.read()).toEqual({ access_token: 'new', refresh_token: 'second' })
})

/** A session of a new person, and a function that lets its access token expire. */
async function signedIn(): Promise<{ store: TokenStore; id: string; expire: () => void }> {
  const person = { email: `person-${crypto.randomUUID()}@example.com`, password: 'correct horse battery' }
  const { id } = await service.person(person)
  const { body } = await service.post('/auth/sign-in', { body: person })
  const { access_token, refresh_token } = body as SessionTokens
  return { store: memoryStore({ access_token, refresh_token }), id, expire: () => service.clock.advanceSeconds(1_000) }
}

function clientOf(session: TokenStore, send: (request: Request) => Promise<Response> = fetch) {
  const paths: string[] = []
  const muster = createMuster({
    baseUrl: service.url,
    session,
    retries: { firstWaitMs: 1 },
    fetch: (request) => {
      paths.push(new URL(request.url).pathname)
      return send(request)
    },
  })
  return { muster, sent: (path: string) => paths.filter((each) => each === path).length }
}

function userData(muster: Muster, signal?: AbortSignal) {
  return unwrap(muster.GET('/api/v1/user/data', signal ? { signal } : {}))
}

/** A call with a body, which is sent again as it was: the service refuses the key by its form. */
async function validate(muster: Muster): Promise<void> {
  const { error } = await muster.POST('/api/v1/provider/keys/validate', {
    body: { apiKey: 'x', keyType: 'api_token', provider: 'none-of-them' },
  })
  expect(error?.code).toBe('provider_unsupported')
}

function expired(): Response {
  const headers = { 'Content-Type': 'application/problem+json' }
  return new Response(JSON.stringify({ code: 'token_expired', status: 401 }), { status: 401, headers })
}

function resolvers<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve }
}
