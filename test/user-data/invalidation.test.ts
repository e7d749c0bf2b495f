import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Timers } from '../../src/platform/abortable.ts'
import { createFreshness } from '../../src/platform/database/freshness.ts'
import type { ResponseCache } from '../../src/user-data/cache.ts'
import { startInvalidation } from '../../src/user-data/invalidation.ts'
import { freshDatabase } from '../support/database.ts'

/** Invalidation that looks when it is asked to, what it does with the cache, and the waits that it begins. */
async function started({ pollMs = 3_600_000, freshnessSeconds = 100 } = {}) {
  const { database, sql, drop } = await freshDatabase()
  const done: string[] = []
  const waits: number[] = []
  const timers: Timers = {
    after(ms) {
      waits.push(ms)
      return () => undefined
    },
  }
  const cache: Pick<ResponseCache, 'invalidate' | 'setConnected'> = {
    invalidate: (event) => void done.push(event),
    setConnected: (isConnected) => void done.push(isConnected ? 'on' : 'off'),
  }
  const freshness = createFreshness(freshnessSeconds)
  // The trust boundary of this test: the two members that invalidation calls.
  const invalidation = startInvalidation(database, cache as ResponseCache, {
    freshness,
    freshnessSeconds,
    pollMs,
    timers,
    log: pino({ level: 'silent' }),
  })
  onTestFinished(async () => {
    invalidation.stop()
    await drop()
  })
  await invalidation.settled()
  return { invalidation, freshness, done, waits, sql }
}

test('the cache begins empty and is used from then on; each event is passed on to it', async () => {
  const { invalidation, done, sql } = await started()
  expect(done).toEqual(['off', 'on'])
  await sql(`select tell_changed('all', array[null::uuid])`)
  await invalidation.settled()
  expect(done).toEqual(['off', 'on', 'all'])
})

test('the cache is emptied before the view of factors is read again, and stays off where that reads other tables', async () => {
  const { invalidation, done, sql } = await started()
  await sql(`select tell_changed('directory', array[null::uuid])`)
  await invalidation.settled()
  expect(done).toEqual(['off', 'on', 'off', 'on'])
  await sql(`create table other_factor as select id, account_id, friendly_name from second_factor`)
  await sql(`create or replace view directory.factor as
    select id, account_id, friendly_name from second_factor union all select * from other_factor`)
  await sql(`select tell_changed('directory', array[null::uuid])`)
  await invalidation.settled()
  expect(done.slice(4)).toEqual(['off', 'off'])
})

test('a doubt ends the proof at once, and a look that begins then proves again', async () => {
  const { invalidation, freshness } = await started()
  expect(freshness.isProven()).toBe(true)
  invalidation.doubt()
  expect(freshness.isProven()).toBe(false)
  await expect.poll(() => freshness.isProven()).toBe(true)
})

test('the database is looked at as often as set, and at least five times while a proof lasts; a look is late after two fifths', async () => {
  const rare = await started({ pollMs: 3_600_000, freshnessSeconds: 100 })
  expect(new Set(rare.waits)).toEqual(new Set([40_000, 20_000]))
  const often = await started({ pollMs: 250, freshnessSeconds: 100 })
  expect(new Set(often.waits)).toEqual(new Set([40_000, 250]))
})
