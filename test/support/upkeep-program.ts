import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import type { Database } from '../../src/platform/database/database.ts'
import { databaseLimits } from '../../src/platform/database/limits.ts'
import { pooledDatabase } from '../../src/platform/database/pool.ts'
import { Secret } from '../../src/platform/secret.ts'
import { upkeepIfDue } from '../../src/service/upkeep.ts'

/** What `test/faults/upkeep-killed.long.test.ts` runs: the upkeep of a node that dies by `kill -9` at the named moment. */
const [url = '', dataDir = '', moment] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const limits = { ...databaseLimits, connectTimeoutMs: 20_000 }
const database = pooledDatabase({ link: { url: new Secret(url) }, limits, preparedStatements: true, log })

let batches = 0
let erasures = 0

/** Nothing of this process runs after it. */
async function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
}

const dying: Database = {
  ...database,
  async query(statement, values) {
    const answer = database.query<never>(statement, values)
    if (statement.name !== 'retention_audit') return answer
    batches += 1
    if (batches < 2) return answer
    if (moment === 'while a batch runs') {
      // Handed to the socket, and not answered, or answered and not read.
      for (let turn = 0; turn < 3; turn += 1) await setImmediate()
      await die()
    }
    const answered = await answer
    if (moment === 'between two batches') await die()
    return answered
  },
  async transaction(work) {
    erasures += 1
    const isLast = erasures === 2
    const result = await database.transaction(async (rows) => {
      const done = await work(rows)
      if (isLast && moment === 'before an erasure is committed') await die()
      return done
    })
    if (isLast && moment === 'after an erasure, before its line in the file') await die()
    return result
  },
}

const retention = { auditDays: 400, refusalDays: 90, billingEventDays: 400, webhookDays: 0 }
await upkeepIfDue(dying, { erasure: { afterDays: 14, dataDir, log }, retention, log })
process.exit(0)
