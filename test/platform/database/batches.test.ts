import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { createBatches } from '../../../src/platform/database/batches.ts'

const databaseError = () => new DatabaseError('refused', 7, 'error')

test('items that come while a statement is under way go together in the next, and each gets its own result', async () => {
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

test('an item that the database refuses fails alone; a database that does not answer is asked once', async () => {
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
