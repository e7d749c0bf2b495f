import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { Pool as HttpPool } from 'undici'
import { type DatabaseProxy, startDatabaseProxy } from './harness/database-proxy.ts'
import { copiedDatabase, startBenchServer } from './harness/databases.ts'
import { type Figure, report } from './harness/report.ts'
import { loadBefore } from './harness/result.ts'
import { type BenchService, startBenchService } from './harness/service.ts'

/**
 * How old an answer can be: a writer changes plans, grants and sessions while readers on two nodes read under load. The second
 * node reaches the database through a proxy that then cuts the connections on which it looks at the changes: by a reset, and by a black hole.
 * npm run bench -- staleness [--seconds 15] [--people 40] [--readers 12]
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    people: { type: 'string', default: '40' },
    readers: { type: 'string', default: '12' },
  },
})
const path = '/api/v1/user/data'
const load = loadBefore()

/** One person whose plan and grants change. */
interface Watched {
  readonly id: string
  readonly token: string
  readonly role: string
  /** When the change to each version was committed. */
  readonly committedAt: number[]
  revokedAt: number
}

/** For each node, how long the most outdated answer of a phase had been outdated when it was requested, in milliseconds. */
interface Phase {
  readonly name: string
  readonly oldestMs: Record<NodeName, number>
  answers: number
  /** Answers of 200 to a person whose session ended longer ago than the bound. */
  wrongAfterRevocation: number
}

type NodeName = 'direct' | 'proxied'

const server = await startBenchServer()
// A copy: roles, plans and sessions are changed.
const databaseUrl = await copiedDatabase(server, 1_000, 'bench_staleness')
const proxy = await startDatabaseProxy(databaseUrl)
const nodes: Record<NodeName, BenchService> = {
  direct: await startBenchService(databaseUrl),
  proxied: await startBenchService(proxy.url),
}
const writer = new Client({ connectionString: databaseUrl })
await writer.connect()
const people = await watch(Number(values.people))
const phases: Phase[] = []
let phase = newPhase('warming up')
let isOver = false
const boundMs = 1_000

try {
  const readers = Array.from({ length: Number(values.readers) }, (_, index) =>
    keepReading(index % 2 === 0 ? 'direct' : 'proxied', index),
  )
  const writing = keepWriting()
  const seconds = Number(values.seconds)
  await setTimeout(2_000)
  await during('undisturbed', seconds)
  await during('polling connections reset', seconds, (cut) => cut.resetPolling())
  await during('polling connections in a black hole', Math.max(30, seconds * 2), (cut) => cut.blackholePolling())
  isOver = true
  await Promise.all([...readers, writing])
  await report('staleness', figures(), { load, phases, people: people.length })
} finally {
  isOver = true
  await writer.end()
  for (const node of Object.values(nodes)) await node.stop()
  await proxy.close()
  await server.stop()
}

async function during(
  name: string,
  seconds: number,
  disturb: (proxy: DatabaseProxy) => void = () => undefined,
): Promise<void> {
  phase = newPhase(name)
  phases.push(phase)
  disturb(proxy)
  await setTimeout(seconds * 1_000)
}

function newPhase(name: string): Phase {
  return { name, oldestMs: { direct: 0, proxied: 0 }, answers: 0, wrongAfterRevocation: 0 }
}

/** Each person has a role of its own, so that a change of its grants concerns one person. */
async function watch(count: number): Promise<readonly Watched[]> {
  const tokens = await nodes.direct.tokens(count)
  const watched: Watched[] = []
  for (const token of tokens) {
    const { sub: id } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const role = `bench_${watched.length}`
    await writer.query(`insert into role values ($1, $1) on conflict do nothing`, [role])
    await writer.query(`delete from role_grant where role_id = $1`, [role])
    await writer.query(`update account set role_id = $1 where id = $2`, [role, id])
    await writer.query(
      `delete from subscription where customer_id in (select id from customer where account_id = $1)`,
      [id],
    )
    await writer.query(`delete from customer where account_id = $1`, [id])
    await writer.query(`insert into customer (id, account_id) values ('cus_bench_' || $1, $1::uuid)`, [id])
    await writer.query(
      `insert into subscription (id, customer_id, price_id, status, created_at, seen_at, seen_rank)
       values ('sub_bench_' || $1, 'cus_bench_' || $1, 'price_v0', 'active', now(), now(), 0)`,
      [id],
    )
    watched.push({ id, token, role, committedAt: [performance.now()], revokedAt: Number.POSITIVE_INFINITY })
  }
  return watched
}

/** Changes plan and grants of one person after the other; every 97th turn also ends the sessions of that person. */
async function keepWriting(): Promise<void> {
  for (let turn = 0; !isOver; turn += 1) {
    const person = people[turn % people.length]
    if (!person || person.revokedAt < Number.POSITIVE_INFINITY) continue
    const version = person.committedAt.length
    await writer.query('begin')
    await writer.query(`update subscription set price_id = $1 where id = $2`, [
      `price_v${version}`,
      `sub_bench_${person.id}`,
    ])
    await writer.query(`delete from role_grant where role_id = $1`, [person.role])
    await writer.query(`insert into role_grant values ($1, 'version', $2)`, [person.role, `v${version}`])
    await writer.query('commit')
    person.committedAt.push(performance.now())
    if (turn % 97 === 96 && people.filter(({ revokedAt }) => revokedAt === Number.POSITIVE_INFINITY).length > 4) {
      await writer.query(`update session set ended_at = now() where account_id = $1 and ended_at is null`, [person.id])
      person.revokedAt = performance.now()
    }
    await setTimeout(5)
  }
}

async function keepReading(node: NodeName, offset: number): Promise<void> {
  const http = new HttpPool(nodes[node].url, { connections: 1 })
  for (let turn = offset; !isOver; turn += 1) {
    const person = people[turn % people.length]
    if (!person) continue
    const askedAt = performance.now()
    const mine = phase
    const { statusCode, body } = await http.request({
      path,
      method: 'GET',
      headers: { authorization: `Bearer ${person.token}` },
    })
    const text = await body.text()
    mine.answers += 1
    if (statusCode === 200) judge(mine, node, person, askedAt, text)
    else if (person.revokedAt === Number.POSITIVE_INFINITY && statusCode !== 401)
      throw new Error(`user/data answered ${statusCode}: ${text.slice(0, 200)}`)
  }
  await http.close()
}

function judge(of: Phase, node: NodeName, person: Watched, askedAt: number, text: string): void {
  const plan = Number(/"plan_id"\s*:\s*"price_v(\d+)"/.exec(text)?.[1])
  const grant = Number(/"v(\d+)"/.exec(text)?.[1] ?? 0)
  if (Number.isNaN(plan)) throw new Error(`an answer without a plan: ${text.slice(0, 300)}`)
  // The answer was outdated when the version after the older of the two was committed.
  const endedAt = person.committedAt[Math.min(plan, grant) + 1] ?? Number.POSITIVE_INFINITY
  of.oldestMs[node] = Math.max(of.oldestMs[node], askedAt - endedAt)
  const isBlackholed = of.name.includes('black hole') && node === 'proxied'
  if (askedAt - person.revokedAt > (isBlackholed ? 5_000 : boundMs)) of.wrongAfterRevocation += 1
}

function figures(): Figure[] {
  return phases.flatMap(({ name, oldestMs, answers, wrongAfterRevocation }) => [
    { what: `${name}: oldest answer, node on the database`, is: oldestMs.direct, unit: ' ms', atMost: boundMs },
    {
      what: `${name}: oldest answer, node behind the proxy`,
      is: oldestMs.proxied,
      unit: ' ms',
      atMost: name.includes('black hole') ? 5_000 : boundMs,
    },
    { what: `${name}: wrong answers after a revocation`, is: wrongAfterRevocation, atMost: 0 },
    { what: `${name}: answers read`, is: answers },
  ])
}
