import { setTimeout } from 'node:timers/promises'

import { pino } from 'pino'

import type { Database } from '../../src/platform/database/database.ts'
import { openDatabase } from '../../src/platform/database/open.ts'
import { Problem } from '../../src/platform/problems.ts'

/** The service's database in the data directory that is its argument: says `ready`, and `committed <id>` for every transaction that was. */
const [dataDir = ''] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)
const log = pino({ level: 'silent' })
const database = await openDatabase({ dataDir, mode: 'own', log, limits: { connectTimeoutMs: 20_000 } })
say('ready')
await writeForEver(database)

/** Two rows in a transaction, so that half of one would be seen. What became of a transaction without an answer is not known. */
async function writeForEver(database: Database): Promise<never> {
  const insert = { name: 'insert', text: `insert into pair values ($1, 'left'), ($1, 'right')` }
  for (let id = Date.now() * 1_000; ; id += 1) {
    try {
      await database.transaction((rows) => rows.query(insert, [id]))
      say(`committed ${id}`)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await setTimeout(20) // refused at once while the database is away: without a pause nothing else would run
    }
  }
}
