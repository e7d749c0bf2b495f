import { pino } from 'pino'
import { followChanges } from '../../src/platform/database/change-feed.ts'
import { createFreshness } from '../../src/platform/database/freshness.ts'
import { databaseLimits } from '../../src/platform/database/limits.ts'
import { pooledDatabase } from '../../src/platform/database/pool.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createResponseCache, type ResponseCache } from '../../src/user-data/cache.ts'
import { startInvalidation } from '../../src/user-data/invalidation.ts'

/** What nodes do with the changes of the database, in a process of their own. Answers every order with a report. */
export type NodeOrder =
  | {
      readonly kind: 'follow'
      readonly databaseUrl: string
      /** Nodes that look at the changes. One is a whole node with its response cache; of more, each only looks. */
      readonly nodes: number
      /** Accounts whose answers the one node has cached. */
      readonly cachedIds: readonly string[]
    }
  /** Begins to note when changes of these accounts arrive. */
  | { readonly kind: 'note'; readonly ids: readonly string[] }
  | { readonly kind: 'report' }

export interface NodeReport {
  /** Changes that have arrived so far, over all nodes. */
  readonly events: number
  /** Looks that have arrived. */
  readonly looks: number
  readonly cpuUs: number
  readonly heapMiB: number
  /** For each noted account when its change arrived at each node, in milliseconds since 1970. */
  readonly arrivals: Readonly<Record<string, readonly number[]>>
}

const log = pino({ level: 'silent' })
let events = 0
let looks = 0
/** Of the noted accounts; a lookup for each event would cost as much as reading it. */
let arrivals: Record<string, number[]> | undefined

process.on('message', (order: NodeOrder) => {
  if (order.kind === 'note') arrivals = Object.fromEntries(order.ids.map((id) => [`account:${id}`, []]))
  const done = order.kind === 'follow' ? start(order) : Promise.resolve()
  void done.then(sendReport)
})
process.on('disconnect', () => process.exit())

function sendReport(): void {
  const { user, system } = process.cpuUsage()
  const heapMiB = process.memoryUsage().heapUsed / 2 ** 20
  const report: NodeReport = { events, looks, cpuUs: user + system, heapMiB, arrivals: arrivals ?? {} }
  process.send?.(report)
}

async function start({ databaseUrl, nodes, cachedIds }: NodeOrder & { kind: 'follow' }): Promise<void> {
  if (nodes === 1) await startNode(databaseUrl, cachedIds)
  else await Promise.all(Array.from({ length: nodes }, () => startReader(databaseUrl)))
}

function databaseOf(url: string) {
  const limits = { ...databaseLimits, sideConnectionsMax: 1, connectTimeoutMs: 20_000 }
  return pooledDatabase({ link: { url: new Secret(url) }, limits, preparedStatements: true, log })
}

function count(event: string): void {
  events += 1
  arrivals?.[event]?.push(performance.timeOrigin + performance.now())
}

async function startNode(databaseUrl: string, cachedIds: readonly string[]): Promise<void> {
  const cache = createResponseCache({ bytesMax: 256 * 2 ** 20, now: Date.now, isProven: () => true })
  const counted: ResponseCache = {
    ...cache,
    invalidate(event) {
      cache.invalidate(event)
      count(event)
    },
  }
  const settings = { freshness: createFreshness(5), freshnessSeconds: 5, pollMs: 100, log }
  await startInvalidation(databaseOf(databaseUrl), counted, settings).settled()
  const body = JSON.stringify({ filling: 'x'.repeat(440) })
  for (const id of cachedIds)
    await cache.getOrLoad(`["issuer","${id}"]`, async () => ({
      body,
      accountId: id,
      expiresAtMs: Number.POSITIVE_INFINITY,
    }))
}

async function startReader(databaseUrl: string): Promise<void> {
  const apply = async (changes: readonly string[] = []) => {
    looks += 1
    for (const event of changes) count(event)
  }
  const timings = { everyMs: 100, proofEveryMs: 1_000, lateMs: 20_000, timeoutMs: 20_000 }
  await followChanges(databaseOf(databaseUrl), apply, { freshness: createFreshness(5), log, ...timings }).settled()
}
