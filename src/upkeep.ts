import type { Logger } from 'pino'
import { completeErasuresFile, type ErasureSettings, eraseDue } from './identity/erase-account.ts'
import type { Database } from './platform/database/database.ts'
import { onOneNode } from './platform/database/one-node.ts'

/** How often each node checks whether the upkeep is due, and how often one of them does it. */
const checkEveryMs = 60_000
const everySeconds = 600

export interface UpkeepOptions {
  readonly erasure: ErasureSettings
  readonly log: Pick<Logger, 'warn'>
  readonly signal?: AbortSignal
}

/** Keeps the database small and erases what is to be erased, in the background. `stop` waits for a running batch. */
export function scheduleUpkeep(database: Database, options: Omit<UpkeepOptions, 'signal'>): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<unknown> = Promise.resolve()
  const check = () =>
    upkeepIfDue(database, { ...options, signal }).catch((error: unknown) => {
      if (!signal.aborted) options.log.warn({ err: error }, 'the upkeep of the database failed')
    })
  const timer = setInterval(() => {
    running = running.then(check)
  }, checkEveryMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/** The upkeep, if the last one by any node is long enough ago and no other node is at it; and what each node has to do for itself. */
export async function upkeepIfDue(database: Database, options: UpkeepOptions): Promise<void> {
  const isDue = async () => (await database.query(dueStatement, [everySeconds])).length > 0
  if (await isDue())
    await onOneNode(database, 'upkeep', async () => {
      // Checked again: the node that held the lock a moment ago may be done.
      if (await isDue()) await runUpkeep(database, options)
    })
  await completeErasuresFile(database, options.erasure)
}

async function runUpkeep(database: Database, { erasure, signal }: UpkeepOptions): Promise<void> {
  await eraseDue(database, erasure, { signal })
  if (!signal?.aborted) await database.query(finishedStatement, [])
}

const dueStatement = {
  name: 'upkeep_due',
  text: `
select 1
where not exists (select from upkeep where task = 'all' and finished_at > now() - make_interval(secs => $1::int))`,
}

const finishedStatement = {
  name: 'upkeep_finished',
  text: `
insert into upkeep (task, finished_at) values ('all', now())
on conflict (task) do update set finished_at = excluded.finished_at`,
}
