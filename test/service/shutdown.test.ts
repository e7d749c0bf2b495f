import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { connect, startProcessOfService } from '../support/service-process.ts'

async function settings() {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const issuer = {
    MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    MUSTER_PUBLIC_URL: 'http://localhost:4600',
  }
  const another = await startService({ on: fresh, env: issuer })
  const { token } = await another.person()
  await another.stop()
  return { env: { DATABASE_URL: fresh.url, ...issuer }, headers: { authorization: `Bearer ${token}` } }
}

test(`after SIGTERM readyz is 503, new connections are served and asked to close, and a second signal ends the process immediately`, async () => {
  const { env, headers } = await settings()
  const service = await startProcessOfService({ ...env, MUSTER_LAME_DUCK_SECONDS: '300' })
  const kept = connect(service.url)
  expect((await kept.get('/api/v1/user/data', headers)).headers.connection).toBe('keep-alive')
  service.child.kill('SIGTERM')
  await expect.poll(async () => (await connect(service.url).get('/readyz')).status).toBe(503)
  expect((await connect(service.url).get('/readyz')).text).toContain('shutting_down')
  for (const connection of [connect(service.url), connect(service.url), kept]) {
    const answer = await connection.get('/api/v1/user/data', headers)
    expect(answer.status).toBe(200)
    expect(answer.headers.connection).toBe('close')
  }
  const again = setInterval(() => service.child.kill('SIGTERM'), 100)
  onTestFinished(() => clearInterval(again))
  expect(await service.ended()).toBe(1)
})

test('npm start passes on SIGTERM: the running request finishes, then the port closes and npm exits', async () => {
  const held: ServerResponse[] = []
  const provider = createServer((_request, response) => held.push(response)).listen(0, '127.0.0.1')
  onTestFinished(() => void provider.close())
  const { env, headers } = await settings()
  const service = await startProcessOfService(
    { ...env, MUSTER_CLOUDFLARE_URL: `http://127.0.0.1:${portOf(provider.address())}`, HOME: process.env.HOME ?? '' },
    ['npm', 'start', '--silent'],
  )
  const body = { apiKey: randomBytes(20).toString('hex'), keyType: 'api_token' }
  const checked = connect(service.url).post('/api/v1/provider/keys/validate', body, headers)
  await expect.poll(() => held.length).toBe(1)
  service.child.kill('SIGTERM')
  await service.logged(({ msg }) => msg === 'draining')
  await expect
    .poll(() =>
      connect(service.url)
        .get('/livez')
        .catch(() => 'closed'),
    )
    .toBe('closed')
  held[0]
    ?.writeHead(200, { 'content-type': 'application/json' })
    .end('{"success":true,"result":{"id":"1","status":"active"}}')
  expect((await checked).text).toContain('"isValid":true')
  await service.logged(({ msg }) => msg === 'stopped')
  await service.ended()
})

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address ? address.port : 0
}
