import { pino } from 'pino'
import type { Database } from '../../src/platform/database/database.ts'
import { createFreshness } from '../../src/platform/database/freshness.ts'
import { databaseLimits } from '../../src/platform/database/limits.ts'
import { listen } from '../../src/platform/database/listen.ts'
import { pooledDatabase } from '../../src/platform/database/pool.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createResponseCache, type ResponseCache } from '../../src/user-data/cache.ts'
import { startInvalidation } from '../../src/user-data/invalidation.ts'

/** What nodes do with invalidation events, in a process of their own. Answers every order with a report. */
export type NodeOrder =
  | {
      readonly kind: 'listen'
      readonly databaseUrl: string
      /** Listening connections. One is a whole node with its response cache; more only listen. */
      readonly nodes: number
      /** Accounts whose answers the one node has cached. */
      readonly cachedIds: readonly string[]
    }
  | { readonly kind: 'report' }

export interface NodeReport {
  /** Received so far, over all connections. */
  readonly events: number
  /** When the last one was received, in milliseconds since 1970. */
  readonly lastAtMs: number
  readonly cpuUs: number
}

const log = pino({ level: 'silent' })
let events = 0
let lastAtMs = 0

process.on('message', (order: NodeOrder) => {
  const done = order.kind === 'listen' ? start(order) : Promise.resolve()
  void done.then(sendReport)
})
process.on('disconnect', () => process.exit())

function sendReport(): void {
  const { user, system } = process.cpuUsage()
  const report: NodeReport = { events, lastAtMs, cpuUs: user + system }
  process.send?.(report)
}

async function start({ databaseUrl, nodes, cachedIds }: NodeOrder & { kind: 'listen' }): Promise<void> {
  const link = { url: new Secret(databaseUrl) }
  const database = pooledDatabase({ link, limits: databaseLimits, preparedStatements: true, log })
  if (nodes === 1) await startNode(database, cachedIds)
  else for (let node = 0; node < nodes; node += 1) await startListener(database)
}

function countEvent(): void {
  events += 1
  lastAtMs = performance.timeOrigin + performance.now()
}

async function startNode(database: Database, cachedIds: readonly string[]): Promise<void> {
  const cache = createResponseCache({ bytesMax: 256 * 2 ** 20, now: Date.now, isProven: () => true })
  await new Promise<void>((resolve) => {
    const counted: ResponseCache = {
      ...cache,
      invalidate(event) {
        cache.invalidate(event)
        countEvent()
      },
      setConnected(isConnected) {
        cache.setConnected(isConnected)
        if (isConnected) resolve()
      },
    }
    startInvalidation(database, counted, { freshness: createFreshness(5), log })
  })
  const body = JSON.stringify({ filling: 'x'.repeat(440) })
  for (const id of cachedIds)
    await cache.getOrLoad(`["issuer","${id}"]`, async () => ({
      body,
      accountId: id,
      expiresAtMs: Number.POSITIVE_INFINITY,
    }))
}

function startListener(database: Database): Promise<void> {
  return new Promise((resolve) => {
    listen(database, ['muster_changed'], {
      onNotification: countEvent,
      onConnected: resolve,
      onLost: () => process.exit(1),
      onNotifyBlocked: () => process.exit(1),
      onHeartbeat: () => () => undefined,
    })
  })
}
