import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

import { pino } from 'pino'

import type { Database } from '../../src/platform/database/database.ts'
import { openDatabase } from '../../src/platform/database/open.ts'
import { Problem } from '../../src/platform/problems.ts'
import { StartError } from '../../src/platform/start-error.ts'

/**
 * What `startProcess` runs: `<dataDir> own|join [write]`. Says `ready`, or `refused <sentence>`; with `write` it says
 * `committed <id>` for every transaction that was. Ends when its standard input does.
 */
const [dataDir = '', mode, write] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  const limits = { connectTimeoutMs: 20_000 }
  const log = pino({ level: 'silent' })
  const database = await openDatabase({ dataDir, mode: mode === 'own' ? 'own' : 'join', log, limits })
  say('ready')
  process.stdin.resume()
  const ended = once(process.stdin, 'end')
  if (write) await writeForEver(database)
  await ended
  await database.close()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  say(`refused ${error.message}`)
  process.exitCode = 1
}

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
