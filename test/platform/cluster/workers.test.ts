import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { spawnMuster } from '../../cli/run-muster.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'
import { startDatabaseProxy } from '../../support/database-proxy.ts'
import { startService } from '../../support/service.ts'
import { type Connection, connect, type ServiceProcess, startProcessOfService } from '../../support/service-process.ts'

/** Two workers over a database of their own, with one person and a token of hers. */
async function twoWorkers(more: Readonly<Record<string, string>> = {}, on?: FreshDatabase) {
  const fresh = on ?? (await freshDatabase())
  if (!on) onTestFinished(() => fresh.drop())
  const issuer = {
    MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    MUSTER_PUBLIC_URL: 'http://localhost:4600',
  }
  const another = await startService({ on: fresh, env: issuer })
  const { token } = await another.person()
  await another.stop()
  const service = await startProcessOfService({ DATABASE_URL: fresh.url, MUSTER_WORKERS: '2', ...issuer, ...more })
  return { fresh, headers: { authorization: `Bearer ${token}` }, service }
}

/** A connection to each of the two. */
async function oneToEach(service: ServiceProcess): Promise<readonly [Connection, Connection]> {
  const found = new Map<number, Connection>()
  while (found.size < 2) {
    const connection = connect(service.url)
    const { requestId } = await connection.get('/livez')
    const { worker = 0 } = await service.logged((line) => line.requestId === requestId)
    found.set(worker, connection)
  }
  const [one, other] = [...found.values()]
  if (!one || !other) throw new Error('there are not two workers')
  return [one, other]
}

/** A stand-in for Cloudflare: its address. */
async function startProvider(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

/** Asks for a key that nobody asked for before. */
function check(connection: Connection, headers: Readonly<Record<string, string>>) {
  const body = { apiKey: randomBytes(20).toString('hex'), keyType: 'api_token' }
  return connection.post('/api/v1/provider/keys/validate', body, headers)
}

const me = '/api/v1/user/data'

/** Workers do not wait for each other: what one learns reaches the other a moment after its answer. */
const relayMs = 50

test('a killed worker is replaced, and the other one answers meanwhile', async () => {
  const { service } = await twoWorkers()
  const [one, other] = await oneToEach(service)
  const before = await service.workers()
  expect(before).toHaveLength(2)
  const { requestId } = await one.get('/livez')
  const { worker } = await service.logged((line) => line.requestId === requestId)
  // Workers are numbered as they are started, and so are processes.
  const pid = [...before].sort((a, b) => a - b)[worker === 1 ? 0 : 1] ?? 0
  process.kill(pid, 'SIGKILL')
  await service.logged(({ msg }) => msg === 'worker exited: starting a replacement')
  expect((await other.get('/readyz')).status).toBe(200)
  await expect.poll(async () => (await service.workers()).filter((found) => found !== pid)).toHaveLength(2)
  for (let count = 0; count < 8; count += 1) expect((await connect(service.url).get('/readyz')).status).toBe(200)
})

test('who is disabled is refused by every worker moments later', async () => {
  const { service, headers, fresh } = await twoWorkers()
  const connections = await oneToEach(service)
  for (const connection of connections)
    for (let count = 0; count < 3; count += 1) expect((await connection.get(me, headers)).status).toBe(200)
  await fresh.sql(`update account set disabled_at = now()`)
  // Much sooner than an answer leaves the cache by age.
  for (const connection of connections)
    await expect.poll(async () => (await connection.get(me, headers)).status, { timeout: 6_000 }).toBe(401)
})

test('who is disabled is refused by every worker within the bound, also where their looks at the changes are frozen', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const proxy = await startDatabaseProxy(fresh)
  const { service, headers } = await twoWorkers({ DATABASE_URL: proxy.url, MUSTER_FRESHNESS_SECONDS: '1' }, fresh)
  const connections = await oneToEach(service)
  for (const connection of connections)
    for (let count = 0; count < 3; count += 1) expect((await connection.get(me, headers)).status).toBe(200)
  proxy.freeze('polling')
  await fresh.sql(`update account set disabled_at = now()`)
  for (const connection of connections)
    await expect.poll(async () => (await connection.get(me, headers)).status, { timeout: 5_000 }).toBe(401)
})

test('the limit of reads holds for the node, whichever worker responds', async () => {
  const quota = 32
  const { service, headers } = await twoWorkers({ MUSTER_READS_PER_MINUTE: String(quota) })
  const connections = await oneToEach(service)
  let passed = 0
  for (let count = 0; count < quota; count += 1) {
    for (const connection of connections) passed += (await connection.get(me, headers)).status === 200 ? 1 : 0
    await pause(relayMs)
  }
  expect(passed).toBeGreaterThanOrEqual(quota)
  expect(passed).toBeLessThanOrEqual(quota + quota / 8)
})

test('the cool-down of a provider that one worker met holds for the other', async () => {
  let calls = 0
  const provider = await startProvider((response) => {
    calls += 1
    response.writeHead(429, { 'retry-after': '60', 'content-type': 'application/json' }).end('{}')
  })
  const { service, headers } = await twoWorkers({ MUSTER_CLOUDFLARE_URL: provider })
  const [one, other] = await oneToEach(service)
  expect((await check(one, headers)).status).toBe(503)
  const before = calls
  expect(before).toBeGreaterThan(0)
  await pause(10 * relayMs)
  expect((await check(other, headers)).status).toBe(503)
  expect(calls).toBe(before)
})

test('SIGTERM lets what is in flight finish on every worker, and ends with 0', async () => {
  const held: ServerResponse[] = []
  const provider = await startProvider((response) => held.push(response))
  const { service, headers } = await twoWorkers({ MUSTER_CLOUDFLARE_URL: provider })
  const connections = await oneToEach(service)
  const checks = connections.map((connection) => check(connection, headers))
  await expect.poll(() => held.length).toBe(2)
  service.child.kill('SIGTERM')
  await expect.poll(() => service.lines.filter(({ msg }) => msg === 'draining').length).toBe(3)
  for (const response of held)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"success":true,"result":{"id":"1","status":"active"}}')
  for (const { status, text } of await Promise.all(checks))
    expect([status, text]).toEqual([200, expect.stringContaining('"isValid":true')])
  expect(await service.ended()).toBe(0)
  expect(service.lines.filter(({ msg }) => msg === 'stopped')).toHaveLength(3)
})

test('the metrics of all workers are one text for Prometheus', async () => {
  const token = randomBytes(24).toString('hex')
  const { service, headers } = await twoWorkers({ MUSTER_METRICS_TOKEN: token })
  const [one, other] = await oneToEach(service)
  for (const connection of [one, other, other]) await connection.get(me, headers)
  const metrics = async () => (await one.get('/metrics', { authorization: `Bearer ${token}` })).text
  // Each worker has looked for changes once.
  await expect.poll(metrics).toContain('\nmuster_response_cache_connected 1\n')
  const text = await metrics()
  expect(text).toContain('muster_http_request_duration_seconds_count{operation="getUserData",status="200"} 3')
  expect(text).toMatch(/\nmuster_response_cache_proof_age_seconds [\d.e-]+\n/)
})

test('a taken port ends the start with the same sentence and status as ever', async () => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  onTestFinished(() => void taken.close())
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const env = { DATABASE_URL: fresh.url, MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  const { code, stderr } = await spawnMuster(['serve'], { env: { ...env, MUSTER_WORKERS: '2', MUSTER_PORT: port } })
  expect(stderr).toBe(`Port ${port} of 127.0.0.1 is taken: stop what listens there, or set MUSTER_PORT to another.\n`)
  expect(code).toBe(1)
})
