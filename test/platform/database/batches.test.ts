import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { createBatches } from '../../../src/platform/database/database.ts'

const databaseError = () => new DatabaseError('refused', 7, 'error')

test('items that arrive during a statement share the next one, and each gets its own result', async () => {
  const batches: number[][] = []
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const square = createBatches<number, number>(async (items) => {
    batches.push([...items])
    if (batches.length === 1) await held
    return items.map((item) => item * item)
  })
  const first = square(1)
  await expect.poll(() => batches.length).toBe(1)
  const others = [2, 3, 4].map((item) => square(item))
  release()
  expect(await Promise.all([first, ...others])).toEqual([1, 4, 9, 16])
  expect(batches).toEqual([[1], [2, 3, 4]])
})

test('without isOneAtATime no statement waits for another, and each batch has all received items up to the maximum', async () => {
  const batches: number[][] = []
  const never = createBatches<number, number>(
    (items) => {
      batches.push([...items])
      return new Promise(() => undefined)
    },
    { itemsMax: 2, isOneAtATime: false },
  )
  for (const item of [1, 2, 3]) void never(item)
  await expect.poll(() => batches).toEqual([[1, 2], [3]])
  void never(4)
  await expect.poll(() => batches).toEqual([[1, 2], [3], [4]])
})

test('with isOneAtATime, items over the maximum are handled by consecutive statements', async () => {
  let underWay = 0
  let most = 0
  const echo = createBatches<number, number>(
    async (items) => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise(setImmediate)
      underWay -= 1
      return items
    },
    { itemsMax: 2, isOneAtATime: true },
  )
  const items = [1, 2, 3, 4, 5]
  expect(await Promise.all(items.map(echo))).toEqual(items)
  expect(most).toBe(1)
})

test('a statement that returns fewer results than items rejects all items', async () => {
  const short = createBatches<number, number>(async () => [1])
  const settled = await Promise.allSettled([1, 2].map(short))
  expect(settled).toMatchObject(
    [1, 2].map(() => ({ reason: { message: 'A statement returned 1 results for 2 items.' } })),
  )
})

test('an item that PostgreSQL rejects fails alone; if the database is unavailable, items are not retried alone', async () => {
  let runs = 0
  const run = createBatches<string, string>(async (items) => {
    runs += 1
    if (items.includes('down')) throw new Error('down')
    if (items.includes('bad')) throw databaseError()
    return items.map((item) => item.toUpperCase())
  })
  const settled = await Promise.allSettled(['a', 'bad', 'c'].map(run))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  runs = 0
  const failed = await Promise.allSettled(['a', 'down', 'c'].map(run))
  expect([failed.map(({ status }) => status), runs]).toEqual([Array(3).fill('rejected'), 1])
  expect(await run('after')).toBe('AFTER')
})
