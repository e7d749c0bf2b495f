import { createHmac } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { request } from 'undici'
import { startChild } from './harness/child.ts'
import { copiedDatabase, startBenchServer } from './harness/databases.ts'
import { getRequest, startLoad } from './harness/load.ts'
import type { LookupOrder } from './harness/lookup-program.ts'
import { type Candidate, type Compared, type Measured, sideBySide } from './harness/pairs.ts'
import { type Figure, loadBefore, report } from './harness/report.ts'
import { type BenchService, freePort, startBenchService } from './harness/service.ts'

/**
 * `GET /api/v1/user/data` compared with a bare server that looks up the same bodies by primary key in the same
 * PostgreSQL: at 1, 8 and 32 parallel requests, with tokens of the built-in issuer and of another one; and a large
 * population compared with a small one. `--default-postgres` runs PostgreSQL with its default settings.
 * npm run bench -- user-data [--pairs 10] [--users 2000] [--sizes 2500,1000000] [--default-postgres]
 */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10' },
    'slice-ms': { type: 'string', default: '1000' },
    users: { type: 'string', default: '2000' },
    sizes: { type: 'string', default: '2500,1000000' },
    'default-postgres': { type: 'boolean', default: false },
  },
})
const users = Number(values.users)
const sizes = values.sizes.split(',').map(Number)
const options = { pairs: Number(values.pairs), sliceMs: Number(values['slice-ms']) }
const path = '/api/v1/user/data'
const atOnce = [1, 8, 32]
const foreign = {
  issuer: 'https://bench.test',
  audience: 'muster',
  secret: 'a secret that only this measurement knows',
}
const entry = {
  issuer: foreign.issuer,
  audience: foreign.audience,
  algorithms: ['HS256'],
  secret: { env: 'BENCH_SECRET' },
  provisions: false,
}

const load = loadBefore()
const server = await startBenchServer(values['default-postgres'] ? { shared_buffers: '128MB', jit: 'on' } : {})
const driver = startLoad({ connections: 32 })
const stops: (() => unknown)[] = []
try {
  const compared: Compared[] = []
  const ofSizes: Candidate[] = []
  const shared: Figure[] = []
  for (const [index, size] of sizes.entries()) {
    const url = await copiedDatabase(server, size, `bench_user_data_${size}`)
    const service = await startBenchService(url, {
      MUSTER_ISSUERS: JSON.stringify([entry]),
      BENCH_SECRET: foreign.secret,
    })
    stops.push(() => service.stop())
    const own = await service.tokens(users)
    const requests = own.map(asRequest)
    ofSizes.push({ name: `${size} accounts`, server: service, requests })
    if (index > 0) continue
    shared.push(...(await twoProcesses(url, service, requests)))
    const bare = await startLookup(url, service, own)
    const tokens = { own, foreign: await foreignTokens(url) }
    for (const connections of atOnce)
      for (const [kind, list] of Object.entries(tokens)) {
        const name = `${connections} at once, ${kind} tokens`
        const candidate = { name, server: service, requests: list.map(asRequest), connections }
        compared.push(await sideBySide(driver, { ...bare, name: 'lookup', connections }, candidate, options))
      }
  }
  const [small, large] = ofSizes
  const bySize = small && large ? [await sideBySide(driver, small, large, options)] : []
  await report([...compared.flatMap(figuresOf), ...bySize.flatMap(figureOfSize), ...shared], load)
} finally {
  driver.stop()
  for (const stop of stops) await stop()
  await server.close()
}

/** Compares two processes that share a port with one process, at 32 parallel requests. PostgreSQL runs on the same cores. */
async function twoProcesses(url: string, one: BenchService, requests: readonly string[]): Promise<Figure[]> {
  const env = { MUSTER_REUSE_PORT: 'true' }
  const port = await freePort()
  const two = [
    await startBenchService(url, env, { core: 'any', port }),
    await startBenchService(url, env, { core: 'any', port }),
  ]
  const [server] = two
  if (!server) return []
  const base = { name: 'one process', server: one, requests, connections: 32 }
  const { rateRatio } = await sideBySide(driver, base, { ...base, name: 'two processes', server }, options)
  for (const process of two) await process.stop()
  return [{ what: 'two processes on one port, 32 at once: rate, ratio to one', is: rateRatio }]
}

function asRequest(token: string): string {
  return getRequest(path, { authorization: `Bearer ${token}` })
}

/** Stores the body of each caller under the user's id, and starts the bare server on them. Its requests carry the same tokens. */
async function startLookup(
  databaseUrl: string,
  service: BenchService,
  tokens: readonly string[],
): Promise<{ readonly server: Measured; readonly requests: readonly string[] }> {
  const client = new Client(databaseUrl)
  await client.connect()
  await client.query('create table bench_body (id text primary key, body text not null)')
  const requests: string[] = []
  for (const token of tokens) {
    const authorization = `Bearer ${token}`
    const answer = await request(`${service.url}${path}`, { headers: { authorization } })
    if (answer.statusCode !== 200) throw new Error(`user/data answered ${answer.statusCode}`)
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    await client.query('insert into bench_body values ($1, $2)', [sub, await answer.body.text()])
    requests.push(getRequest(`/${sub}`, { authorization }))
  }
  await client.query('analyze')
  await client.end()
  const { pid, ask, stop } = startChild<LookupOrder, number>('harness/lookup-program.ts', { core: 'measured' })
  stops.push(stop)
  const port = await ask({ databaseUrl, connections: 10 })
  return { server: { url: `http://127.0.0.1:${port}`, pid }, requests }
}

/** Tokens of the other issuer, one for each user, with the subjects `u1`, `u2` and so on. */
async function foreignTokens(databaseUrl: string): Promise<readonly string[]> {
  const client = new Client(databaseUrl)
  await client.connect()
  await client.query(
    `insert into identity (issuer, subject, account_id)
     select $1, 'u' || row_number() over (), id from (select id from account where disabled_at is null order by id limit $2) a`,
    [foreign.issuer, users],
  )
  await client.query('analyze')
  await client.end()
  return Array.from({ length: users }, (_, index) => signedToken(`u${index + 1}`))
}

function signedToken(sub: string): string {
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: foreign.issuer, aud: foreign.audience, sub, iat: now, exp: now + 3_600 }
  const [head, body] = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signed = `${head}.${body}`
  return `${signed}.${createHmac('sha256', foreign.secret).update(signed).digest('base64url')}`
}

function figuresOf({ name, rateRatio, requestsPerSecond, cpuUs, p50Ms, p99Ms, base }: Compared): Figure[] {
  return [
    { what: `${name}: rate, ratio to the lookup`, is: rateRatio, atLeast: 0.6 },
    { what: `${name}: requests a second`, is: requestsPerSecond },
    { what: `${name}: the same of the lookup`, is: base.requestsPerSecond },
    { what: `${name}: CPU a request`, is: cpuUs, unit: ' µs' },
    { what: `${name}: the same of the lookup`, is: base.cpuUs, unit: ' µs' },
    { what: `${name}: p50`, is: p50Ms, unit: ' ms' },
    { what: `${name}: p99`, is: p99Ms, unit: ' ms' },
  ]
}

function figureOfSize({ name, rateRatio }: Compared): Figure[] {
  return [{ what: `${name}: rate, ratio to the smaller population`, is: rateRatio, atLeast: 0.95 }]
}
