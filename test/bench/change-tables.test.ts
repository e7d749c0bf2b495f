import fc from 'fast-check'
import type { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type ChangeTables, createChangeTables } from '../../bench/simulation/change-tables.ts'
import type { Rows, Statement } from '../../src/platform/database/database.ts'
import { type FeedPosition, readChanges } from '../../src/platform/database/read-changes.ts'
import { beginTurns, passTurns, truncateOldChanges } from '../support/change-turns.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

const writers = 3
const readers = 2
const turnMs = 600_000

/** Mostly changes and looks; turns of the tables and removals are rarer, as they are. */
const step = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant('change' as const) },
    { weight: 3, arbitrary: fc.constant('look' as const) },
    { weight: 2, arbitrary: fc.constantFrom('commit' as const, 'rollback' as const) },
    { weight: 2, arbitrary: fc.constantFrom('turn' as const, 'remove' as const) },
  ),
  which: fc.nat({ max: writers * readers - 1 }),
})

/** A transaction that writes to three tables, one after the other. */
const turnsInOneTransaction = (
  [
    'change',
    'turn',
    'change',
    'turn',
    'change',
    'look',
    'change',
    'commit',
    'change',
    'look',
    'turn',
    'remove',
  ] as const
).map((kind) => ({ kind, which: 0 }))

test('the model of the simulation finds what PostgreSQL finds, in every order of changes, commits, rollbacks, removals and looks', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const clients: Client[] = []
  for (let writer = 0; writer < writers; writer += 1) clients.push(await fresh.database.connect())
  onTestFinished(() => Promise.all(clients.map((client) => client.end())).then(() => undefined))
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const real = await openReal(fresh, clients)
      const model = openModel()
      try {
        for (const { kind, which } of steps) {
          if (kind === 'change') count += 1
          const act = { kind, which, id: `00000000-0000-7000-8000-${String(count).padStart(12, '0')}` }
          compare(await real(act), await model(act))
        }
      } finally {
        // An open transaction would make the next run wait for ever.
        for (const [which] of clients.entries()) await real({ kind: 'commit', which, id: '' })
      }
    }),
    { numRuns: 25, examples: [[turnsInOneTransaction]] },
  )
})

interface Act {
  readonly kind: 'change' | 'look' | 'commit' | 'rollback' | 'turn' | 'remove'
  readonly which: number
  /** Of the account that changes. */
  readonly id: string
}

type Found = readonly string[] | 'anew' | boolean | undefined

/**
 * A transaction of another database may keep a reader of PostgreSQL from telling that it has seen what was removed: it begins anew where the model,
 * which has one database, goes on. Never the other way round.
 */
function compare(real: Found, model: Found): void {
  if (real !== 'anew') expect(real).toEqual(model)
}

async function openReal(fresh: FreshDatabase, clients: readonly Client[]): Promise<(act: Act) => Promise<Found>> {
  await fresh.sql('delete from change_feed')
  await beginTurns(fresh)
  let turns = 0
  const look = createReaders(fresh.database)
  const open = clients.map(() => false)
  return async ({ kind, which, id }) => {
    const writer = which % writers
    switch (kind) {
      case 'change':
        await clients[writer]?.query(
          `${open[writer] ? '' : 'begin; '}select tell_changed('account', array['${id}'::uuid])`,
        )
        open[writer] = true
        return undefined
      case 'commit':
      case 'rollback':
        if (open[writer]) await clients[writer]?.query(kind)
        open[writer] = false
        return undefined
      case 'turn':
        turns += 1
        return void (await passTurns(fresh, turns))
      case 'remove':
        return truncateOldChanges(fresh)
      case 'look':
        return look(which)
    }
  }
}

function openModel(): (act: Act) => Promise<Found> {
  let nowMs = 0
  const tables = createChangeTables('model', () => nowMs)
  const look = createReaders(rowsOf(tables))
  const open = Array.from({ length: writers }, () => tables.begin())
  return async ({ kind, which, id }) => {
    const writer = which % writers
    switch (kind) {
      case 'change':
        open[writer]?.change(`account:${id}`)
        return undefined
      case 'commit':
      case 'rollback':
        open[writer]?.[kind]()
        open[writer] = tables.begin()
        return undefined
      case 'turn':
        nowMs += turnMs
        return undefined
      case 'remove':
        return tables.truncateOldChanges()
      case 'look':
        return look(which)
    }
  }
}

/** Readers that look at different times, by the service's own code. */
function createReaders(rows: Rows): (which: number) => Promise<Found> {
  const positions: (FeedPosition | undefined)[] = []
  return async (which) => {
    const reader = which % readers
    const { position, events } = await readChanges(rows, positions[reader])
    positions[reader] = position
    return events ? [...events].sort() : 'anew'
  }
}

function rowsOf(tables: ChangeTables): Rows {
  return {
    async query<Row extends object>({ name }: Statement, [snapshot, truncations]: readonly unknown[]) {
      if (name === 'change_feed_begin') tables.beginHistory()
      const found = tables.look(snapshot, truncations)
      // Trust boundary: the model answers with the row of the statement.
      return (found ? [{ ...found, hasSyncStandbys: false }] : []) as object[] as Row[]
    },
  }
}
