import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { holdRows } from '../../support/blocked.ts'
import { freshDatabase } from '../../support/database.ts'
import { connectTo } from '../../support/raw-http.ts'
import { addressWith, type Service, serviceForTest, testInProcess } from '../../support/service.ts'
import { newKey } from '../../support/service-keys.ts'
import { billedForTest } from '../../support/stripe.ts'
import { newClient } from '../../support/test-client.ts'

/**
 * Each test has a row in docs/limits.md. One caller exhausts a limit, and another caller is served at the same time.
 */
const behindProxy = { MUSTER_TRUSTED_PROXIES: '127.0.0.1' }
const listPath = '/api/v1/admin/users/fetch'

function tally<T>(values: readonly T[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1
  return counts
}

testInProcess('serves another caller while one caller’s requests hold its half of the connections', async () => {
  const limits = { connectionsMax: 4, connectTimeoutMs: 1_000, lockTimeoutMs: 20_000, statementTimeoutMs: 25_000 }
  const fresh = await freshDatabase({ limits: { ...limits, queryTimeoutMs: 30_000 } })
  onTestFinished(() => fresh.drop())
  const service = await serviceForTest({ on: fresh })
  const [greedy, other] = [await service.person(), await service.person()]
  const row = await holdRows(fresh, [['select from account where id = $1 for update', [greedy.id]]])
  const change = () => service.call('PATCH', '/auth/account', { token: greedy.token, body: { language: 'de' } })
  const changes = Promise.all(Array.from({ length: 20 }, change))
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => service.sql(blocked)).toHaveLength(2)
  for (let n = 0; n < 5; n += 1) expect((await service.get('/api/v1/orgs', { token: other.token })).status).toBe(200)
  expect(await service.sql(blocked)).toHaveLength(2)
  await row.commitOnce(changes)
  expect(tally((await changes).map(({ status }) => status))).toEqual({ 200: 20 })
})

testInProcess(
  'refuses no request although one caller, one network and a service key send more requests than may wait',
  async () => {
    const fresh = await freshDatabase({ limits: { waitingMax: 300 } })
    onTestFinished(() => fresh.drop())
    const service = await serviceForTest({ on: fresh, env: behindProxy })
    const [greedy, other] = [await service.person(), await service.person()]
    const { key } = await newKey(service, await service.person({ role: 'admin' }))
    const floods = [
      () => service.get('/auth/account', { token: greedy.token }),
      () => newClient(service, '198.51.100.1').post('/auth/refresh', { refresh_token: `mrt_${'A'.repeat(43)}` }),
      () => service.get(listPath, { token: key }),
    ]
    for (const one of floods) {
      const flood = Promise.all(Array.from({ length: 400 }, one))
      const read = await service.get('/api/v1/orgs', { token: other.token })
      expect([read.status, (await flood).filter(({ status }) => status === 503)]).toEqual([200, []])
    }
  },
)

test('counts reads and changes of each caller separately', async () => {
  const service = await serviceForTest({ env: { MUSTER_READS_PER_MINUTE: '2', MUSTER_WRITES_PER_MINUTE: '2' } })
  const [greedy, other] = [await service.person(), await service.person()]
  for (const [method, body] of [['GET'], ['PATCH', { language: 'de' }]] as const) {
    const send = ({ token }: typeof greedy) => service.call(method, '/auth/account', { token, ...(body && { body }) })
    const answers = [await send(greedy), await send(greedy), await send(greedy), await send(other)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200])
  }
})

testInProcess('leaves half of the exports to other callers', async () => {
  const service = await serviceForTest({ env: { MUSTER_EXPORTS_MAX: '4' } })
  const [greedy, other] = [await service.person({ role: 'admin' }), await service.person({ role: 'admin' })]
  const { url, end, held } = await withHeldReads(service, 2)
  const list = ({ token }: typeof greedy) => get(url + listPath, token)
  const lists = [list(greedy), list(greedy), list(greedy)]
  const refused = await Promise.race(lists)
  expect(refused).toMatchObject({ status: 429, retryAfter: '10' })
  expect(JSON.parse(refused.text)).toMatchObject({
    code: 'rate_limited',
    detail: 'Wait until one of your lists is finished.',
  })
  await expect.poll(held).toBe(2)
  expect((await list(other)).status).toBe(200)
  end()
  expect(tally((await Promise.all(lists)).map(({ status }) => status))).toEqual({ 200: 2, 429: 1 })
})

testInProcess('leaves half of the exact counts to other callers', async () => {
  const service = await serviceForTest()
  const [greedy, other] = [await service.person({ role: 'admin' }), await service.person({ role: 'admin' })]
  const { url, end, held } = await withHeldReads(service, 1)
  const count = ({ token }: typeof greedy) => get(`${url}${listPath}?count=exact&limit=1`, token)
  const counts = Promise.all([count(greedy), count(greedy), count(greedy)])
  await expect.poll(held).toBe(1)
  expect((await count(other)).status).toBe(200)
  end()
  expect((await counts).map(({ status }) => status)).toEqual([200, 200, 200])
})

testInProcess('leaves half of the client connections to other networks', async () => {
  const service = await serviceForTest({ env: { MUSTER_TRUSTED_PROXIES: '192.0.2.1' } })
  const connectionLimit = { max: 6, onReached: () => undefined }
  const url = await addressWith(service, { server: { ...service.parts.server, connectionLimit } })
  const held = []
  for (let n = 1; n <= 3; n += 1) held.push(await inProgress(url, `127.0.0.${n}`))
  const refused = await open(url, '127.0.0.4')
  await once(refused, 'close')
  const served = await open(url, '127.0.1.1')
  served.write('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  expect(String(await once(served, 'data'))).toMatch(/^HTTP\/1\.1 200 /)
  expect(held.map(({ closed }) => closed)).toEqual([false, false, false])
})

async function open(url: string, localAddress: string) {
  const socket = connectTo(url, { localAddress })
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** A connection with a request whose body the service waits for. */
async function inProgress(url: string, localAddress: string) {
  const socket = await open(url, localAddress)
  const type = 'Content-Type: application/json\r\nContent-Length: 10'
  socket.write(`POST /auth/refresh HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}\r\nExpect: 100-continue\r\n\r\n`)
  await once(socket, 'data')
  return socket
}

test('applies a signed payment event among many unsigned ones, which are rejected', async () => {
  const { service, stripe, deliver } = await billedForTest()
  const person = await service.person()
  stripe.state.addCustomer({ metadata: { muster_account_id: person.id } })
  const headers = { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' }
  const unsigned = () => service.post('/webhooks/stripe', { rawBody: '{}', headers })
  const flood = Promise.all(Array.from({ length: 300 }, unsigned))
  expect((await deliver(stripe.state.events.at(-1))).status).toBe(200)
  expect(tally((await flood).map(({ status }) => status))).toEqual({ 400: 300 })
})

/** Reads the full response, so that the connection can close. */
async function get(url: string, token: string) {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}

/** The same service, where the first `count` exports and counts wait for `end`. */
async function withHeldReads(service: Service, count: number) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const { database } = service.parts
  let held = 0
  const hold = async () => {
    held += 1
    if (held <= count) await ended
  }
  const url = await addressWith(service, {
    database: {
      ...database,
      transaction: (work) => hold().then(() => database.transaction(work)),
      async *stream(...parameters) {
        await hold()
        yield* database.stream(...parameters)
      },
    },
  })
  return { url, end, held: () => held }
}
