import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ConsoleFolder, makeConsoleFolder } from '../../support/console-folder.ts'
import { problemOf } from '../../support/problem.ts'
import { type Service, serviceForTest, startService } from '../../support/service.ts'

const html = `<!doctype html>\n<html lang="en"><script type="module" src="/console/assets/index-a1B2.js"></script></html>\n`
const script = `import{a}from"./other.js";${'console.log("Muster");'.repeat(100)}\n`
const contents: Readonly<Record<string, { readonly bytes: string | Buffer; readonly type: string }>> = {
  'index-a1B2.js': { bytes: script, type: 'text/javascript; charset=utf-8' },
  'index-c3D4.css': { bytes: ':root{color:black}\n'.repeat(20), type: 'text/css; charset=utf-8' },
  'logo-e5F6.svg': { bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>\n'.repeat(10), type: 'image/svg+xml' },
  'logo-e5F6.png': { bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]), type: 'image/png' },
  'inter-g7H8.woff2': { bytes: Buffer.from([0x77, 0x4f, 0x46, 0x32, 0xff, 0x00]), type: 'font/woff2' },
  'data-i9J0.wasm': { bytes: Buffer.from([0x00, 0x61, 0x73, 0x6d]), type: 'application/octet-stream' },
}
const scriptPath = '/console/assets/index-a1B2.js'

let folder: ConsoleFolder
let service: Service
beforeAll(async () => {
  const assets = Object.entries(contents).map(([name, { bytes }]) => [`console/assets/${name}`, bytes])
  folder = makeConsoleFolder({
    ...Object.fromEntries(assets),
    'index.html': html,
    'console/secret.txt': 'secret',
    'console/assets/nested/inner.js': 'secret',
  })
  const env = { MUSTER_ALLOWED_ORIGINS: 'https://app.example.com' }
  service = await startService({ consoleFolder: folder.path, env })
})
afterAll(async () => {
  await service.stop()
  folder.remove()
})

async function read(path: string, headers: Record<string, string> = {}) {
  const { statusCode: status, headers: received, body } = await request(`${service.url}${path}`, { headers })
  return { status, headers: received, bytes: Buffer.from(await body.arrayBuffer()) }
}

describe('GET /', () => {
  test('200 — the page, which loads from this service only and is asked for anew', async () => {
    const { status, headers, text } = await service.get('/')
    expect({ status, text }).toEqual({ status: 200, text: html })
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; font-src 'self'; require-trusted-types-for 'script'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      etag: expect.stringMatching(/^"/),
    })
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('304 — to a reader who has the page', async () => {
    const etag = String((await service.get('/')).headers.etag)
    const { status, text, headers } = await service.get('/', { headers: { 'if-none-match': etag } })
    expect([status, text, headers.etag, headers['cache-control']]).toEqual([304, '', etag, 'no-cache'])
  })
})

describe('GET /console/assets/{file}', () => {
  test.each(Object.entries(contents))('200 — %s, as it was built, for ever', async (name, { bytes, type }) => {
    const { status, headers } = await service.get(`/console/assets/${name}`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    expect((await read(`/console/assets/${name}`)).bytes.equals(Buffer.from(bytes))).toBe(true)
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('Accept-Encoding: %s is answered in %s, and 304 for that coding alone', async (taken, coding) => {
    const answer = await read(scriptPath, { 'accept-encoding': taken })
    expect(answer.headers['content-encoding']).toBe(coding)
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? ''] ?? ((bytes: Buffer) => bytes)
    expect(decode(answer.bytes).toString()).toBe(script)
    const etag = String(answer.headers.etag)
    const again = await read(scriptPath, { 'accept-encoding': taken, 'if-none-match': etag })
    expect([again.status, again.bytes.length, again.headers['content-encoding']]).toEqual([304, 0, undefined])
    const other = await read(scriptPath, { 'accept-encoding': coding ? '' : 'br', 'if-none-match': etag })
    expect(other.status).toBe(200)
  })

  test('what compression makes no smaller is sent as it is', async () => {
    const { headers } = await read('/console/assets/inter-g7H8.woff2', { 'accept-encoding': 'br, gzip' })
    expect(headers['content-encoding']).toBeUndefined()
  })

  test.each([
    '/console/assets/..%2f..%2fpackage.json',
    '/console/assets/..%2fsecret.txt',
    '/console/assets/..%5csecret.txt',
    '/console/assets/%2e%2e%2fsecret.txt',
    '/console/assets/..',
    '/console/assets/nested',
    '/console/assets/nested%2finner.js',
    '/console/assets/nested/inner.js',
    '/console/assets/index-a1B2.js%00',
    '/console/assets/INDEX-a1B2.js',
    '/console/assets/__proto__',
    `/console/assets/${'x'.repeat(4_000)}`,
    '/console/assets/',
    '/console/secret.txt',
    '/console/index.html',
    '/index.html',
  ])('404 — %s is none of the files', async (path) => {
    expect(problemOf(await service.get(path))).toEqual({ status: 404, code: 'route_unknown' })
  })
})

test('no page of another origin reads the files or the session', async () => {
  const headers = { origin: 'https://app.example.com' }
  for (const path of [scriptPath, '/console/session'])
    expect(await service.get(path, { headers })).not.toHaveProperty('headers.access-control-allow-origin')
})

test('404 — without the built console, which leaves its session, and with MUSTER_CONSOLE=false', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'muster-console-'))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  const unbuilt = await serviceForTest({ consoleFolder: empty })
  const off = await serviceForTest({ consoleFolder: folder.path, env: { MUSTER_CONSOLE: 'false' } })
  for (const path of ['/', scriptPath])
    for (const other of [unbuilt, off])
      expect(problemOf(await other.get(path)), path).toEqual({ status: 404, code: 'route_unknown' })
  const headers = { origin: unbuilt.url }
  expect((await unbuilt.post('/console/session', { headers })).status).toBe(204)
})
