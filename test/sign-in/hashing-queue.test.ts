import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Problem } from '../../src/platform/problems.ts'
import { createHashingQueue, type HashingLane, hashingLimits } from '../../src/sign-in/passwords/hashing-queue.ts'

const limits = { ...hashingLimits(1), turns: 4, freshTurns: 3, waitMs: 60_000 }

/** Work that ends when the test says so. */
function workshop(given = limits) {
  const queue = createHashingQueue(given)
  const ends: (() => void)[] = []
  const started: string[] = []
  return {
    started,
    hasPlace: queue.hasPlace,
    /** What became of it: `done`, or the code of the problem and its seconds. */
    run(name: string, lane: HashingLane): Promise<string> {
      const work = () =>
        new Promise<void>((resolve) => {
          started.push(name)
          ends.push(resolve)
        })
      return queue.run(lane, work).then(
        () => 'done',
        (error: unknown) =>
          error instanceof Problem ? `${error.code} ${error.more.retryAfterSeconds}` : String(error),
      )
    },
    async finishOne(): Promise<void> {
      ends.shift()?.()
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const known: HashingLane = { isKnown: true }
const from = (network: string): HashingLane => ({ isKnown: false, network })
const overloaded = /^overloaded [1-5]$/

test('a network has one turn and four places; the next of it is refused at once, with Retry-After of 1 to 5 s', async () => {
  const { run, started } = workshop()
  for (let n = 0; n < 5; n += 1) void run(`a${n}`, from('a'))
  expect(await run('a5', from('a'))).toMatch(overloaded)
  expect(started).toEqual(['a0'])
})

test('clients that are not known never have all turns', async () => {
  const { run, started } = workshop()
  for (const network of ['a', 'b', 'c', 'd', 'e']) void run(network, from(network))
  await settled()
  expect(started).toEqual(['a', 'b', 'c'])
  void run('owner', known)
  await settled()
  expect(started).toEqual(['a', 'b', 'c', 'owner'])
})

test('the known are served before all others, and the others by network in turn', async () => {
  const { run, started, finishOne } = workshop({ ...limits, turns: 1, freshTurns: 1 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void run(name, from(name[0] ?? ''))
  void run('k1', known)
  void run('k2', known)
  await settled()
  for (let n = 0; n < 7; n += 1) await finishOne()
  expect(started).toEqual(['a1', 'k1', 'k2', 'b1', 'a2', 'b2', 'a3'])
})

test('where every place is taken, the newest of the network with most waiters leaves for a newcomer', async () => {
  const { run } = workshop()
  const flood = Array.from({ length: 16 }, (_, n) =>
    Array.from({ length: 5 }, (_unused, m) => run(`${n}.${m}`, from(`n${n}`))),
  )
  // Three networks run one each, thirteen have none running: 13 × 4 wait and 13 of the fifth tries were refused.
  const outcomes = flood.flat().map((outcome) => Promise.race([outcome, settled().then(() => 'waits')]))
  const refused = (await Promise.all(outcomes)).filter((outcome) => outcome !== 'waits')
  expect(refused).toHaveLength(13)
  for (const outcome of refused) expect(outcome).toMatch(overloaded)
  const newcomer = run('newcomer', from('new'))
  expect(await Promise.race([newcomer, settled().then(() => 'waits')])).toBe('waits')
  const now = flood.flat().map((outcome) => Promise.race([outcome, settled().then(() => 'waits')]))
  expect((await Promise.all(now)).filter((outcome) => outcome !== 'waits')).toHaveLength(14)
})

test('who was served, and who has left for a newcomer, take nobody else out of the queue later', async () => {
  vi.useFakeTimers()
  try {
    const queue = createHashingQueue({ ...limits, turns: 1, freshTurns: 1, freshPlaces: 2 })
    const ends: (() => void)[] = []
    const held = () => new Promise<void>((resolve) => ends.push(resolve))
    const first = queue.run(from('a'), held)
    const served = queue.run(from('a'), held)
    const left = expect(queue.run(from('a'), held)).rejects.toMatchObject({ code: 'overloaded' })
    const newcomer = queue.run(from('b'), async () => 'newcomer')
    await left
    ends[0]?.()
    await Promise.all([first, newcomer])
    await vi.advanceTimersByTimeAsync(limits.waitMs - 1)
    const waiting = queue.run(from('a'), async () => 'served')
    await vi.advanceTimersByTimeAsync(1)
    ends[1]?.()
    // Whoever is forgotten is refused in the end.
    await vi.advanceTimersByTimeAsync(limits.waitMs)
    expect(await Promise.all([served, waiting])).toEqual([undefined, 'served'])
  } finally {
    vi.useRealTimers()
  }
})

test('nobody waits longer than the limit, and who has left is not served', async () => {
  const { run, started, finishOne } = workshop({ ...limits, turns: 1, freshTurns: 1, waitMs: 5 })
  void run('first', from('a'))
  expect(await run('late', known)).toMatch(overloaded)
  expect(await run('also late', from('b'))).toMatch(overloaded)
  await finishOne()
  expect(started).toEqual(['first'])
})

test('work that fails gives its turn back', async () => {
  const queue = createHashingQueue({ ...limits, turns: 1, freshTurns: 1 })
  await expect(queue.run(known, () => Promise.reject(new Error('defect')))).rejects.toThrow('defect')
  expect(await queue.run(known, async () => 'next')).toBe('next')
})

test('clients of a proxy that is not trusted share no turn of a network, and one that ends lets the next begin', async () => {
  const { run, started, finishOne } = workshop()
  for (let n = 0; n < 4; n += 1) void run(`p${n}`, { isKnown: false })
  await settled()
  expect(started).toEqual(['p0', 'p1', 'p2'])
  await finishOne()
  await finishOne()
  void run('p4', { isKnown: false })
  await settled()
  expect(started).toEqual(['p0', 'p1', 'p2', 'p3', 'p4'])
})

test('those of such a proxy have the places of all who are not known, and whoever is known takes none of them', async () => {
  const { run, hasPlace } = workshop()
  for (let n = 0; n < limits.freshTurns + limits.freshPlaces; n += 1) void run(`p${n}`, { isKnown: false })
  expect(hasPlace(known)).toBe(true)
  const outcome = run('one more', { isKnown: false })
  expect(await Promise.race([outcome, settled().then(() => 'waits')])).toMatch(overloaded)
})

test('to ask for a place gives none in the order', async () => {
  const { run, hasPlace, started, finishOne } = workshop({ ...limits, turns: 1, freshTurns: 1 })
  void run('first', known)
  expect(hasPlace(from('b'))).toBe(true)
  void run('a', from('a'))
  void run('b', from('b'))
  await settled()
  await finishOne()
  await finishOne()
  expect(started).toEqual(['first', 'a', 'b'])
})

test('a refusal before the hash is held for a quarter of a second to a second, and no more of them than the limit', async () => {
  vi.useFakeTimers()
  try {
    const queue = createHashingQueue({ ...limits, heldRefusals: 2 })
    const refused: string[] = []
    const refuse = async (name: string) => {
      await expect(queue.refuse()).rejects.toMatchObject({ code: 'overloaded' })
      refused.push(name)
    }
    const first = [refuse('first'), refuse('second'), refuse('third')]
    await vi.advanceTimersByTimeAsync(249)
    expect(refused).toEqual(['third'])
    await vi.advanceTimersByTimeAsync(751)
    expect(refused.toSorted()).toEqual(['first', 'second', 'third'])
    const later = refuse('later')
    await vi.advanceTimersByTimeAsync(249)
    expect(refused).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(751)
    expect(refused).toHaveLength(4)
    await Promise.all([...first, later])
  } finally {
    vi.useRealTimers()
  }
})

test('a core is left for everything else, whatever the number of processes', () => {
  for (const workers of [1, 2, 8, 64]) {
    const { turns, freshTurns } = hashingLimits(workers)
    expect(turns).toBeGreaterThanOrEqual(1)
    expect(turns).toBeLessThanOrEqual(4)
    expect(freshTurns).toBeLessThanOrEqual(turns)
  }
})

test('in every order of arrivals and ends the limits hold, the places asked for beforehand are there, and whoever is not refused is served', async () => {
  const event = fc.oneof(fc.constantFrom('known', 'a', 'b', 'c', 'd'), fc.constant('end'))
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 120 }), async (events) => {
      const { run, hasPlace, started, finishOne } = workshop()
      const outcomes: Promise<string>[] = []
      for (const one of events) {
        if (one === 'end') {
          await finishOne()
          continue
        }
        const lane = one === 'known' ? known : from(one)
        const expected = hasPlace(lane) ? 'has a place' : expect.stringMatching(overloaded)
        const outcome = run(one, lane)
        outcomes.push(outcome)
        expect(await Promise.race([outcome, settled().then(() => 'has a place')])).toEqual(expected)
      }
      await settled()
      for (let n = 0; n < events.length; n += 1) await finishOne()
      const ended = await Promise.all(outcomes)
      expect(ended.filter((outcome) => outcome === 'done')).toHaveLength(started.length)
    }),
    { numRuns: 40 },
  )
})
