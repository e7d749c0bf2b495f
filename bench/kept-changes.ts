import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { connect, startNodes } from './harness/change-nodes.ts'
import { copiedDatabase, startBenchServer } from './harness/databases.ts'
import { type Figure, report } from './harness/report.ts'
import { loadBefore } from './harness/result.ts'
import { round } from './harness/spread.ts'

/**
 * What very many changes leave behind: the size of the tables of events, and the memory of ten nodes that look at them. Each twentieth of
 * the changes is followed by ten minutes of the tables' clock, and by the upkeep.
 * npm run bench -- kept-changes [--changes 10000000]
 */
const { values } = parseArgs({ options: { changes: { type: 'string', default: '10000000' } } })
const changes = Number(values.changes)
const turns = 20
const writersMany = 8
/** Changes in one commit: with more than 100, the feed would say that everything changed. */
const rowsMany = 50
const accounts = 20_000
const sizeText = `select sum(pg_total_relation_size(c))::float8 / 1048576 as mib
from unnest('{change_event_0,change_event_1,change_event_2,change_feed}'::regclass[]) c`

const load = loadBefore()
const server = await startBenchServer({})
try {
  const databaseUrl = await copiedDatabase(server, accounts, 'bench_kept_changes')
  const writers = await connect(databaseUrl, writersMany)
  const [first] = writers
  if (!first) throw new Error('there is no writer')
  const ids = (await first.query<{ id: string }>('select id from account')).rows.map(({ id }) => id)
  const nodes = await startNodes({ databaseUrl }, 10, [])
  const tablesMiB: number[] = []
  const heapMiB: number[] = []
  for (let turn = 1; turn <= turns; turn += 1) {
    await Promise.all(writers.map((writer, index) => changeMany(writer, index)))
    await setTimeout(300)
    const { rows } = await first.query<{ mib: number }>(sizeText)
    tablesMiB.push(rows[0]?.mib ?? Number.NaN)
    heapMiB.push((await nodes.report()).heapMiB)
    // The turn begins: what is ten minutes away is the next one. The real clock, which a long run would cross, has no part in it.
    await first.query(`create or replace function change_slot(at timestamptz) returns int language sql stable
      return (${turn} + (at > clock_timestamp() + interval '5 minutes')::int) % 3`)
    await truncate(first)
  }
  const { events } = await nodes.report()
  nodes.stop()
  for (const writer of writers) await writer.end()
  await report('kept-changes', figuresOf({ tablesMiB, heapMiB, events }), { load, changes, accounts, turns })

  async function changeMany(writer: (typeof writers)[number], index: number): Promise<void> {
    const text = 'update account set role_id = role_id where id = any($1::uuid[])'
    const own = ids.slice((index * accounts) / writersMany, ((index + 1) * accounts) / writersMany)
    const commits = Math.ceil(changes / turns / writersMany / rowsMany)
    for (let commit = 0; commit < commits; commit += 1) {
      const at = (commit * rowsMany) % (own.length - rowsMany)
      await writer.query({ name: 'change many', text, values: [own.slice(at, at + rowsMany)] })
    }
  }
} finally {
  await server.stop()
}

/** As the upkeep of a node does it: once a minute, ten times before the turn of the table begins. A look may hold the lock at the moment. */
async function truncate(client: Client): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const { rows } = await client.query<{ done: boolean }>('select truncate_old_changes() as done')
    if (rows[0]?.done) return
  }
}

interface Kept {
  readonly tablesMiB: readonly number[]
  readonly heapMiB: readonly number[]
  readonly events: number
}

function figuresOf({ tablesMiB, heapMiB, events }: Kept): readonly Figure[] {
  const half = turns / 2
  const largest = (list: readonly number[]) =>
    [Math.max(...list.slice(0, half)), Math.max(...list.slice(half))] as const
  const [tablesFirst, tablesSecond] = largest(tablesMiB)
  const [heapFirst, heapSecond] = largest(heapMiB)
  return [
    { what: `${changes} changes, events read by 10 nodes`, is: events },
    { what: 'largest size of the tables, first half', is: tablesFirst, unit: ' MiB' },
    { what: 'the same, second half', is: tablesSecond, unit: ' MiB', atMost: round(tablesFirst * 1.2) },
    { what: 'largest heap of ten readers, first half', is: heapFirst, unit: ' MiB' },
    { what: 'the same, second half', is: heapSecond, unit: ' MiB', atMost: round(heapFirst * 1.5) },
  ]
}
