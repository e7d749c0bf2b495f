import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { connect, type Nodes, startNodes } from './harness/change-nodes.ts'
import { copiedDatabase, startBenchServer } from './harness/databases.ts'
import { expectedHitRate, type Fleet, simulatedHitRate } from './harness/hit-rate.ts'
import { cpuMsOf, parentOf } from './harness/processes.ts'
import { type Figure, report } from './harness/report.ts'
import { loadBefore } from './harness/result.ts'
import { round, type Spread, spreadOf } from './harness/spread.ts'

/**
 * What it costs that every node knows of every change, measured with nodes that look at the changes, and what follows for 100 nodes.
 * npm run bench -- invalidations [--pairs 4] [--seconds 2] [--nodes 0,1,10,100]
 */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
    nodes: { type: 'string', default: '0,1,10,100' },
  },
  allowPositionals: true,
})
const pairs = Number(values.pairs)
const sliceMs = Number(values.seconds) * 1_000
const writersMany = 16
const accounts = 20_000

const load = loadBefore()
// Room for 100 nodes beside the writers; everything else as the service starts it.
const server = await startBenchServer({ max_connections: '250' })
try {
  // A database of its own, so that no population keeps a switched-off trigger.
  const databaseUrl = await copiedDatabase(server, accounts, 'bench_invalidations')
  const writers = await connect(databaseUrl, writersMany)
  const [first] = writers
  if (!first) throw new Error('there is no writer')
  const ids = (await first.query<{ id: string }>('select id from account')).rows.map(({ id }) => id)
  const serverPid = parentOf((await first.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0)
  const scene: Scene = { databaseUrl, writers, first, ids, serverPid }
  const rates: Rates[] = []
  for (const nodes of values.nodes.split(',').map(Number)) rates.push(await withNodes(nodes, scene))
  const node = await costInNode(scene)
  const ages = [await agesOn(10, scene), await agesOn(100, scene)]
  for (const writer of writers) await writer.end()
  const details = { load, accounts, writersMany, pairs, sliceMs, hundredNodes: hundredNodes(rates, node) }
  await report('invalidations', figuresOf({ rates, node, ages }), { ...details, hitRates: await hitRates() })
} finally {
  await server.stop()
}

interface Scene {
  readonly databaseUrl: string
  readonly writers: readonly Client[]
  readonly first: Client
  readonly ids: readonly string[]
  readonly serverPid: number
}

interface Rates {
  readonly nodes: number
  /** One writer, one commit at a time. */
  readonly commitMs: { readonly off: Spread; readonly on: Spread }
  /** As many writers as `writersMany`, each on rows of its own. */
  readonly commitsPerSecond: { readonly off: Spread; readonly on: Spread; readonly ratio: Spread }
  readonly postgresCpuUsPerCommit: { readonly off: Spread; readonly on: Spread }
  /** CPU of PostgreSQL for one look that finds nothing. */
  readonly postgresCpuUsPerLook: number
}

/** Commits with the trigger of `account` switched off and on in turn, while so many nodes look. */
async function withNodes(count: number, scene: Scene): Promise<Rates> {
  const { writers, first, serverPid } = scene
  const nodes = await startNodes(scene, count, [])
  const postgresCpuUsPerLook = await idleLookUs(nodes, serverPid)
  const single = { off: [] as number[], on: [] as number[] }
  const many = { off: [] as Commits[], on: [] as Commits[] }
  for (let pair = 0; pair < pairs; pair += 1)
    for (const kind of ['off', 'on'] as const) {
      await first.query(`alter table account ${kind === 'off' ? 'disable' : 'enable'} trigger account_updated`)
      single[kind].push(1_000 / (await commits(writers.slice(0, 1), scene)).perSecond)
      many[kind].push(await commits(writers, scene))
    }
  nodes.stop()
  const rates = (kind: keyof typeof many) => many[kind].map(({ perSecond }) => perSecond)
  const cpu = (kind: keyof typeof many) => spreadOf(many[kind].map(({ postgresCpuUs }) => postgresCpuUs))
  const off = rates('off')
  return {
    nodes: count,
    commitMs: { off: spreadOf(single.off), on: spreadOf(single.on) },
    commitsPerSecond: {
      off: spreadOf(off),
      on: spreadOf(rates('on')),
      ratio: spreadOf(rates('on').map((rate, pair) => rate / (off[pair] ?? Number.NaN))),
    },
    postgresCpuUsPerCommit: { off: cpu('off'), on: cpu('on') },
    postgresCpuUsPerLook,
  }
}

async function idleLookUs(nodes: Nodes, serverPid: number): Promise<number> {
  const before = await nodes.report()
  const cpuBefore = cpuMsOf(serverPid)
  await setTimeout(sliceMs)
  const cpuMs = cpuMsOf(serverPid) - cpuBefore
  return (cpuMs * 1_000) / ((await nodes.report()).looks - before.looks)
}

interface Commits {
  readonly perSecond: number
  readonly postgresCpuUs: number
}

/** Each writer changes an account of its own, again and again, for one slice. */
async function commits(writers: readonly Client[], { ids, serverPid }: Scene): Promise<Commits> {
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
  // The last events are still to be read.
  await setTimeout(200)
  return { perSecond: count / seconds, postgresCpuUs: ((cpuMsOf(serverPid) - cpuBefore) * 1_000) / count }
}

function change(writer: Client, id: string | undefined) {
  return writer.query({ name: 'change', text: 'update account set role_id = role_id where id = $1', values: [id] })
}

type NodeCost = Readonly<Record<'inOneLookCpuUs' | 'oneByOneCpuUs', Spread>>

/** CPU of a whole node for each event that drops an entry: where a look finds many, and where changes come one by one. */
async function costInNode(scene: Scene): Promise<NodeCost> {
  const { first, ids } = scene
  const cost = { inOneLookCpuUs: [] as number[], oneByOneCpuUs: [] as number[] }
  for (let turn = 0; turn < pairs; turn += 1) {
    const node = await startNodes(scene, 1, ids)
    const together = `insert into change_event_0 (kind, id) select 'account', id from unnest($1::uuid[]) id`
    cost.inOneLookCpuUs.push(await cpuPerEvent(node, () => first.query(together, [ids.slice(-8_000)])))
    cost.oneByOneCpuUs.push(
      await cpuPerEvent(node, async () => {
        for (const id of ids.slice(0, 2_000)) await change(first, id)
      }),
    )
    node.stop()
  }
  return { inOneLookCpuUs: spreadOf(cost.inOneLookCpuUs), oneByOneCpuUs: spreadOf(cost.oneByOneCpuUs) }
}

async function cpuPerEvent(node: Nodes, makeChanges: () => Promise<unknown>): Promise<number> {
  const before = await node.report()
  await makeChanges()
  await setTimeout(500)
  const after = await node.report()
  return (after.cpuUs - before.cpuUs) / (after.events - before.events)
}

interface Ages {
  readonly nodes: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** From the answer to a commit until each of the nodes knows of it, at some 300 changes a second. */
async function agesOn(count: number, scene: Scene): Promise<Ages> {
  const { first, writers, ids } = scene
  const noted = ids.slice(0, 200)
  const others = ids.slice(noted.length)
  const nodes = await startNodes(scene, count, [])
  await nodes.note(noted)
  let isOver = false
  const busy = writers.slice(1, 5).map(async (writer, index) => {
    for (let step = index; !isOver; step += 4) {
      await change(writer, others[step % others.length])
      await setTimeout(Math.random() * 24)
    }
  })
  const committedAt = new Map<string, number>()
  for (const id of noted) {
    await change(first, id)
    committedAt.set(id, performance.timeOrigin + performance.now())
    await setTimeout(10 + Math.random() * 20)
  }
  isOver = true
  await Promise.all(busy)
  const agesSoFar = async () =>
    Object.entries((await nodes.report()).arrivals).flatMap(([event, times]) =>
      times.map((at) => at - (committedAt.get(event.slice('account:'.length)) ?? Number.NaN)),
    )
  let ages = await agesSoFar()
  for (let waits = 0; ages.length < noted.length * count; waits += 1) {
    if (waits === 60) throw new Error(`${count} nodes saw ${ages.length} times one of ${noted.length} changes`)
    await setTimeout(500)
    ages = await agesSoFar()
  }
  nodes.stop()
  ages.sort((a, b) => a - b)
  const at = (share: number) => round(ages[Math.min(ages.length - 1, Math.floor(ages.length * share))] ?? Number.NaN)
  return { nodes: count, p50: at(0.5), p99: at(0.99), max: at(1) }
}

interface Measured {
  readonly rates: readonly Rates[]
  readonly node: NodeCost
  readonly ages: readonly Ages[]
}

function figuresOf({ rates, node, ages }: Measured): readonly Figure[] {
  return [
    ...rates.flatMap(figuresOfRates),
    { what: 'CPU of a node for an event, many in one look', is: node.inOneLookCpuUs, unit: ' µs' },
    { what: 'CPU of a node for an event, changes one by one', is: node.oneByOneCpuUs, unit: ' µs' },
    ...ages.flatMap(({ nodes, p50, p99, max }) => [
      { what: `${nodes} nodes: age of a change when a node knows it, median`, is: p50, unit: ' ms' },
      { what: `${nodes} nodes: the same, 99 of 100`, is: p99, unit: ' ms', ...(nodes === 10 && { atMost: 250 }) },
      { what: `${nodes} nodes: the same, oldest`, is: max, unit: ' ms' },
    ]),
  ]
}

function figuresOfRates(measured: Rates): readonly Figure[] {
  const { nodes, commitMs, commitsPerSecond, postgresCpuUsPerCommit, postgresCpuUsPerLook } = measured
  const what = (text: string) => `${nodes} nodes: ${text}`
  const atOnce = `${writersMany} writers, commits/s`
  return [
    { what: what('one writer, a commit without events'), is: commitMs.off, unit: ' ms' },
    { what: what('one writer, a commit with events'), is: commitMs.on, unit: ' ms' },
    { what: what(`${atOnce} without events`), is: commitsPerSecond.off },
    { what: what(`${atOnce} with events`), is: commitsPerSecond.on, ...(nodes === 100 && { atLeast: 1_000 }) },
    { what: what('ratio'), is: commitsPerSecond.ratio, ...(nodes === 10 && { atLeast: 0.8 }) },
    { what: what('CPU of PostgreSQL for a commit without events'), is: postgresCpuUsPerCommit.off, unit: ' µs' },
    { what: what('CPU of PostgreSQL for a commit with events'), is: postgresCpuUsPerCommit.on, unit: ' µs' },
    ...(nodes > 1
      ? [{ what: what('CPU of PostgreSQL for a look that finds nothing'), is: postgresCpuUsPerLook, unit: ' µs' }]
      : []),
  ]
}

/** What follows from the measured costs for 100 nodes at so many changes a second. Nothing in it was run at that size. */
function hundredNodes(rates: readonly Rates[], { oneByOneCpuUs }: NodeCost) {
  const [none, most] = [rates[0], rates.at(-1)]
  if (!none || !most || most.nodes === 0) return undefined
  const lookUs = most.postgresCpuUsPerLook
  const commitUs = none.postgresCpuUsPerCommit.on.median
  const looksPerSecond = 100 * 10
  // Of a commit while nodes look, what is neither the commit nor looks that find nothing.
  const looksUsPerCommit = (most.nodes * 10 * lookUs) / most.commitsPerSecond.on.median
  const eventUs = Math.max(0, most.postgresCpuUsPerCommit.on.median - commitUs - looksUsPerCommit) / most.nodes
  const rows = [1, 10, 100, 1_000, 10_000].map((changesPerSecond) => ({
    changesPerSecond,
    eventsPerSecond: changesPerSecond * 100,
    shareOfACoreInEachNode: round((changesPerSecond * oneByOneCpuUs.median) / 1e6),
    coresOfPostgres: round((looksPerSecond * lookUs + changesPerSecond * (commitUs + 100 * eventUs)) / 1e6),
    isWithinMeasuredCommits: changesPerSecond <= most.commitsPerSecond.on.median,
  }))
  return { postgresCpuUsForEachEventRead: round(eventUs), rows }
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
