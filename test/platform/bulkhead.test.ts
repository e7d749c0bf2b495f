import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BulkheadFull, createBulkhead } from '../../src/platform/bulkhead.ts'

/** A task that the test ends, in a list of those that have started. */
function controlledTasks() {
  const started: { name: string; finish: (value: string) => void; fail: (error: Error) => void }[] = []
  const task = (name: string) => () =>
    new Promise<string>((finish, fail) => {
      started.push({ name, finish, fail })
    })
  return { task, started, names: () => started.map(({ name }) => name) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('as many tasks run as may, the next wait in their order, and one more is refused at once', async () => {
  const { task, started, names } = controlledTasks()
  const bulkhead = createBulkhead(2, 2)
  const results = ['a', 'b', 'c', 'd'].map((name) => bulkhead.run(task(name)))
  await expect(bulkhead.run(task('e'))).rejects.toThrow(BulkheadFull)
  expect(names()).toEqual(['a', 'b'])
  started[1]?.finish('b')
  await settled()
  expect(names()).toEqual(['a', 'b', 'c'])
  for (const index of [0, 2]) started[index]?.finish('done')
  await settled()
  started[3]?.finish('d')
  expect(await Promise.all(results)).toEqual(['done', 'b', 'done', 'd'])
})

test('a task that fails, or throws before it waits, frees its place', async () => {
  const bulkhead = createBulkhead(1)
  const { task, started } = controlledTasks()
  const failing = bulkhead.run(task('a'))
  started[0]?.fail(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  const thrown = bulkhead.run(() => {
    throw new Error('at once')
  })
  await expect(thrown).rejects.toThrow('at once')
  expect(await bulkhead.run(async () => 'room')).toBe('room')
})

test('whatever comes and ends in whatever order, no more run than may, none is lost, and all places are free at the end', async () => {
  const moves = fc.array(fc.oneof(fc.constant('come' as const), fc.nat(5)), { maxLength: 40 })
  const scenario = fc.asyncProperty(
    fc.integer({ min: 1, max: 3 }),
    fc.nat(3),
    moves,
    async (runningMax, most, list) => {
      const bulkhead = createBulkhead(runningMax, most)
      const { task, started } = controlledTasks()
      const results: Promise<string>[] = []
      let ended = 0
      for (const move of [...list, ...Array<number>(list.length).fill(0)]) {
        if (move === 'come') results.push(bulkhead.run(task('x')).catch(() => 'refused'))
        else {
          const open = started.splice(move, 1)
          for (const { finish } of open) finish('done')
          ended += open.length
        }
        await settled()
        expect(started.length).toBeLessThanOrEqual(runningMax)
      }
      const outcomes = await Promise.all(results)
      expect(outcomes.filter((outcome) => outcome === 'done').length).toBe(ended)
      const { task: last, started: free } = controlledTasks()
      const all = Array.from({ length: runningMax }, () => bulkhead.run(last('y')))
      expect(free.length).toBe(runningMax)
      for (const { finish } of free) finish('done')
      await Promise.all(all)
    },
  )
  await fc.assert(scenario)
})
