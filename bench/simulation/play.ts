import { createResponseCache } from '../../src/user-data/cache.ts'
import { createClock } from './clock.ts'
import { createCluster } from './cluster.ts'
import { type FaultPlan, plannedFaults } from './faults.ts'
import { createHistory, subjectsOf } from './history.ts'
import { createViolations, type Violation } from './invariants.ts'
import type { Fleet, Rates } from './load.ts'
import { createNode, type Scene, type SimulatedNode } from './node.ts'
import { createRandom, type Latency } from './random.ts'
import { type ReplicaTally, startReplica } from './replica.ts'
import { createTally, type Tallied } from './tally.ts'
import { commitLater } from './transactions.ts'

export interface Play {
  readonly fleet: Fleet
  readonly rates: Rates
  readonly seed: number
  /** What does not count, and what counts. */
  readonly warmUpSeconds: number
  readonly seconds: number
  /**
   * The part of the accounts whose calls are played. Each node then has that part of the cache as well, so that as many of its entries give way to
   * others as of the whole. Changes are those of all accounts: every node reads each of them.
   */
  readonly sample: number
  /** Responses for which a whole node has room. */
  readonly entriesMax: number
  readonly latency: Latency
  readonly faults?: FaultPlan
}

export interface Played extends Tallied {
  readonly violations: number
  readonly firstViolations: readonly Violation[]
  /** Of all accounts, on one node at the end. */
  readonly entriesPerNode: number
  readonly replica: ReplicaTally
}

const freshnessSeconds = 5
const pollMs = 100

export async function play(options: Play): Promise<Played> {
  const { fleet, sample, entriesMax } = options
  const clock = createClock()
  const random = createRandom(options.seed)
  const history = createHistory(clock.now)
  const cacheBytes = Math.max(1, Math.round(entriesMax * sample)) * (await entryBytes())
  const scene: Scene = {
    clock,
    random,
    cluster: createCluster(clock, history),
    history,
    violations: createViolations(clock.now),
    tally: createTally(),
    settings: { freshnessSeconds, pollMs, cacheBytes, latency: options.latency },
  }
  const nodes = Array.from({ length: fleet.nodes }, (_, index) => createNode(`node ${index}`, scene))
  const replica = startReplica(scene)
  changeFromOutside(options, scene)
  openSessions(options, scene, nodes)
  keepUp(scene, nodes)
  if (options.faults) plannedFaults(options.faults, scene, nodes, replica)
  await clock.runUntil(options.warmUpSeconds * 1_000)
  scene.tally.begin()
  await clock.runUntil((options.warmUpSeconds + options.seconds) * 1_000)
  checkAlive(scene, nodes)
  const entries = nodes.reduce((sum, node) => sum + node.stats().count, 0)
  return {
    ...scene.tally.result(),
    violations: scene.violations.count(),
    firstViolations: scene.violations.first(),
    entriesPerNode: Math.round(entries / fleet.nodes / sample),
    replica: replica.result(),
  }
}

/** What one entry of a simulation takes, as the cache counts it. */
async function entryBytes(): Promise<number> {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  await cache.getOrLoad('["https://muster.example","1000000","1000000"]', async () => ({
    body: '10.10.10',
    accountId: '1000000',
    expiresAtMs: 1,
  }))
  return cache.stats().bytes
}

/** Sessions that are open when the play begins, and those that begin during it: what is left of one does not depend on what was. */
function openSessions({ rates, sample, fleet }: Play, scene: Scene, nodes: readonly SimulatedNode[]): void {
  const { clock, random } = scene
  const people = Math.max(1, Math.round(fleet.accounts * sample))
  const changeInCall =
    (rates.changesPerSecond * rates.changesInSessions) / (rates.sessionsPerSecond * rates.callsPerSession)
  let sessions = 0

  function nodeFor(account: number): SimulatedNode | undefined {
    const place = fleet.routing === 'sticky' ? account % nodes.length : random.below(nodes.length)
    // The load balancer sends nothing to a node that does not answer.
    for (let step = 0; step < nodes.length; step += 1) {
      const node = nodes[(place + step) % nodes.length]
      if (node?.isRunning()) return node
    }
    return undefined
  }

  function call(account: number, session: number): boolean {
    const node = nodeFor(account)
    const isUnderWay = node?.request(account, session) ?? false
    if (random.happens(1 / rates.callsPerSession)) return isUnderWay
    clock.plan(random.exponential(rates.secondsBetweenCalls * 1_000), () => call(account, session))
    if (!random.happens(changeInCall)) return isUnderWay
    // Who has changed something looks at it at once, on the same node.
    node?.write(subjectsOf(account).slice(0, 1), () => node.request(account, session))
    return true
  }

  function open(): boolean {
    sessions += 1
    return call(random.below(people), sessions)
  }

  const sessionsPerMs = (rates.sessionsPerSecond * sample) / 1_000
  const openAtOnce = Math.round(sessionsPerMs * rates.callsPerSession * rates.secondsBetweenCalls * 1_000)
  for (let session = 0; session < openAtOnce; session += 1)
    clock.plan(random.exponential(rates.secondsBetweenCalls * 1_000), open)
  arrive(scene, 1 / sessionsPerMs, open)
}

/** Changes by payments, operators and sessions that are not played. Some run for long, some are rolled back, some concern an organisation. */
function changeFromOutside({ rates, sample, fleet }: Play, scene: Scene): void {
  const { random } = scene
  const played = rates.changesPerSecond * rates.changesInSessions * sample
  arrive(scene, 1_000 / (rates.changesPerSecond - played), () => {
    const account = random.below(fleet.accounts)
    const [own = '', organization = ''] = subjectsOf(account)
    const isOfAll = account % 2 === 0 && random.happens(0.1)
    const runsMs = random.happens(0.01) ? random.exponential(20_000) : random.exponential(5)
    commitLater(scene, isOfAll ? organization : own, { runsMs, isRolledBack: random.happens(0.02) })
    return false
  })
}

/** Calls `work` again and again, with independent times between. */
function arrive({ clock, random }: Scene, meanMs: number, work: () => unknown): void {
  const next = () =>
    clock.plan(random.exponential(meanMs), () => {
      next()
      return work()
    })
  next()
}

/** Each node tries once a minute to remove old events. */
function keepUp({ clock, cluster }: Scene, nodes: readonly SimulatedNode[]): void {
  for (const [index, node] of nodes.entries()) {
    const check = () => {
      const primary = cluster.primary()
      if (node.isRunning() && primary.isUp) primary.tables.truncateOldChanges()
      clock.plan(60_000, check)
      return false
    }
    clock.plan((60_000 * (index + 1)) / nodes.length, check)
  }
}

function checkAlive({ violations }: Scene, nodes: readonly SimulatedNode[]): void {
  for (const [index, node] of nodes.entries())
    if (!node.isRunning() || !node.stats().isConnected) violations.add('alive', `node ${index} does not cache`)
}
