import type { Logger } from 'pino'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import { runOnOneNode } from '../platform/database/named-locks.ts'
import { Problem } from '../platform/problems.ts'
import type { ChangedBy } from './customers.ts'
import { reconcile } from './reconcile.ts'
import type { SubscriptionSource } from './sync.ts'

/** Reconciliations started by administrators. They run in the background, on the node that received the request. */
export interface ManualSync {
  /** Resolves when it has started, with the ids of the processors. Throws `sync_running` if a node is already reconciling. */
  start(by: ChangedBy): Promise<readonly string[]>
  /** Waits for a running reconciliation to end soon. */
  stop(): Promise<void>
}

export function createManualSync(database: Database, sources: readonly SubscriptionSource[], log: Logger): ManualSync {
  const stopping = new AbortController()
  const { signal } = stopping
  const processors = sources.map(({ processor }) => processor)
  let running: Promise<unknown> = Promise.resolve()

  async function run(source: SubscriptionSource): Promise<void> {
    await reconcile(database, source, { signal, log }).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error, processor: source.processor }, 'reconciliation failed')
    })
  }

  return {
    start: (by) =>
      new Promise((resolve, reject) => {
        running = runOnOneNode(database, 'billingSync', async () => {
          await recordAudit(database, { action: 'billing.sync_started', ...by, details: { processors } })
          resolve(processors)
          for (const source of sources) await run(source)
          return true
        }).then((isDone) => {
          if (!isDone) reject(new Problem('sync_running'))
        }, reject)
      }),
    async stop() {
      stopping.abort()
      await running
    },
  }
}
