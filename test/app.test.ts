import { createConnection } from 'node:net'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { serviceForTest } from './support/service.ts'

describe('a hook added in one place', () => {
  const path = '/api/v1/user/data'

  async function hooked() {
    const plain = await serviceForTest()
    const app = buildApp(plain.parts)
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('x-hook', 'yes')
      done()
    })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { token } = await plain.person({ role: 'admin' })
    const answer = async (target: string, init: RequestInit = {}) => {
      const { status, headers } = await fetch(`${url}${target}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...Object.fromEntries(new Headers(init.headers)) },
      })
      return { status, hook: headers.get('x-hook'), etag: headers.get('etag') ?? '' }
    }
    return { app, url, answer }
  }

  test('runs for every response: first, cached and unchanged ones, streams, and every kind of error', async () => {
    const { app, url, answer } = await hooked()
    try {
      const cold = await answer(path)
      const json = { 'content-type': 'application/json' }
      const validate = '/api/v1/provider/keys/validate'
      const seen = [
        cold,
        await answer(path),
        await answer(path, { headers: { 'if-none-match': cold.etag } }),
        await answer('/api/v1/admin/users/fetch'),
        await answer('/api/v1/admin/users/fetch?limit=0'),
        await answer(path, { headers: { authorization: 'Bearer a.b.c' } }),
        await answer('/nowhere'),
        await answer(path, { method: 'DELETE' }),
        await answer(validate, { method: 'POST', headers: json, body: JSON.stringify({ apiKey: 'x'.repeat(20_000) }) }),
        await answer(validate, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }),
        await answer(`${path}?${'x'.repeat(9_000)}`),
        await answer('/livez', { headers: { 'x-long': 'y'.repeat(17_000) } }),
        await rawAnswer(url, '/api/%zz'),
        await rawAnswer(url, '/%'),
      ]
      expect(seen.map(({ status, hook }) => [status, hook])).toEqual(
        [200, 200, 304, 200, 400, 401, 404, 405, 413, 415, 414, 431, 400, 400].map((status) => [status, 'yes']),
      )
    } finally {
      await app.close()
    }
  })
})

/** For request targets that normal clients do not send. */
function rawAnswer(url: string, target: string): Promise<{ status: number; hook: string | null }> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () =>
      resolve({ status: Number(text.slice(9, 12)), hook: /\r\nx-hook: (\w+)/i.exec(text)?.[1] ?? null }),
    )
    socket.write(`GET ${target} HTTP/1.1\r\nHost: muster.test\r\nConnection: close\r\n\r\n`)
  })
}
