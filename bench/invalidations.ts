import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { startChild } from './harness/child.ts'
import { copiedDatabase, startBenchServer } from './harness/databases.ts'
import { expectedHitRate, type Fleet, simulatedHitRate } from './harness/hit-rate.ts'
import type { NodeOrder, NodeReport } from './harness/invalidation-node.ts'
import { cpuMsOf, parentOf } from './harness/processes.ts'
import { loadBefore, writeResult } from './harness/result.ts'
import { round, type Spread, spreadOf } from './harness/spread.ts'

/**
 * What it costs to send an invalidation event for every change to every node, measured with real listening connections, and what
 * follows for 100 nodes.
 * npm run bench -- invalidations [--pairs 4] [--seconds 2] [--listeners 0,1,10,100]
 */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
    listeners: { type: 'string', default: '0,1,10,100' },
  },
  allowPositionals: true,
})
const pairs = Number(values.pairs)
const sliceMs = Number(values.seconds) * 1_000
const writersMany = 16
const accounts = 20_000

const load = loadBefore()
// Room for 100 listeners beside the writers; everything else as the service starts it.
const server = await startBenchServer({ max_connections: '250' })
try {
  // A database of its own, so that no population keeps a switched-off trigger.
  const databaseUrl = await copiedDatabase(server, accounts, 'bench_invalidations')
  const writers = await connect(databaseUrl, writersMany)
  const ids = (await one(writers).query<{ id: string }>('select id from account')).rows.map(({ id }) => id)
  const serverPid = parentOf(
    (await one(writers).query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0,
  )
  const notified = []
  for (const listeners of values.listeners.split(',').map(Number))
    notified.push(await withListeners(databaseUrl, listeners, writers, ids, serverPid))
  const node = await costInNode(databaseUrl, writers, ids)
  const bytes = await bytesOfEvent(databaseUrl, one(writers), one(ids))
  const lag = await untilTheLastReceives(databaseUrl, one(writers), ids)
  for (const writer of writers) await writer.end()
  const measured = { notified, node, bytesOfEvent: bytes, msUntilTheLastOf100Received: lag }
  const computed = { hundredNodes: hundredNodes(measured), hitRates: await hitRates() }
  const result = { loadBefore: load, accounts, writersMany, pairs, sliceMs, measured, computed }
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n${writeResult('invalidations', result)}\n`)
} finally {
  await server.stop()
}

interface Notified {
  readonly listeners: number
  /** One writer, one commit at a time. */
  readonly commitMs: { readonly off: Spread; readonly on: Spread }
  /** As many writers as `writersMany`, each on rows of its own. */
  readonly commitsPerSecond: { readonly off: Spread; readonly on: Spread; readonly ratio: Spread }
  readonly postgresCpuUsPerCommit: { readonly off: Spread; readonly on: Spread }
  readonly events: number
}

/** Commits with the trigger of `account` switched off and on in turn, while so many connections listen. */
async function withListeners(
  databaseUrl: string,
  listeners: number,
  writers: readonly Client[],
  ids: readonly string[],
  serverPid: number,
): Promise<Notified> {
  const nodes = await startNodes(databaseUrl, listeners, [])
  const single = { off: [] as number[], on: [] as number[] }
  const many = { off: [] as Commits[], on: [] as Commits[] }
  for (let pair = 0; pair < pairs; pair += 1)
    for (const kind of ['off', 'on'] as const) {
      await one(writers).query(`alter table account ${kind === 'off' ? 'disable' : 'enable'} trigger account_updated`)
      const alone = await commits(writers.slice(0, 1), ids, serverPid)
      single[kind].push(1_000 / alone.perSecond)
      many[kind].push(await commits(writers, ids, serverPid))
    }
  const { events } = await nodes.report()
  nodes.stop()
  const rates = (kind: keyof typeof many) => many[kind].map(({ perSecond }) => perSecond)
  const cpu = (kind: keyof typeof many) => spreadOf(many[kind].map(({ postgresCpuUs }) => postgresCpuUs))
  const off = rates('off')
  return {
    listeners,
    commitMs: { off: spreadOf(single.off), on: spreadOf(single.on) },
    commitsPerSecond: {
      off: spreadOf(off),
      on: spreadOf(rates('on')),
      ratio: spreadOf(rates('on').map((rate, pair) => rate / (off[pair] ?? Number.NaN))),
    },
    postgresCpuUsPerCommit: { off: cpu('off'), on: cpu('on') },
    events,
  }
}

interface Commits {
  readonly perSecond: number
  readonly postgresCpuUs: number
}

/** Each writer changes an account of its own, again and again, for one slice. */
async function commits(writers: readonly Client[], ids: readonly string[], serverPid: number): Promise<Commits> {
  let count = 0
  const startedAt = performance.now()
  const cpuBefore = cpuMsOf(serverPid)
  await Promise.all(
    writers.map(async (writer, index) => {
      for (let step = index; performance.now() - startedAt < sliceMs; step += writers.length) {
        await change(writer, ids[step % ids.length])
        count += 1
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  // The last events are still on their way.
  await setTimeout(200)
  return { perSecond: count / seconds, postgresCpuUs: ((cpuMsOf(serverPid) - cpuBefore) * 1_000) / count }
}

function change(writer: Client, id: string | undefined) {
  return writer.query({ name: 'change', text: 'update account set role_id = role_id where id = $1', values: [id] })
}

/** CPU of a whole node for each event that drops an entry: in one transaction, and each in a transaction of its own. */
async function costInNode(databaseUrl: string, writers: readonly Client[], ids: readonly string[]) {
  const cost = { inOneStreamCpuUs: [] as number[], oneByOneCpuUs: [] as number[] }
  for (let turn = 0; turn < pairs; turn += 1) {
    const node = await startNodes(databaseUrl, 1, ids)
    const half = ids.length / 2
    cost.inOneStreamCpuUs.push(
      await cpuPerEvent(node, () =>
        one(writers).query(`select pg_notify('muster_changed', 'account:' || id) from unnest($1::uuid[]) id`, [
          ids.slice(half),
        ]),
      ),
    )
    cost.oneByOneCpuUs.push(
      await cpuPerEvent(node, async () => {
        for (const id of ids.slice(0, 2_000)) await change(one(writers), id)
      }),
    )
    node.stop()
  }
  return { inOneStreamCpuUs: spreadOf(cost.inOneStreamCpuUs), oneByOneCpuUs: spreadOf(cost.oneByOneCpuUs) }
}

async function cpuPerEvent(node: Nodes, notify: () => Promise<unknown>): Promise<number> {
  const before = await node.report()
  await notify()
  await setTimeout(500)
  const after = await node.report()
  return (after.cpuUs - before.cpuUs) / (after.events - before.events)
}

/** Bytes that one event puts on the wire to one node, without those of TCP and TLS. */
async function bytesOfEvent(databaseUrl: string, writer: Client, id: string): Promise<number> {
  const [listener] = await connect(databaseUrl, 1)
  if (!listener) return Number.NaN
  await listener.query('listen muster_changed')
  const bytesRead = () => Number(Reflect.get(listener.connection.stream, 'bytesRead'))
  const before = bytesRead()
  const received = once(listener, 'notification')
  await change(writer, id)
  await received
  const bytes = bytesRead() - before
  await listener.end()
  return bytes
}

/** From the answer to a commit until the last of 100 listeners has received the event; negative where it came before the answer. */
async function untilTheLastReceives(databaseUrl: string, writer: Client, ids: readonly string[]): Promise<Spread> {
  const nodes = await startNodes(databaseUrl, 100, [])
  const times: number[] = []
  for (const id of ids.slice(0, 50)) {
    await change(writer, id)
    const committedAtMs = performance.timeOrigin + performance.now()
    await setTimeout(100)
    times.push((await nodes.report()).lastAtMs - committedAtMs)
  }
  const { events } = await nodes.report()
  nodes.stop()
  if (events !== 50 * 100) throw new Error(`100 listeners received ${events} events of 50 changes`)
  return spreadOf(times)
}

interface Nodes {
  report(): Promise<NodeReport>
  stop(): void
}

async function startNodes(databaseUrl: string, nodes: number, cachedIds: readonly string[]): Promise<Nodes> {
  const { ask, stop } = startChild<NodeOrder, NodeReport>('harness/invalidation-node.js')
  await ask({ kind: 'listen', databaseUrl, nodes, cachedIds })
  return { report: () => ask({ kind: 'report' }), stop }
}

interface Measured {
  readonly notified: readonly Notified[]
  readonly node: { readonly oneByOneCpuUs: Spread }
  readonly bytesOfEvent: number
}

/** What follows from the measured costs for 100 nodes at so many changes a second. Nothing in it was run at that size. */
function hundredNodes({ notified, node, bytesOfEvent }: Measured) {
  const most = notified.at(-1)
  const none = notified[0]
  if (!most || !none || most.listeners === 0) return undefined
  const notifyingUs = most.postgresCpuUsPerCommit.on.median
  const wakingUs = (notifyingUs - none.postgresCpuUsPerCommit.on.median) / most.listeners
  const rows = [1, 10, 100, 1_000, 10_000].map((changesPerSecond) => ({
    changesPerSecond,
    eventsPerSecond: changesPerSecond * 100,
    mebibytesPerSecond: round((changesPerSecond * 100 * bytesOfEvent) / 2 ** 20),
    shareOfACoreInEachNode: round((changesPerSecond * node.oneByOneCpuUs.median) / 1e6),
    coresOfPostgres: round((changesPerSecond * (none.postgresCpuUsPerCommit.on.median + 100 * wakingUs)) / 1e6),
    isWithinMeasuredCommits: changesPerSecond <= most.commitsPerSecond.on.median,
  }))
  return { postgresCpuUsForEachListenerWoken: round(wakingUs), rows }
}

/** The formula beside a simulation with the service's own response cache. */
async function hitRates() {
  const base: Fleet = { nodes: 10, users: 2_000, requestsPerSecond: 1 / 20, writesPerSecond: 1, loadSeconds: 0.003 }
  const fleets: Fleet[] = [
    { ...base, nodes: 1 },
    base,
    { ...base, nodes: 100 },
    { ...base, writesPerSecond: 10 },
    { ...base, writesPerSecond: 100 },
    { ...base, writesPerSecond: 100, loadSeconds: 0.02 },
  ]
  const rows = []
  for (const fleet of fleets)
    rows.push({
      ...fleet,
      expected: round(expectedHitRate(fleet)),
      simulated: round(await simulatedHitRate(fleet, 600)),
    })
  return rows
}

async function connect(databaseUrl: string, count: number): Promise<readonly Client[]> {
  const clients = Array.from({ length: count }, () => new Client(databaseUrl))
  for (const client of clients) await client.connect()
  return clients
}

function one<T>(list: readonly T[]): T {
  const [first] = list
  if (first === undefined) throw new Error('the list is empty')
  return first
}
