import { createHmac } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { request } from 'undici'
import { clientConfig } from '../src/platform/database/link.ts'
import { copiedDatabase, startBenchServer } from './harness/databases.ts'
import { getRequest, startLoad } from './harness/load.ts'
import { type Figure, report } from './harness/report.ts'
import { loadBefore } from './harness/result.ts'
import { type BenchService, metricsToken, startBenchService } from './harness/service.ts'

/**
 * Memory while a million different users call once each, every one with a token that was never seen before: verified, queried, cached.
 * npm run bench -- memory [--users 1000000] [--cache-mib 64] [--heap-mib 400]
 * The cache must stay within MUSTER_CACHE_MIB, and the process within Node's heap limit and what a process needs beside its heap; the
 * second half of the users may add a tenth at most. Without a limit V8 takes several times the memory of the live objects, because
 * rare collections are quicker (docs/scaling.md).
 */
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    'cache-mib': { type: 'string', default: '64' },
    'heap-mib': { type: 'string', default: '400' },
  },
})
const users = Number(values.users)
const cacheMiB = Number(values['cache-mib'])
const heapMiB = Number(values['heap-mib'])
/** Young generation, code, buffers, the program itself. */
const besideHeapMiB = 160
const steps = 10
const issuer = 'https://memory.bench.test'
const audience = 'muster'
const secret = 'a secret that only this measurement knows'

const load = loadBefore()
const server = await startBenchServer()
const driver = startLoad({ connections: 64 })
try {
  const databaseUrl = await withIdentities()
  const entry = { issuer, audience, algorithms: ['HS256'], secret: { env: 'MEMORY_BENCH_SECRET' }, provisions: false }
  const service = await startBenchService(databaseUrl, {
    MUSTER_CACHE_MIB: String(cacheMiB),
    NODE_OPTIONS: `--max-old-space-size=${heapMiB}`,
    MUSTER_ISSUERS: JSON.stringify([entry]),
    MEMORY_BENCH_SECRET: secret,
  })
  const idleMiB = service.rssMiB().now
  const samples: Sample[] = []
  for (let step = 0; step < steps; step += 1) {
    await callOnce(service, (users / steps) * step, users / steps)
    const { entries, bytes } = await cacheOf(service)
    const called = (users / steps) * (step + 1)
    samples.push({ called, rssMiB: service.rssMiB().now, cachedMiB: bytes / 2 ** 20, entries })
    process.stdout.write(`${called} users: ${samples.at(-1)?.rssMiB} MiB, ${entries} cached answers\n`)
  }
  const { peak } = service.rssMiB()
  await service.stop()
  await report('memory', figuresOf(idleMiB, samples, peak), { load, users, cacheMiB, heapMiB, idleMiB, samples, peak })
} finally {
  driver.stop()
  await server.stop()
}

interface Sample {
  readonly called: number
  readonly rssMiB: number
  readonly entries: number
  readonly cachedMiB: number
}

function figuresOf(idleMiB: number, list: readonly Sample[], peak: number): Figure[] {
  const rss = list.map(({ rssMiB }) => rssMiB)
  const [half = 0, whole = 0] = [rss[steps / 2 - 1], rss.at(-1)]
  const mostCached = Math.max(...list.map(({ cachedMiB }) => cachedMiB))
  return [
    { what: 'resident before the first call', is: idleMiB, unit: ' MiB' },
    { what: `resident after ${users / 2} users`, is: half, unit: ' MiB' },
    { what: `resident after ${users} users`, is: whole, unit: ' MiB' },
    { what: 'highest', is: peak, unit: ' MiB', atMost: heapMiB + besideHeapMiB },
    { what: 'cached answers, at most', is: mostCached, unit: ' MiB', atMost: cacheMiB },
    { what: 'second half to the first', is: whole / half, atMost: 1.1 },
  ]
}

/** A copy of the population in which each account is also a subject of the foreign issuer, as `u1`, `u2` and so on, and none disabled. */
async function withIdentities(): Promise<string> {
  const url = await copiedDatabase(server, users, 'bench_memory')
  const client = new Client({ ...clientConfig(server.superuser), database: new URL(url).pathname.slice(1) })
  await client.connect()
  // Without triggers: a million invalidation events would serve no purpose.
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into identity (issuer, subject, account_id)
     select $1, 'u' || row_number() over (), id from account`,
    [issuer],
  )
  await client.query('update account set disabled_at = null where disabled_at is not null')
  await client.query('analyze')
  await client.end()
  return url
}

/** Each user once, in pieces: a million requests at a time would be half a gigabyte. */
async function callOnce(service: BenchService, from: number, count: number): Promise<void> {
  const piece = 25_000
  for (let done = 0; done < count; done += piece) {
    const requests = Array.from({ length: Math.min(piece, count - done) }, (_, index) =>
      getRequest('/api/v1/user/data', { authorization: `Bearer ${tokenOf(from + done + index + 1)}` }),
    )
    await driver.run(service, requests, { once: true, ms: 600_000 })
  }
}

function tokenOf(user: number): string {
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: issuer, aud: audience, sub: `u${user}`, iat: now, exp: now + 3_600 }
  const [head, body] = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signed = `${head}.${body}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

async function cacheOf({ url }: BenchService): Promise<{ entries: number; bytes: number }> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const { body } = await request(`${url}/metrics`, { headers })
  const text = await body.text()
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return { entries: of('muster_response_cache_entries'), bytes: of('muster_response_cache_bytes') }
}
