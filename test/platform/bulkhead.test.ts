import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { BulkheadFull, type CallerLimits, createBulkhead } from '../../src/platform/bulkhead.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A bulkhead whose tasks end when the test ends them. The first letter of a task's name is its caller. */
function createTestBulkhead(runningMax: number, waitingMax?: number, callerLimits?: CallerLimits) {
  const refusal = (isOwnShare: boolean) => new BulkheadFull(isOwnShare ? 'own share' : 'full')
  const bulkhead = createBulkhead(runningMax, waitingMax, { ...callerLimits, refusal })
  const running: { readonly name: string; finish(): void }[] = []
  const started: string[] = []
  return {
    bulkhead,
    started,
    running: () => running.map(({ name }) => name),
    /** `done`, or why the bulkhead rejected the task. */
    run(name: string): Promise<string> {
      const task = () =>
        new Promise<string>((resolve) => {
          started.push(name)
          running.push({ name, finish: () => resolve('done') })
        })
      return bulkhead.run(task, name[0]).catch((error: unknown) => {
        if (!(error instanceof BulkheadFull)) throw error
        return error.message
      })
    },
    async finish(place = 0): Promise<void> {
      running.splice(place, 1)[0]?.finish()
      await settled()
    },
  }
}

/** The outcome of a task, or `waits` if it has none yet. */
function outcomeNow(outcome: Promise<string>): Promise<string> {
  return Promise.race([outcome, settled().then(() => 'waits')])
}

describe('createBulkhead', () => {
  it('runs up to the limit, queues further tasks in order, and rejects tasks beyond the queue', async () => {
    const { run, finish, started } = createTestBulkhead(2, 2)
    const outcomes = ['a', 'b', 'c', 'd'].map((name) => run(name))
    expect(await run('e')).toBe('full')
    expect(started).toEqual(['a', 'b'])
    await finish(1)
    expect(started).toEqual(['a', 'b', 'c'])
    await finish()
    await finish()
    await finish()
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('frees the slot of a task that rejects or throws', async () => {
    const bulkhead = createBulkhead(1)
    await expect(bulkhead.run(() => Promise.reject(new Error('rejected')))).rejects.toThrow('rejected')
    const thrown = bulkhead.run(() => {
      throw new Error('thrown')
    })
    await expect(thrown).rejects.toThrow('thrown')
    expect(await bulkhead.run(async () => 'free')).toBe('free')
  })

  it('returns the result of a synchronous task immediately, or a promise if the task must wait', async () => {
    const bulkhead = createBulkhead(1, 1)
    expect(bulkhead.start(() => 'now')).toBe('now')
    const failing = () => {
      throw new Error('thrown')
    }
    expect(() => bulkhead.start(failing)).toThrow('thrown')
    let end = () => {}
    const first = bulkhead.start(() => new Promise<void>((resolve) => (end = resolve)))
    const second = bulkhead.start(() => 'later')
    expect(second).toBeInstanceOf(Promise)
    await expect(bulkhead.start(() => 'refused')).rejects.toThrow(BulkheadFull)
    end()
    expect(await Promise.all([first, second])).toEqual([undefined, 'later'])
    expect(bulkhead.start(() => 'free again')).toBe('free again')
  })

  it('rejects a caller that has reached its own limit while another caller is served', async () => {
    const { run, finish, started, running } = createTestBulkhead(3, 0, { running: 2 })
    void run('a1')
    void run('a2')
    expect(await run('a3')).toBe('own share')
    void run('b1')
    expect(running()).toEqual(['a1', 'a2', 'b1'])
    expect(await run('c1')).toBe('full')
    await finish()
    void run('a4')
    expect(started).toEqual(['a1', 'a2', 'b1', 'a4'])
  })

  it('lets the tasks of one caller wait for each other without delaying another caller', async () => {
    const { run, finish, started } = createTestBulkhead(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, {
      running: 1,
    })
    for (const name of ['a1', 'a2', 'a3', 'b1']) void run(name)
    expect(started).toEqual(['a1', 'b1'])
    await finish()
    expect(started).toEqual(['a1', 'b1', 'a2'])
  })

  it('lets callers take turns', async () => {
    const { run, finish, started } = createTestBulkhead(1, 10)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void run(name)
    for (let n = 0; n < 7; n += 1) await finish()
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('serves lower levels first, but every fourth turn goes to the caller that has waited longest', async () => {
    const levels: Readonly<Record<string, number>> = { k: 0, n: 1, f: 2 }
    const { run, finish, started } = createTestBulkhead(1, 20, { levelOf: (caller) => levels[caller] ?? 0 })
    void run('x')
    for (const name of ['f1', 'f2', 'n1', 'k1', 'k2', 'k3', 'k4', 'k5']) void run(name)
    for (let n = 0; n < 9; n += 1) await finish()
    expect(started).toEqual(['x', 'f1', 'k1', 'k2', 'k3', 'n1', 'k4', 'k5', 'f2'])
  })

  it('rejects the newest waiting task of the caller with most tasks if the queue is full for another caller', async () => {
    const { run } = createTestBulkhead(1, 4)
    void run('x')
    const [, , newest] = ['a1', 'a2', 'a3'].map((name) => run(name))
    const other = run('b1')
    const newcomer = run('c1')
    expect(await newest).toBe('full')
    expect(await Promise.all([other, newcomer].map(outcomeNow))).toEqual(['waits', 'waits'])
    // Now no caller has more than one task above the others.
    expect(await run('a4')).toBe('full')
  })

  it('rejects waiting tasks of a higher level first', async () => {
    const { run } = createTestBulkhead(1, 2, { levelOf: (caller) => (caller === 'f' ? 1 : 0) })
    void run('x')
    const outcomes = ['a1', 'f1'].map((name) => run(name))
    void run('a2')
    expect(await Promise.all(outcomes.map(outcomeNow))).toEqual(['waits', 'full'])
    expect(await run('f2')).toBe('full')
  })

  it('rejects a task that has waited too long, and never starts it', async () => {
    vi.useFakeTimers()
    try {
      const { run, finish, started } = createTestBulkhead(1, 2, { waitMs: 3_000 })
      void run('a')
      const late = run('b')
      await vi.advanceTimersByTimeAsync(2_999)
      void run('c')
      await vi.advanceTimersByTimeAsync(1)
      expect(await late).toBe('full')
      vi.useRealTimers()
      await finish()
      expect(started).toEqual(['a', 'c'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps its limits, loses no task and leaves no usable slot free, for random orders of starts and ends', async () => {
    const arrival = fc.constantFrom('a', 'b', 'c', 'd')
    const limits = fc.record({
      total: fc.integer({ min: 1, max: 4 }),
      waiting: fc.nat(6),
      own: fc.integer({ min: 1, max: 3 }),
    })
    const events = fc.array(fc.oneof(arrival, fc.nat(3)), { maxLength: 80 })
    const scenario = fc.asyncProperty(limits, events, async ({ total, waiting, own }, list) => {
      const { run, finish, running, bulkhead } = createTestBulkhead(total, waiting, {
        running: own,
        waiting: 3,
        levelOf: (caller) => (caller < 'c' ? 0 : 1),
      })
      const open = new Map<Promise<string>, string>()
      const outcomes: Promise<string>[] = []
      const check = () => {
        const queued = [...open.values()].toSorted()
        for (const name of running()) queued.splice(queued.indexOf(name), 1)
        const ofCaller = (names: readonly string[], caller: string) => names.filter((name) => name === caller).length
        expect(running().length).toBeLessThanOrEqual(total)
        expect(queued.length).toBeLessThanOrEqual(waiting)
        for (const caller of ['a', 'b', 'c', 'd']) {
          expect(ofCaller(running(), caller)).toBeLessThanOrEqual(own)
          expect(ofCaller(queued, caller)).toBeLessThanOrEqual(3)
        }
        if (running().length < total)
          expect(
            queued.filter((caller) => ofCaller(running(), caller) < own),
            'could run',
          ).toEqual([])
      }
      for (const event of [...list, ...Array<number>(list.length).fill(0)]) {
        if (typeof event === 'number') await finish(event)
        else {
          const hasCapacity = bulkhead.hasCapacity(event)
          const outcome = run(event)
          outcomes.push(outcome)
          open.set(outcome, event)
          void outcome.then(() => open.delete(outcome))
          await settled()
          expect(open.has(outcome)).toBe(hasCapacity)
        }
        check()
      }
      expect(open.size).toBe(0)
      for (const outcome of await Promise.all(outcomes)) expect(['done', 'full', 'own share']).toContain(outcome)
    })
    await fc.assert(scenario, { numRuns: 100 })
  })
})
