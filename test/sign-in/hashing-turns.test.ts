import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHashingQueue, hashingLimits } from '../../src/sign-in/passwords/hashing-queue.ts'

const limits = { ...hashingLimits(1), turns: 4, freshTurns: 3, networkTurns: 1, waitMs: 60_000 }

/** Hashes of lanes, each of which ends when the test says so. */
function workshop(given = limits) {
  const queue = createHashingQueue(given)
  const running: { readonly lane: string; readonly end: () => void }[] = []
  const waiting: string[] = []
  return {
    running: () => running.map(({ lane }) => lane),
    waiting: () => [...waiting],
    async arrive(lane: string): Promise<void> {
      waiting.push(lane)
      const work = () =>
        new Promise<void>((end) => {
          waiting.splice(waiting.indexOf(lane), 1)
          running.push({ lane, end })
        })
      const isRefused = queue.run(lane === 'known' ? { isKnown: true } : { isKnown: false, network: lane }, work)
      isRefused.catch(() => waiting.splice(waiting.indexOf(lane), 1))
      await settled()
    },
    async end(place: number): Promise<void> {
      const [ended] = running.splice(place % Math.max(1, running.length), 1)
      ended?.end()
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const isFresh = (lane: string) => lane !== 'known'

function expectTurnsAreKept(running: readonly string[], waiting: readonly string[]): void {
  const fresh = running.filter(isFresh)
  expect(running.length).toBeLessThanOrEqual(limits.turns)
  expect(fresh.length).toBeLessThanOrEqual(limits.freshTurns)
  expect(new Set(fresh).size, 'one of each network').toBe(fresh.length)
  if (running.length === limits.turns) return
  expect(
    waiting.filter((lane) => !isFresh(lane)),
    'a turn is free',
  ).toEqual([])
  if (fresh.length === limits.freshTurns) return
  expect(
    waiting.filter((lane) => !running.includes(lane)),
    'a turn of theirs is free',
  ).toEqual([])
}

test('when one of four turns ends, one of the waiting begins, and never a fifth', async () => {
  const { arrive, end, running } = workshop()
  for (let n = 0; n < 10; n += 1) await arrive('known')
  for (const left of [4, 4, 4, 4, 4, 4, 4, 3, 2, 1]) {
    expect(running()).toHaveLength(left)
    await end(0)
  }
  expect(running()).toEqual([])
})

test('the known have places of their own: where all others are taken, one of them waits, takes nobody’s place, and is next', async () => {
  const { arrive, end, running, waiting } = workshop({ ...limits, turns: 3, freshPlaces: 4 })
  for (const network of ['a', 'b', 'c', 'd', 'd', 'e', 'e']) await arrive(network)
  expect([running(), waiting()]).toEqual([
    ['a', 'b', 'c'],
    ['d', 'd', 'e', 'e'],
  ])
  await arrive('known')
  await arrive('known')
  expect(waiting()).toEqual(['d', 'd', 'e', 'e', 'known', 'known'])
  await end(0)
  expect(running()).toEqual(['b', 'c', 'known'])
})

test('the known wait in 32 places, and the next of them is refused', async () => {
  const { arrive, running, waiting } = workshop()
  for (let n = 0; n < 40; n += 1) await arrive('known')
  expect([running(), waiting()].map(({ length }) => length)).toEqual([4, 32])
})

test('in every order of arrivals and ends no more hashes run than there are turns, and no turn stays free for which someone waits', async () => {
  const arrival = fc.constantFrom('known', 'a', 'b', 'c', 'd', 'e')
  const event = fc.oneof(arrival, fc.nat({ max: 3 }))
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 80 }), async (events) => {
      const { arrive, end, running, waiting } = workshop()
      for (const one of events) {
        await (typeof one === 'string' ? arrive(one) : end(one))
        expectTurnsAreKept(running(), waiting())
      }
      while (running().length > 0) {
        await end(0)
        expectTurnsAreKept(running(), waiting())
      }
      expect(waiting()).toEqual([])
    }),
    { numRuns: 60 },
  )
})
