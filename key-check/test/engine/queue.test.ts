import { expect, test } from 'vitest'
import { createQueue, QueueFull } from '../../engine/backpressure.ts'

/** Work that the test finishes. */
function controlled() {
  const started: string[] = []
  const ends = new Map<string, { readonly finish: () => void; readonly fail: (error: Error) => void }>()
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      started.push(name)
      ends.set(name, { finish: () => resolve(name), fail: reject })
    })
  return { started, work, end: (name: string) => ends.get(name) }
}

test('work beyond the limit waits in order of arrival, and a failure hands its place on', async () => {
  const { started, work, end } = controlled()
  const queue = createQueue(2)
  const results = ['a', 'b', 'c', 'd'].map((name) => queue.run(work(name)))
  expect(started).toEqual(['a', 'b'])
  end('b')?.fail(new Error('no'))
  await expect(results[1]).rejects.toThrow('no')
  expect(started).toEqual(['a', 'b', 'c'])
  end('a')?.finish()
  expect(await results[0]).toBe('a')
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  for (const name of ['c', 'd']) end(name)?.finish()
  expect(await Promise.all([results[2], results[3]])).toEqual(['c', 'd'])
})

test('rejects work if too much is waiting, and accepts it again later', async () => {
  const { started, work, end } = controlled()
  const queue = createQueue(1, 1)
  const results = [queue.run(work('a')), queue.run(work('b'))]
  await expect(queue.run(work('c'))).rejects.toThrow(QueueFull)
  for (const [at, name] of ['a', 'b'].entries()) {
    end(name)?.finish()
    expect(await results[at]).toBe(name)
  }
  const again = queue.run(work('c'))
  end('c')?.finish()
  expect(await again).toBe('c')
  expect(started).toEqual(['a', 'b', 'c'])
})
