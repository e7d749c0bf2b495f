import { pino } from 'pino'
import type { Database } from '../../src/platform/database/database.ts'
import { databaseLimits } from '../../src/platform/database/limits.ts'
import { listen } from '../../src/platform/database/listen.ts'
import { pooledDatabase } from '../../src/platform/database/pool.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createResponseCache, type ResponseCache } from '../../src/user-data/cache.ts'
import { startInvalidation } from '../../src/user-data/invalidation.ts'

/** What nodes do with notices, in a process of their own. Started by `child_process.fork`; answers every order with a report. */
export type NoticeOrder =
  | {
      readonly kind: 'listen'
      readonly databaseUrl: string
      /** Listening connections. One is a whole node with its kept answers; more only listen. */
      readonly nodes: number
      /** Accounts of which the one node keeps an answer. */
      readonly keptIds: readonly string[]
    }
  | { readonly kind: 'report' }

export interface NoticeReport {
  /** Told so far, over all connections. */
  readonly notices: number
  /** When the last one was told, in milliseconds since 1970. */
  readonly lastAtMs: number
  readonly cpuUs: number
}

const log = pino({ level: 'silent' })
let notices = 0
let lastAtMs = 0

process.on('message', (order: NoticeOrder) => {
  const done = order.kind === 'listen' ? begin(order) : Promise.resolve()
  void done.then(report)
})
process.on('disconnect', () => process.exit())

function report(): void {
  const { user, system } = process.cpuUsage()
  const said: NoticeReport = { notices, lastAtMs, cpuUs: user + system }
  process.send?.(said)
}

async function begin({ databaseUrl, nodes, keptIds }: NoticeOrder & { kind: 'listen' }): Promise<void> {
  const link = { url: new Secret(databaseUrl) }
  const database = pooledDatabase({ link, limits: databaseLimits, preparedStatements: true, log })
  if (nodes === 1) await wholeNode(database, keptIds)
  else for (let node = 0; node < nodes; node += 1) await bareListener(database)
}

function note(): void {
  notices += 1
  lastAtMs = performance.timeOrigin + performance.now()
}

async function wholeNode(database: Database, keptIds: readonly string[]): Promise<void> {
  const cache = createResponseCache({ bytesMax: 256 * 2 ** 20, now: Date.now })
  await new Promise<void>((resolve) => {
    const counted: ResponseCache = {
      ...cache,
      invalidate(event) {
        cache.invalidate(event)
        note()
      },
      setConnected(isConnected) {
        cache.setConnected(isConnected)
        if (isConnected) resolve()
      },
    }
    startInvalidation(database, counted, log)
  })
  const body = JSON.stringify({ filling: 'x'.repeat(440) })
  for (const id of keptIds)
    await cache.getOrLoad(`["issuer","${id}"]`, async () => ({
      body,
      accountId: id,
      expiresAtMs: Number.POSITIVE_INFINITY,
    }))
}

function bareListener(database: Database): Promise<void> {
  return new Promise((resolve) => {
    listen(database, ['muster_changed'], {
      onNotification: note,
      onConnected: resolve,
      onLost: () => process.exit(1),
      onNotifyBlocked: () => process.exit(1),
    })
  })
}
