import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { type Service, serviceForTest, startService } from '../../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const documents = ['/openapi.json', '/docs/reference.js', '/docs/problems.md', '/api/v1/providers']

async function read(path: string, headers: Record<string, string> = {}) {
  const { statusCode: status, headers: received, body } = await request(`${service.url}${path}`, { headers })
  return { status, headers: received, bytes: Buffer.from(await body.arrayBuffer()) }
}

test.each(documents)('%s is compressed where the reader takes that, and 304 to a reader who has it', async (path) => {
  const plain = await read(path)
  const zipped = await read(path, { 'accept-encoding': 'gzip' })
  const vary = expect.stringMatching(/(?:^|, )Accept-Encoding$/)
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary })
  expect(plain.headers).toMatchObject({
    vary,
    'cache-control': expect.stringMatching(/^public, max-age=\d+$/),
  })
  expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
  expect(zipped.headers.etag).not.toBe(plain.headers.etag)
  for (const [answer, coding] of [
    [plain, {}],
    [zipped, { 'accept-encoding': 'gzip' }],
  ] as const) {
    const again = await read(path, { ...coding, 'if-none-match': String(answer.headers.etag) })
    expect(again).toMatchObject({ status: 304, headers: { etag: answer.headers.etag } })
    expect(again.bytes).toHaveLength(0)
  }
  expect((await read(path, { 'if-none-match': String(zipped.headers.etag) })).status).toBe(200)
})

test('429 — what is public has a limit for each network, and probes have none', async () => {
  const few = await serviceForTest({ env: { MUSTER_READS_PER_MINUTE: '5', MUSTER_TRUSTED_PROXIES: '127.0.0.1' } })
  const from = (address: string, path: string) => few.get(path, { headers: { 'x-forwarded-for': address } })
  const paths = ['/openapi.json', '/docs', '/docs/problems.md', '/api/v1/providers', '/.well-known/jwks.json']
  for (const path of paths) expect((await from('192.0.2.1', path)).status, path).toBe(200)
  for (const path of [...paths, '/.well-known/openid-configuration', '/docs/reference.js'])
    expect(problemOf(await from('192.0.2.1', path)), path).toEqual({ status: 429, code: 'rate_limited' })
  expect((await from('192.0.2.2', '/docs')).status).toBe(200)
  for (let call = 0; call < 10; call += 1) expect((await from('192.0.2.1', '/readyz')).status).toBe(200)
})
