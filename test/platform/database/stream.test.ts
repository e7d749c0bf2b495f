import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type FreshDatabase, freshDatabase } from '../../support/database.ts'
import { isReduced } from '../../support/reduced-profile.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase({ limits: { streamsMax: 1 } })
  await run('create table item (id int primary key)')
})
afterAll(() => fresh.drop())

const rowCount = 5_000
const numbers = { name: 'numbers', text: 'select i::text from generate_series(1, $1) i' }
/** Each row that the server produces acquires a lock, so that another connection can count the rows. */
const counted = {
  name: 'counted',
  text: `select ${isReduced ? 'i' : 'pg_try_advisory_xact_lock(i)'}::text from generate_series(1, ${rowCount}) i -- streamed`,
}
const sleeping = { name: 'sleeping', text: 'select pg_sleep(60)::text -- streamed' }

async function run(text: string): Promise<void> {
  await fresh.database.query({ name: createHash('sha256').update(text).digest('base64'), text }, [])
}

async function rowsMade(): Promise<number> {
  const text = `select 1 from pg_locks where locktype = 'advisory'
                and database = (select oid from pg_database where datname = current_database())`
  return (await fresh.database.query({ name: 'made', text }, [])).length
}

async function streamsRunning(): Promise<number> {
  const text = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
                and (query ~ 'streamed$' or query ~ '^fetch') and state <> 'idle'`
  return (await fresh.database.query({ name: 'running', text }, [])).length
}

test('yields every row once, in order, in batches', async () => {
  const sizes: number[] = []
  const texts: string[] = []
  for await (const batch of fresh.database.stream(numbers, [2_500], { batchRows: 1_000 })) {
    sizes.push(batch.length)
    texts.push(...batch)
  }
  expect(sizes).toEqual([1_000, 1_000, 500])
  expect(texts).toEqual(Array.from({ length: 2_500 }, (_, index) => String(index + 1)))
})

test('yields no batch if there are no rows', async () => {
  expect(await fresh.database.stream(numbers, [0]).next()).toEqual({ done: true, value: undefined })
})

test.skipIf(isReduced)(
  'limits the server to the speed of a slow reader: it produces few more rows than were read',
  async () => {
    const rows = fresh.database.stream(counted, [], { batchRows: 100 })
    await rows.next()
    await rows.next()
    expect(await rowsMade()).toBeLessThan(1_000)
    await rows.return()
  },
)

test('terminates the statement and frees the connection when the loop is left', async () => {
  for await (const batch of fresh.database.stream(counted, [], { batchRows: 10 })) {
    expect(batch).toHaveLength(10)
    break
  }
  await expect.poll(streamsRunning).toBe(0)
  expect((await fresh.database.stream(numbers, [3]).next()).value).toEqual(['1', '2', '3'])
})

test('terminates a statement without rows on abort', async () => {
  const abort = new AbortController()
  const first = fresh.database.stream(sleeping, [], { signal: abort.signal }).next()
  await expect.poll(streamsRunning).toBe(1)
  const reason = new Error('the reader left')
  abort.abort(reason)
  await expect(first).rejects.toBe(reason)
  await expect.poll(streamsRunning).toBe(0)
})

test('terminates the statement on abort between two batches', async () => {
  const abort = new AbortController()
  const rows = fresh.database.stream(counted, [], { signal: abort.signal, batchRows: 10 })
  await rows.next()
  const reason = new Error('the reader left')
  abort.abort(reason)
  await expect(readAll(rows)).rejects.toBe(reason)
  await expect.poll(streamsRunning).toBe(0)
})

test('sends no statement if already aborted', async () => {
  const reason = new Error('the reader left')
  await expect(fresh.database.stream(numbers, [1], { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason)
})

test('yields rows of one snapshot, despite concurrent writes', async () => {
  await run('insert into item select generate_series(1, 3000)')
  const rows = fresh.database.stream({ name: 'items', text: 'select id::text from item' }, [], { batchRows: 10 })
  const first = await rows.next()
  await run('delete from item')
  const rest = await readAll(rows)
  expect((first.value?.length ?? 0) + rest).toBe(3_000)
})

test('throws the SQLSTATE of a failed statement, and the connection can be reused', async () => {
  const divide = { name: 'divide', text: 'select (1 / (5 - i))::text from generate_series(1, 10) i' }
  await expect(readAll(fresh.database.stream(divide, []))).rejects.toMatchObject({ code: '22012' })
  expect(await readAll(fresh.database.stream(numbers, [3]))).toBe(3)
})

test('throws database_unavailable if the connection is lost', async () => {
  const rows = fresh.database.stream(counted, [], { batchRows: 10 })
  await rows.next()
  await run(`select pg_terminate_backend(pid) from pg_stat_activity where query ~ '^fetch'
             and datname = current_database() and pid <> pg_backend_pid()`)
  await expect(readAll(rows)).rejects.toMatchObject({ code: 'database_unavailable' })
  expect(await readAll(fresh.database.stream(numbers, [3]))).toBe(3)
})

test('throws database_unavailable if the reader pauses too long, and releases the snapshot', async () => {
  const other = await freshDatabase({ limits: { streamPauseTimeoutMs: 1_000 } })
  const rows = other.database.stream(numbers, [rowCount], { batchRows: 10 })
  await rows.next()
  const open = `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  await expect.poll(async () => (await other.database.query({ name: 'open', text: open }, [])).length).toBe(0)
  await expect(readAll(rows)).rejects.toMatchObject({ code: 'database_unavailable' })
  await other.drop()
})

test('throws database_unavailable if a batch takes too long, and terminates the statement', async () => {
  const other = await freshDatabase({ limits: { streamBatchTimeoutMs: 50 } })
  const rows = other.database.stream(sleeping, [])
  await expect(rows.next()).rejects.toMatchObject({ code: 'database_unavailable', more: { cause: { code: '57014' } } })
  await other.drop()
})

async function readAll(rows: AsyncIterable<readonly string[]>): Promise<number> {
  let count = 0
  for await (const batch of rows) count += batch.length
  return count
}
