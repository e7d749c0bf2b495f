import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { type Service, serviceForTest, startService, testInProcess } from '../../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const documents = ['/openapi.json', '/docs/reference.js', '/docs/problems.md', '/api/v1/providers']

async function read(path: string, headers: Record<string, string> = {}, { url } = service) {
  const { statusCode: status, headers: received, body } = await request(`${url}${path}`, { headers })
  return { status, headers: received, bytes: Buffer.from(await body.arrayBuffer()) }
}

test.each(documents)(
  '%s is compressed if the client accepts it, and returns 304 if the client already has it',
  async (path) => {
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
      const etag = String(answer.headers.etag)
      for (const sent of [etag, `W/${etag}`, `${etag.slice(0, -1)}-gzip"`]) {
        const again = await read(path, { ...coding, 'if-none-match': sent })
        expect(again).toMatchObject({ status: 304, headers: { etag } })
        expect(again.bytes).toHaveLength(0)
      }
    }
    expect((await read(path, { 'if-none-match': String(zipped.headers.etag) })).status).toBe(200)
  },
)

// Runs in this process, whose worker threads the test keeps busy.
testInProcess('who takes no compression does not wait for that of others', async () => {
  const fresh = await serviceForTest()
  const release = blockThreads()
  try {
    const zipped = read('/openapi.json', { 'accept-encoding': 'br' }, fresh)
    const plain = await read('/openapi.json', {}, fresh)
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined])
    release()
    expect((await zipped).headers['content-encoding']).toBe('br')
  } finally {
    release()
  }
})

/** Blocks all worker threads of libuv, by opening pipes without a writer, until it is released. */
function blockThreads(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pipe-'))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const readers = Array.from({ length: 64 }, () => open(pipe, 'r').then((file) => file.close()))
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    const end = openSync(pipe, 'r+')
    Promise.all(readers).finally(() => {
      closeSync(end)
      rmSync(folder, { recursive: true })
    })
  }
}

testInProcess('500 — a file that could not be read is read for the next reader', async () => {
  const guideFolder = mkdtempSync(join(tmpdir(), 'muster-guide-'))
  onTestFinished(() => rmSync(guideFolder, { recursive: true }))
  const page = join(guideFolder, 'start.html')
  writeFileSync(page, '')
  const other = await serviceForTest({ guideFolder })
  rmSync(page)
  expect(problemOf(await other.get('/docs/guide/start'))).toEqual({ status: 500, code: 'internal_error' })
  writeFileSync(page, '<!DOCTYPE html>')
  expect(await other.get('/docs/guide/start')).toMatchObject({ status: 200, text: '<!DOCTYPE html>' })
})

test('429 — public operations have a limit per network, and probes have none', async () => {
  const few = await serviceForTest({ env: { MUSTER_READS_PER_MINUTE: '5', MUSTER_TRUSTED_PROXIES: '127.0.0.1' } })
  const from = (address: string, path: string) => few.get(path, { headers: { 'x-forwarded-for': address } })
  const paths = ['/openapi.json', '/docs', '/docs/problems.md', '/api/v1/providers', '/.well-known/jwks.json']
  for (const path of paths) expect((await from('192.0.2.1', path)).status, path).toBe(200)
  for (const path of [...paths, '/.well-known/openid-configuration', '/docs/reference.js'])
    expect(problemOf(await from('192.0.2.1', path)), path).toEqual({ status: 429, code: 'rate_limited' })
  expect((await from('192.0.2.2', '/docs')).status).toBe(200)
  for (let call = 0; call < 10; call += 1) expect((await from('192.0.2.1', '/readyz')).status).toBe(200)
})
