import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations, pathOf } from '../../support/openapi.ts'
import { problemOf } from '../../support/problem.ts'
import { type Answer, type Person, type Service, serviceForTest } from '../../support/service.ts'
import { newClient, type SessionTokens, startIssuer, type TestClient } from '../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const path = '/console/session'
const methods = ['PUT', 'POST', 'DELETE'] as const

interface Sent {
  readonly cookie?: string
  /** The headers by which a browser says from which page a request comes. */
  readonly page?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** As the page of the console sends it, on the own machine. */
const ownPage = () => ({ origin: service.url, 'sec-fetch-site': 'same-origin' })
/** The same behind a proxy that takes https. */
const encryptedPage = () => ({ origin: service.url.replace('http:', 'https:'), 'sec-fetch-site': 'same-origin' })

function send(method: string, { cookie, page = ownPage(), body }: Sent = {}, client = newClient(service)) {
  const headers = { ...page, ...(cookie !== undefined && { cookie }) }
  return client.send(method, path, { headers, ...(body !== undefined && { body }) })
}

async function signedIn(): Promise<{ person: Person; client: TestClient } & SessionTokens> {
  const person = await service.person()
  const client = newClient(service)
  return { person, client, ...(await client.openSession(person)) }
}

/** A session whose refresh token is in the cookie, as a browser sends it back. */
async function opened(page = ownPage()) {
  const session = await signedIn()
  const answer = await send('PUT', { page, body: { refresh_token: session.refresh } })
  return { ...session, answer, cookie: cookieIn(answer), access: accessIn(answer) }
}

const setCookie = ({ headers }: Answer): string => String(headers['set-cookie'])
const cookieIn = (answer: Answer): string => setCookie(answer).split(';')[0] ?? ''
const accessIn = ({ body }: Answer): string => (body as { access_token: string }).access_token
const calls = async (token: string) => problemOf(await service.get('/api/v1/user/data', { token }))

const accessToken = { access_token: expect.stringMatching(/^ey/), token_type: 'Bearer', expires_in: 900 }
const localCookie =
  /^muster-session=mrt_[\w-]{43}; Max-Age=1209600; Path=\/console\/session; HttpOnly; SameSite=Strict$/
const encryptedCookie =
  /^__Host-muster-session=mrt_[\w-]{43}; Max-Age=1209600; Path=\/; Secure; HttpOnly; SameSite=Strict$/
const localRemoval = 'muster-session=; Max-Age=0; Path=/console/session; HttpOnly; SameSite=Strict'
const ended = { status: 401, code: 'session_ended' }

function refusal(status: number, code: string) {
  const instance = expect.stringMatching(/^urn:uuid:/)
  return { type: `/docs/problems.md#${code}`, title: expect.any(String), status, code, instance }
}

describe('PUT /console/session', () => {
  test('200 — exchanges the refresh token, and the next one is in the cookie alone', async () => {
    const { refresh, answer, cookie, access } = await opened()
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: accessToken })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(setCookie(answer)).toMatch(localCookie)
    expect(cookie).not.toContain(refresh)
    expect(answer.text).not.toContain('mrt_')
    expect(await calls(access)).toMatchObject({ status: 200 })
  })

  test('200 — over https the cookie is for this host alone and never sent unencrypted', async () => {
    const { answer } = await opened(encryptedPage())
    expect(setCookie(answer)).toMatch(encryptedCookie)
  })

  test('401 refresh_refused — for a token that no session has, and no cookie is set', async () => {
    const answer = await send('PUT', { body: { refresh_token: 'mrt_unknown' } })
    expect(answer.body).toEqual(refusal(401, 'refresh_refused'))
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('400 — without a token', async () => {
    expect(problemOf(await send('PUT', { body: {} }))).toEqual({ status: 400, code: 'input_invalid' })
    expect(problemOf(await send('PUT'))).toEqual({ status: 400, code: 'body_malformed' })
  })
})

describe('POST /console/session', () => {
  test.each([
    ['on the own machine', ownPage, localCookie],
    ['over https', encryptedPage, encryptedCookie],
  ])('200 — exchanges the token of the cookie and sets the cookie anew, %s', async (_where, page, form) => {
    const { cookie, person } = await opened(page())
    const answer = await send('POST', { page: page(), cookie: `a=b; ${cookie}; c=d` })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: accessToken })
    expect(setCookie(answer)).toMatch(form)
    expect(cookieIn(answer)).not.toBe(cookie)
    const { body } = await service.get('/auth/account', { token: accessIn(answer) })
    expect(body).toMatchObject({ email: person.email })
  })

  test('200 — an answer that was lost is given again, with the same next token', async () => {
    const { cookie } = await opened()
    const [first, second] = [await send('POST', { cookie }), await send('POST', { cookie })]
    expect(setCookie(second)).toBe(setCookie(first))
  })

  test('204 — without a cookie, and with the cookie of another name', async () => {
    const { cookie } = await opened()
    const others = [undefined, 'a=b', `x${cookie}`, cookie.replace('muster-session', '__Host-muster-session')]
    for (const other of others) {
      const answer = await send('POST', other === undefined ? {} : { cookie: other })
      expect([answer.status, answer.text, answer.headers['set-cookie']]).toEqual([204, '', undefined])
    }
    expect((await send('POST', { page: encryptedPage(), cookie })).status).toBe(204)
  })

  test('401 refresh_refused — and the cookie is removed', async () => {
    const answer = await send('POST', { cookie: 'muster-session=mrt_unknown' })
    expect(answer.body).toEqual(refusal(401, 'refresh_refused'))
    expect(setCookie(answer)).toBe(localRemoval)
    const encrypted = await send('POST', { page: encryptedPage(), cookie: '__Host-muster-session=mrt_unknown' })
    expect(setCookie(encrypted)).toBe('__Host-muster-session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict')
  })

  test('401 refresh_refused — a token that comes back after its successor was used ends the session', async () => {
    const { cookie: first } = await opened()
    const second = await send('POST', { cookie: first })
    const third = await send('POST', { cookie: cookieIn(second) })
    expect(await calls(accessIn(third))).toMatchObject({ status: 200 })
    expect(problemOf(await send('POST', { cookie: first }))).toEqual({ status: 401, code: 'refresh_refused' })
    expect(await calls(accessIn(third))).toEqual(ended)
    expect(problemOf(await send('POST', { cookie: cookieIn(third) }))).toEqual({ status: 401, code: 'refresh_refused' })
  })

  test('401 refresh_refused — the refresh token that the page had before is used up', async () => {
    const { refresh, cookie } = await opened()
    await send('POST', { cookie })
    expect(problemOf(await newClient(service).post('/auth/refresh', { refresh_token: refresh }))).toEqual({
      status: 401,
      code: 'refresh_refused',
    })
    expect((await send('POST', { cookie })).status).toBe(401)
  })

  test('429 rate_limited — guesses of one network, of whatever operation', async () => {
    const client = newClient(service)
    const guess = (n: number) => send(n % 2 ? 'POST' : 'DELETE', { cookie: `muster-session=mrt_guess${n}` }, client)
    for (let n = 0; n < 60; n += 1) expect((await guess(n)).status).toBe(n % 2 ? 401 : 204)
    for (const n of [60, 61]) expect(problemOf(await guess(n))).toEqual({ status: 429, code: 'rate_limited' })
  })
})

describe('DELETE /console/session', () => {
  test('204 — ends the session, removes the cookie and records it', async () => {
    const { cookie, access, person } = await opened()
    const answer = await send('DELETE', { cookie })
    expect([answer.status, answer.text, setCookie(answer)]).toEqual([204, '', localRemoval])
    expect(await calls(access)).toEqual(ended)
    expect(problemOf(await send('POST', { cookie }))).toEqual({ status: 401, code: 'refresh_refused' })
    const events = await service.sql(
      `select action, target_kind from audit_event where actor_id::text = $1 and action = 'session.ended'`,
      [person.id],
    )
    expect(events).toEqual([{ action: 'session.ended', target_kind: 'session' }])
  })

  test('204 — with a token whose successor the browser never got', async () => {
    const { cookie, access } = await opened()
    await send('POST', { cookie })
    expect((await send('DELETE', { cookie })).status).toBe(204)
    expect(await calls(access)).toEqual(ended)
  })

  test('204 — without a cookie, with an unknown one, and a second time', async () => {
    const { cookie } = await opened()
    await send('DELETE', { cookie })
    for (const sent of [{}, { cookie: 'muster-session=mrt_unknown' }, { cookie }]) {
      const answer = await send('DELETE', sent)
      expect([answer.status, answer.text, setCookie(answer)]).toEqual([204, '', localRemoval])
    }
  })
})

describe('403 origin_refused', () => {
  const foreign = 'https://evil.example'
  const pages = (): readonly Record<string, string>[] => [
    {},
    { origin: foreign },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { origin: '' },
    { origin: `${service.url}.evil.example` },
    { origin: `${service.url}/` },
    { origin: 'http://127.0.0.1:1' },
    { origin: foreign, 'sec-fetch-site': 'same-origin' },
    { origin: foreign, 'sec-fetch-site': 'cross-site' },
    { ...ownPage(), 'sec-fetch-site': 'cross-site' },
    { ...ownPage(), 'sec-fetch-site': 'same-site' },
    { ...ownPage(), 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': '' },
  ]

  test.each(methods)('%s — from another page, or from none: nothing is set, read or ended', async (method) => {
    const { cookie, access, person } = await opened()
    const { refresh } = await newClient(service).openSession(person)
    for (const page of pages()) {
      const answer = await send(method, { page, cookie, ...(method === 'PUT' && { body: { refresh_token: refresh } }) })
      expect(answer.body, JSON.stringify(page)).toEqual(refusal(403, 'origin_refused'))
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.text).not.toMatch(/ey\w|mrt_/)
    }
    expect(await calls(access)).toMatchObject({ status: 200 })
    expect((await send('POST', { cookie })).status).toBe(200)
    expect((await send('PUT', { body: { refresh_token: refresh } })).status).toBe(200)
  })

  test.each(methods)('never %s of the own page with one of the two headers', async (method) => {
    const { refresh } = await signedIn()
    for (const page of [{ origin: service.url }, { 'sec-fetch-site': 'same-origin' }]) {
      const { status } = await send(method, { page, ...(method === 'PUT' && { body: { refresh_token: refresh } }) })
      expect(status).toBe(method === 'PUT' ? 200 : 204)
    }
  })
})

describe('403 https_required', () => {
  const site = { 'sec-fetch-site': 'same-origin' }

  test.each(methods)('%s — of a page that came over plain http from another machine', async (method) => {
    const { refresh } = await signedIn()
    const pages = [
      { origin: 'http://muster.test', ...site },
      { origin: 'http://muster.test', host: 'muster.test' },
    ]
    for (const page of pages) {
      const answer = await send(method, { page, body: { refresh_token: refresh } })
      expect(answer.body).toEqual(refusal(403, 'https_required'))
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  test('never of the public address, where that is https: the Host is what the proxy makes it', async () => {
    const proxied = await startIssuer({ env: { MUSTER_PUBLIC_URL: 'https://muster.example' }, on: service.fresh })
    const pages = [{ origin: 'https://muster.example' }, { host: 'muster.example', ...site }]
    try {
      for (const page of pages) {
        const answer = await send('DELETE', { page }, newClient(proxied))
        expect(setCookie(answer)).toMatch(/^__Host-muster-session=; Max-Age=0; Path=\/; Secure; /)
      }
      const plain = await send('DELETE', { page: { origin: 'http://muster.example' } }, newClient(proxied))
      expect(problemOf(plain)).toEqual({ status: 403, code: 'origin_refused' })
    } finally {
      await proxied.stop()
    }
  })
})

test('the cookie alone opens no other operation', async () => {
  const { cookie } = await opened()
  const both = `${cookie}; ${cookie.replace('muster-session', '__Host-muster-session')}`
  for (const operation of operations.filter(({ needsCaller }) => needsCaller)) {
    const headers = { ...ownPage(), cookie: both }
    const answer = await service.call(operation.method, pathOf(operation), { headers })
    expect(['token_missing', 'route_unknown'], operation.id).toContain(problemOf(answer).code)
  }
  const refreshed = await service.post('/auth/refresh', { headers: { ...ownPage(), cookie: both }, body: {} })
  expect(problemOf(refreshed)).toEqual({ status: 400, code: 'input_invalid' })
})

test('neither the log nor the database has the tokens', async () => {
  const { cookie, access, refresh } = await opened()
  const next = await send('POST', { cookie })
  await send('DELETE', { cookie: cookieIn(next) })
  const [stored] = await service.sql<{ all: string }>(`select string_agg(t::text, ' ') as all from refresh_token t`)
  const tokens = [cookie, cookieIn(next)].map((text) => text.slice(text.indexOf('=') + 1))
  const logged = await service.logged()
  expect(logged).toContain(path)
  for (const token of [...tokens, access, accessIn(next), refresh]) {
    expect(logged).not.toContain(token)
    expect(stored?.all).not.toContain(token)
  }
})

test.each(['MUSTER_CONSOLE', 'MUSTER_BUILT_IN_ISSUER'])('404 — with %s=false', async (name) => {
  const without = await serviceForTest({ env: { [name]: 'false' } })
  for (const method of methods) {
    const answer = await without.call(method, path, { headers: { origin: without.url } })
    expect(problemOf(answer)).toEqual({ status: 404, code: 'route_unknown' })
  }
})
