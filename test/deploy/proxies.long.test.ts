import { once } from 'node:events'
import { createServer, type IncomingMessage, request as open, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { caddy, haproxy, isInstalled, nginx, type ReverseProxy } from '../../scripts/faults/proxies.ts'
import { type RunningProxy, startProxyOf } from '../support/behind-proxy.ts'
import { httpClient } from '../support/http-client.ts'
import { type Person, type Service, startService } from '../support/service.ts'

/**
 * How each proxy changes an ETag when it compresses. Caddy 2.6 of Debian 12 keeps it, later releases append `-gzip`.
 */
const proxies: readonly (readonly [ReverseProxy, rewritten: RegExp])[] = [
  [nginx, /^W\/"[\w-]{27}"$/],
  [haproxy, /^W\/"[\w-]{27}"$/],
  [caddy, /^"[\w-]{27}(-gzip)?"$/],
]

describe.each(proxies)('$title with its file in deploy/proxies', (proxy, rewritten) => {
  describe.skipIf(!isInstalled(proxy) && !process.env.CI)('in front of the service', () => {
    let service: Service
    let plain: RunningProxy
    let compressing: RunningProxy
    let admin: Person
    beforeAll(async () => {
      service = await startService({ env: { MUSTER_TRUSTED_PROXIES: '127.0.0.1' } })
      plain = await startProxyOf(proxy, service.url, { compresses: false })
      compressing = await startProxyOf(proxy, service.url)
      admin = await service.person({ role: 'admin' })
    })
    afterAll(async () => {
      await compressing?.stop()
      await plain?.stop()
      await service?.stop()
    })

    test('forwards 16 KB of header fields, and lets Muster reject more', async () => {
      const { get } = httpClient(plain.url)
      const path = '/api/v1/user/data'
      expect((await get(path, { token: 'x'.repeat(15_500) })).body).toMatchObject({ code: 'token_malformed' })
      expect((await get(path, { token: 'x'.repeat(20_000) })).body).toMatchObject({ code: 'headers_too_large' })
    })

    test('may rewrite the ETag when it compresses, and Muster still recognizes it; keeps Muster’s Vary', async () => {
      const { token } = admin
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
      const answer = await request(`${compressing.url}/api/v1/user/data`, { headers })
      const { etag, vary } = answer.headers
      await answer.body.dump()
      expect(answer.headers['content-encoding']).toBe('gzip')
      expect(etag).toMatch(rewritten)
      expect([vary].flat().join(', ')).toContain('Authorization, Act-As')
      const again = await httpClient(compressing.url, { acceptsGzip: true }).get('/api/v1/user/data', {
        token,
        headers: { 'if-none-match': String(etag) },
      })
      expect([again.status, again.text]).toEqual([304, ''])
    })

    test('lets an administrator change a user with the ETag that the proxy passed on', async () => {
      const { id } = await service.person()
      const { get, post } = httpClient(compressing.url, { acceptsGzip: true })
      const path = `/api/v1/admin/users/${id}`
      const { headers } = await get(path, { token: admin.token })
      const disabled = await post(`${path}/disable`, {
        token: admin.token,
        headers: { 'if-match': String(headers.etag) },
      })
      expect(disabled.body).toMatchObject({ id, status: 'disabled' })
      const late = await post(`${path}/enable`, { token: admin.token, headers: { 'if-match': String(headers.etag) } })
      expect(late.body).toMatchObject({ code: 'precondition_failed' })
    })

    // Caddy itself responds for hosts that are not in its file.
    test.skipIf(proxy === caddy)('keeps the Host of the client, and forwards the addresses before it', async () => {
      const { get, post } = httpClient(plain.url)
      expect((await get('/api/v1/providers', { headers: { host: 'muster.test' } })).status).toBe(200)
      const unknown = await get('/api/v1/providers', { headers: { host: 'another.test' } })
      expect(unknown.body).toMatchObject({ code: 'host_unknown' })
      await post('/auth/sign-in', {
        headers: { 'x-forwarded-for': '203.0.113.9' },
        body: { email: admin.email, password: 'wrong' },
      })
      const rows = await service.sql(`select address from audit_event where action = 'session.refused'`)
      expect(rows).toEqual([{ address: '203.0.113.9' }])
    })

    test('passes on a cookie, a relative Link, and requests and responses without a body', async () => {
      const { get, post, call } = httpClient(plain.url)
      const { token } = admin
      const list = await get('/api/v1/admin/users/fetch?limit=1', { token })
      expect(list.headers.link).toMatch(/^<\/api\/v1\/admin\/users\/fetch\?\S+>; rel="next"$/)
      const ended = await call('DELETE', '/console/session', { headers: { origin: plain.url } })
      expect(ended).toMatchObject({ status: 204, text: '' })
      expect(String(ended.headers['set-cookie'])).toMatch(
        /^muster-session=; Max-Age=0; Path=\/console\/session; HttpOnly; SameSite=Strict$/,
      )
      expect(await call('HEAD', '/api/v1/user/data', { token })).toMatchObject({ status: 200, text: '' })
      const { id } = await service.person()
      const headers = { 'if-match': '*', 'content-type': 'application/json' }
      expect((await post(`/api/v1/admin/users/${id}/disable`, { token, headers, rawBody: '' })).status).toBe(200)
    })

    test('accepts Expect: 100-continue', async () => {
      const client = open(`${plain.url}/auth/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' },
      })
      client.flushHeaders()
      await once(client, 'continue')
      client.end('{}')
      const [response] = await once(client, 'response')
      expect(JSON.parse(await text(response))).toMatchObject({ code: 'input_invalid' })
    })
  })

  describe.skipIf(!isInstalled(proxy) && !process.env.CI).each([false, true])('compressing: %s', (compresses) => {
    // Caddy 2.6 with compression buffers every response, even one that it does not compress.
    test.skipIf(proxy === caddy && compresses)('sends each line of a streamed answer as it arrives', async () => {
      const { response, lines } = await streamThrough(proxy, compresses)
      for (const line of ['first', 'second', 'third']) {
        response.write(`${line}\n`)
        expect(await lines.next()).toEqual({ done: false, value: `${line}\n` })
      }
      response.end()
      expect(await lines.next()).toMatchObject({ done: true })
    })

    // Caddy before 2.8 ends a truncated response as if it were complete: docs/deploying.md.
    test.skipIf(proxy === caddy)('breaks an answer off where the service does', async () => {
      const { response, lines } = await streamThrough(proxy, compresses)
      response.write('first\n')
      expect(await lines.next()).toMatchObject({ value: 'first\n' })
      response.destroy()
      await expect(lines.next()).rejects.toThrow()
    })
  })

  // A proxy may write buffered data to its disk.
  test.skipIf(!isInstalled(proxy) && !process.env.CI)('forwards a long body as it arrives', async () => {
    const { url, arrived } = await startUpstream()
    const running = await startProxyOf(proxy, url)
    onTestFinished(() => running.stop())
    const client = open(`${running.url}/body`, { method: 'POST', headers: { 'content-length': 200_000 } })
    client.write('k'.repeat(100_000))
    const { received, response } = await arrived
    let bytes = 0
    received.on('data', (part: Buffer) => {
      bytes += part.length
    })
    await expect.poll(() => bytes).toBe(100_000)
    client.end('k'.repeat(100_000))
    await once(received, 'end')
    response.end()
    await once(client, 'response')
    expect(bytes).toBe(200_000)
  })
})

interface Exchange {
  readonly received: IncomingMessage
  readonly response: ServerResponse
}

/**
 * A service whose responses the test controls; only probes are answered automatically. `arrived` is the first other
 * request.
 */
async function startUpstream(): Promise<{ readonly url: string; readonly arrived: Promise<Exchange> }> {
  const server = createServer()
  const arrived = new Promise<Exchange>((resolve) => {
    server.on('request', (received: IncomingMessage, response: ServerResponse) => {
      if (received.url === '/livez' || received.url === '/readyz') response.end()
      else resolve({ received, response })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  // Trust boundary to Node: a listening server has an address of this form.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, arrived }
}

/** A started response: what the service writes to `response`, and what the client reads. */
async function streamThrough(proxy: ReverseProxy, compresses: boolean) {
  const { url, arrived } = await startUpstream()
  const running = await startProxyOf(proxy, url, { compresses })
  onTestFinished(() => running.stop())
  const answer = ask(`${running.url}/lines`)
  const { response } = await arrived
  response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders()
  return { response, lines: linesOf(await answer) }
}

async function ask(url: string): Promise<IncomingMessage> {
  const client = open(url, { headers: { 'accept-encoding': 'gzip' } }).end()
  const [response] = await once(client, 'response')
  return response
}

/** The chunks of a response as they arrive, decoded. */
function linesOf(response: IncomingMessage): AsyncIterator<string> {
  const isCompressed = response.headers['content-encoding'] === 'gzip'
  const decoded = isCompressed ? response.pipe(createGunzip()) : response
  response.once('error', (error) => decoded.destroy(error))
  return decoded.setEncoding('utf8')[Symbol.asyncIterator]()
}
