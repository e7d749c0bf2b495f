import type { Logger } from 'pino'
import type { Database, Rows } from '../platform/database/database.ts'
import { listen } from '../platform/database/listen.ts'
import type { Answers } from './cache.ts'

export interface Changes {
  /** Resolves when every change that was committed before the call has been told to the answers kept here. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** The triggers of migrations/060_changes.sql tell each change on this channel. */
const channel = 'muster_changed'

/**
 * Keeps `answers` true: drops what changes, and everything while nobody tells. Factors that lie in another product's tables
 * (docs/directory.md) change without a word: with them nothing is kept at all.
 */
export function followChanges(database: Database, answers: Answers, log: Logger): Changes {
  let connection = 0
  let isDeaf = false

  async function begin(): Promise<void> {
    const mine = connection
    const isOurs = await areFactorsOurs(database).catch(() => false)
    if (mine === connection) answers.setTold(isOurs)
  }

  const listener = listen(database, [channel], {
    onNotification(_channel, payload) {
      if (payload === 'directory') restart()
      else answers.drop(payload)
    },
    onConnected() {
      isDeaf = false
      restart()
    },
    onLost() {
      connection += 1
      answers.setTold(false)
      log.warn('invalidation connection lost: response cache disabled until it is back')
    },
    onNotifyBlocked() {
      if (isDeaf) return
      isDeaf = true
      log.warn(
        'this database connection receives no NOTIFY, as behind a pooler in transaction mode: response cache disabled. See docs/scaling.md',
      )
    },
  })

  function restart(): void {
    connection += 1
    answers.setTold(false)
    void begin()
  }

  return {
    settled: () => listener.awaitProcessed(),
    stop: () => listener.stop(),
  }
}

/** Whether the view of factors reads our own table and no other. */
async function areFactorsOurs(rows: Rows): Promise<boolean> {
  const [row] = await rows.query<{ ours: boolean }>(directoryStatement, [])
  return row?.ours ?? false
}

const directoryStatement = {
  name: 'directory_is_ours',
  text: `
select coalesce(bool_and(d.refobjid = to_regclass('factor')), false) as ours
from pg_rewrite r
join pg_depend d on d.objid = r.oid and d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
where r.ev_class = to_regclass('directory.factor') and d.refobjid <> r.ev_class`,
}
