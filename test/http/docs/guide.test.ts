import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { type Service, serviceForTest, startService } from '../../support/service.ts'

const page = (title: string) => `<!DOCTYPE html>\n<title>${title}</title>\n`
const files: Readonly<Record<string, string>> = {
  'index.html': page('Muster'),
  'start.html': page('Start'),
  'problems.html': page('Problems'),
  'decisions/mail.html': page('Mail'),
  '404.html': page('404'),
  'hashmap.json': '{"start.md":"a1B2"}',
  'files/compose-compose.yaml': 'services: {}\n',
  'files/compose-Caddyfile': 'muster.test\n',
  'assets/app.a1B2.js': 'import"./chunks/theme.c3D4.js";\n',
  'assets/style.e5F6.css': ':root{color:black}\n'.repeat(20),
  'assets/chunks/@localSearchIndexroot.c3D4.js': 'export default{}\n',
}
const html = 'text/html; charset=utf-8'

let folder: string
let service: Service
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-guide-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  service = await startService({ guideFolder: folder })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

describe('the documentation at /docs/guide', () => {
  test.each([
    ['/docs/guide', 'index.html', html],
    ['/docs/guide/', 'index.html', html],
    ['/docs/guide/start', 'start.html', html],
    ['/docs/guide/decisions/mail', 'decisions/mail.html', html],
    ['/docs/guide/hashmap.json', 'hashmap.json', 'application/json; charset=utf-8'],
    ['/docs/guide/files/compose-compose.yaml', 'files/compose-compose.yaml', 'text/plain; charset=utf-8'],
    ['/docs/guide/files/compose-Caddyfile', 'files/compose-Caddyfile', 'text/plain; charset=utf-8'],
  ])('200 — %s, revalidated each time', async (path, file, type) => {
    const { status, headers, text } = await service.get(path)
    expect({ status, text }).toEqual({ status: 200, text: files[file] })
    expect(headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache' })
    const again = await service.get(path, { headers: { 'if-none-match': String(headers.etag) } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test.each([
    ['assets/app.a1B2.js', 'text/javascript; charset=utf-8'],
    ['assets/style.e5F6.css', 'text/css; charset=utf-8'],
    ['assets/chunks/@localSearchIndexroot.c3D4.js', 'text/javascript; charset=utf-8'],
  ])('200 — %s, cached forever', async (file, type) => {
    const { status, headers, text } = await service.get(`/docs/guide/${file}`)
    expect({ status, text }).toEqual({ status: 200, text: files[file] })
    expect(headers).toMatchObject({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' })
  })

  test('pages load scripts and styles only from this service, and contain none inline', async () => {
    expect((await service.get('/docs/guide/start')).headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:",
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    })
  })

  test('compresses files for clients that accept it', async () => {
    const headers = { 'accept-encoding': 'gzip, br' }
    const { headers: received } = await service.get('/docs/guide/assets/style.e5F6.css', { headers })
    expect(received['content-encoding']).toBe('br')
  })

  test.each([
    '/docs/guide/404',
    '/docs/guide/nothing',
    '/docs/guide/start.html',
    '/docs/guide/index',
    '/docs/guide/..%2findex',
    '/docs/guide/decisions/..%2f..%2fstart',
    '/docs/guide/decisions/nothing',
    '/docs/guide/assets/nothing.js',
    '/docs/guide/assets/chunks/app.a1B2.js',
    '/docs/guide/__proto__',
  ])('404 — %s is not one of its files', async (path) => {
    expect(problemOf(await service.get(path))).toEqual({ status: 404, code: 'route_unknown' })
  })
})

describe('the URL in the `type` of a problem', () => {
  const path = '/docs/problems.md'

  test('303 for browsers, to the page of the guide, which has a heading for the fragment', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const { status, headers } = await service.get(path, { headers: { accept } })
    expect({ status, location: headers.location }).toEqual({ status: 303, location: '/docs/guide/problems' })
    expect(headers.vary).toContain('Accept')
  })

  test.each([{}, { accept: '*/*' }, { accept: 'text/markdown' }])(
    '200 with Markdown for other clients: %o',
    async (headers) => {
      const { status, headers: received, text } = await service.get(path, { headers })
      expect([status, received['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
      expect(received.vary).toContain('Accept')
      expect(text).toMatch(/^# Problems\n/)
    },
  )
})

test('404 without built documentation: the service starts, logs a message, and serves the problems as Markdown', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'muster-guide-'))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  for (const guideFolder of [empty, join(empty, 'missing')]) {
    const unbuilt = await serviceForTest({ guideFolder })
    for (const path of ['/docs/guide', '/docs/guide/start', '/docs/guide/assets/app.js']) {
      const answer = await unbuilt.get(path)
      expect(problemOf(answer)).toEqual({ status: 404, code: 'route_unknown' })
      expect(answer.body).toMatchObject({ detail: expect.stringContaining('npm run build') })
    }
    const { status, text } = await unbuilt.get('/docs/problems.md', { headers: { accept: 'text/html' } })
    expect([status, text.slice(0, 11)]).toEqual([200, '# Problems\n'])
  }
})
