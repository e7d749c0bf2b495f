import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'
import { type Chromium, type StaticSite, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { type Service, startService } from '../support/service.ts'
import { listedOrigin, type PageAnswer, runInApp, serveApp, serviceOrigin, unlistedOrigin } from './app-page.ts'

const userData = '/api/v1/user/data'
const users = '/api/v1/admin/users/fetch'
const keyChecks = '/api/v1/provider/keys/validate'
const good = { apiKey: samples.userToken, keyType: 'api_token' }

describe.skipIf(isWithoutBrowser)('across origins, in Chromium,', () => {
  let simulator: CloudflareSimulator
  let service: Service
  let app: StaticSite
  let chromium: Chromium
  let admin: string
  let user: string
  beforeAll(async () => {
    simulator = await startCloudflareSimulator()
    service = await startService({
      env: {
        MUSTER_PUBLIC_URL: serviceOrigin,
        MUSTER_ALLOWED_ORIGINS: listedOrigin,
        MUSTER_CLOUDFLARE_URL: simulator.url,
        MUSTER_KEY_CHECKS_PER_MINUTE: '5',
      },
    })
    admin = (await service.person({ role: 'admin' })).token
    user = (await service.person()).token
    await service.person()
    app = await serveApp({
      '/client.js': await clientBundle(),
      '/client-page.js': readFileSync(new URL('client-page.js', import.meta.url), 'utf8'),
    })
    chromium = await startChromium({
      [serviceOrigin]: service.url,
      [listedOrigin]: app.url,
      [unlistedOrigin]: app.url,
    })
  })
  afterAll(async () => {
    await chromium?.close()
    await app?.close()
    await service?.stop()
    await simulator?.close()
  })

  async function openApp(origin: string, expected: readonly RegExp[] = []) {
    const page = await chromium.newPage({ expected })
    await page.goto(origin)
    return page
  }

  test('the client reads user data anew only where they have changed, all users by page and by stream, and the verdict on a key', async () => {
    const page = await openApp(listedOrigin, [/status of 401/])
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith(userData) && response.request().method() === 'GET') statuses.push(response.status())
    })
    const [first, second] = await runInApp<readonly unknown[]>(page, 'readTwice', user)
    expect(first).toMatchObject({ subscription: { status: 'active' } })
    expect(second).toEqual(first)
    expect(statuses).toEqual([200, 304])

    const ids = (await service.sql<{ id: string }>('select id from account order by id')).map(({ id }) => id)
    const listed = await runInApp<Record<'paged' | 'streamed', string[]>>(page, 'listUsers', admin)
    expect(ids).toHaveLength(3)
    expect(listed.paged.sort()).toEqual(ids)
    expect(listed.streamed.sort()).toEqual(ids)

    expect(await runInApp(page, 'checkKey', admin, good)).toMatchObject({ isValid: true })
    expect(await runInApp(page, 'readWithWrongToken')).toMatchObject({ status: 401, code: 'token_malformed' })
  })

  test('a page of an allowed origin can read the response headers, and the problem and headers of every rejection', async () => {
    const page = await openApp(
      listedOrigin,
      [400, 401, 403, 413, 429].map((status) => new RegExp(`status of ${status}`)),
    )
    const call = (method: string, path: string, more: object) => runInApp(page, 'call', method, path, more)

    const data = await call('GET', userData, { token: user })
    const anyEtag = expect.stringMatching(/^(W\/)?".+"$/)
    const limited = { ratelimit: expect.stringMatching(/;r=\d+/), 'ratelimit-policy': expect.stringMatching(/;q=\d+/) }
    expect(data.headers).toMatchObject({ ...limited, etag: anyEtag, 'x-request-id': expect.any(String) })
    const unchanged = await call('GET', userData, { token: user, headers: { 'If-None-Match': data.headers.etag } })
    expect(unchanged).toMatchObject({ status: 304, body: '' })
    const page1 = await call('GET', `${users}?limit=1&count=exact`, { token: admin })
    expect(page1.headers).toMatchObject({ 'total-count': '3', link: expect.stringContaining('rel="next"') })

    const tooMuch = { apiKey: 'x'.repeat(20_000), keyType: 'api_token' }
    const refusals = [
      [await call('GET', `${users}?limit=0`, { token: admin }), 400, 'input_invalid'],
      [await call('POST', keyChecks, { token: user, body: { keyType: 'api_token' } }), 400, 'input_invalid'],
      [await call('GET', userData, { token: 'a.b.c' }), 401, 'token_invalid'],
      [await call('GET', users, { token: user }), 403, 'permission_missing'],
      [await call('POST', keyChecks, { token: user, body: tooMuch }), 413, 'body_too_large'],
    ] as const
    for (const [answer, status, code] of refusals)
      expect(answer).toMatchObject({
        status,
        headers: { 'content-type': expect.stringContaining('application/problem+json') },
        body: { status, code },
      })
    expect(refusals[2][0].headers['www-authenticate']).toMatch(/^Bearer /)

    const over = await untilLimited(() => call('POST', keyChecks, { token: user, body: good }))
    expect(over).toMatchObject({ status: 429, headers: limited, body: { code: 'rate_limited' } })
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('a page of an origin that is not listed reads no answer and no refusal of the three operations', async () => {
    const page = await openApp(unlistedOrigin, [/blocked by CORS policy/, /ERR_FAILED/])
    const calls = [
      ['GET', userData, { token: user }],
      ['GET', users, { token: admin }],
      ['POST', keyChecks, { token: admin, body: good }],
      // No preflight: the browser sends these, and keeps the refusal from the page.
      ['GET', userData, {}],
      ['GET', users, {}],
      ['POST', keyChecks, {}],
    ] as const
    for (const [method, path, more] of calls)
      await expect(runInApp(page, 'call', method, path, more), `${method} ${path}`).rejects.toThrow('Failed to fetch')
    await expect(runInApp(page, 'readTwice', user)).rejects.toThrow('Failed to fetch')
  })
})

/** Calls until it is refused: a minute may begin anew in between. */
async function untilLimited(call: () => Promise<PageAnswer>): Promise<PageAnswer> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 200) return answer
  }
}

/** The client as one module for browsers. */
async function clientBundle(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../../client/src/index.ts', import.meta.url)),
    platform: 'browser',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return output[0].code
}
