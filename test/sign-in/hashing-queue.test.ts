import { availableParallelism } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { Problem } from '../../src/platform/problems.ts'
import { createHashingQueue, type HashingLane, hashingLimits } from '../../src/sign-in/passwords/hashing-queue.ts'

const limits = { ...hashingLimits({ signInsPerMinute: 60 }), hashesAtOnce: 1, attemptsBesideHashes: 0 }

/** Work that the test ends. */
function workshop(given = limits) {
  const queue = createHashingQueue(given, Date.now)
  const ends: (() => void)[] = []
  const started: string[] = []
  return {
    queue,
    started,
    /** `done`, or the code of the problem and its retry seconds. */
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
const known = (network: string): HashingLane => ({ isKnown: true, network })
const from = (network: string): HashingLane => ({ isKnown: false, network })
const overloaded = /^overloaded [1-5]$/

describe('the hashing queue', () => {
  it('has room for every attempt that one network may make in a minute, and rejects the next one', async () => {
    const { run, finishOne } = workshop()
    const outcomes = Array.from({ length: 61 }, (_, n) => run(`a${n}`, from('a')))
    expect(await run('one more', from('a'))).toMatch(overloaded)
    for (let n = 0; n < 61; n += 1) await finishOne()
    expect(await Promise.all(outcomes)).toEqual(Array(61).fill('done'))
  })

  it('alternates between networks', async () => {
    const { run, started, finishOne } = workshop()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) void run(name, from(name[0] ?? ''))
    for (let n = 0; n < 6; n += 1) await finishOne()
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
  })

  it('serves known clients first, and networks with recent failures last', async () => {
    const { queue, run, started, finishOne } = workshop()
    for (let n = 0; n < 10; n += 1) queue.failed(from('flood'))
    queue.failed(from('typo'))
    void run('running', from('x'))
    void run('flood1', from('flood'))
    // Every fourth hash ignores priorities: otherwise known clients could block all others.
    await finishOne()
    void run('flood2', from('flood'))
    void run('typo', from('typo'))
    void run('clean', from('clean'))
    void run('known', known('home'))
    for (let n = 0; n < 5; n += 1) await finishOne()
    expect(started).toEqual(['running', 'flood1', 'known', 'clean', 'typo', 'flood2'])
  })

  it('rejects queued clients of failing networks to make room for a network without failures', async () => {
    const { queue, run } = workshop({ ...limits, queueMax: 2 })
    queue.failed(from('flood'))
    void run('running', from('x'))
    const outcomes = ['flood1', 'flood2'].map((name) => run(name, from('flood')))
    void run('clean', from('clean'))
    void run('device', known('flood'))
    for (const outcome of await Promise.all(outcomes)) expect(outcome).toMatch(overloaded)
    expect([queue.hasPlace(from('flood')), queue.hasPlace(known('other'))]).toEqual([false, true])
  })

  it('forgets failures after five minutes', async () => {
    vi.useFakeTimers()
    try {
      const { queue, run } = workshop({ ...limits, queueMax: 1 })
      queue.failed(from('office'))
      void run('running', from('x'))
      await vi.advanceTimersByTimeAsync(299_000)
      queue.failed(from('office'))
      const waiting = run('office', from('office'))
      expect(queue.hasPlace(from('clean'))).toBe(true)
      await vi.advanceTimersByTimeAsync(1_001)
      expect(queue.hasPlace(from('clean'))).toBe(false)
      await vi.advanceTimersByTimeAsync(limits.waitMs)
      expect(await waiting).toMatch(overloaded)
    } finally {
      vi.useRealTimers()
    }
  })

  it('rejects a client after three seconds in the queue', async () => {
    vi.useFakeTimers()
    try {
      const { run, started } = workshop()
      void run('running', from('a'))
      let outcome = 'waits'
      void run('late', known('a')).then((given) => {
        outcome = given
      })
      await vi.advanceTimersByTimeAsync(2_900)
      expect(outcome).toBe('waits')
      await vi.advanceTimersByTimeAsync(100)
      expect(outcome).toMatch(overloaded)
      expect(started).toEqual(['running'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('makes an attempt in progress wait for its hash, and a queued attempt for its first statement', async () => {
    const { queue, run, started, finishOne } = workshop({ ...limits, attemptsBesideHashes: 1 })
    void run('hashing', from('a'))
    const steps: string[] = []
    const attempt = (name: string) =>
      queue.runAttempt(from(name), async () => {
        steps.push(`${name} began`)
        await queue.hash(async () => void steps.push(`${name} hashed`))
      })
    const attempts = [attempt('b'), attempt('c')]
    await settled()
    expect([started, steps]).toEqual([['hashing'], ['b began']])
    await finishOne()
    await Promise.all(attempts)
    expect(steps).toEqual(['b began', 'b hashed', 'c began', 'c hashed'])
  })

  it('passes on the error of the work', async () => {
    const { queue } = workshop()
    await expect(queue.run(known('a'), () => Promise.reject(new Error('defect')))).rejects.toThrow('defect')
  })

  it('delays a rejection by 250 ms to 1 s, up to the maximum number of delayed rejections', async () => {
    vi.useFakeTimers()
    try {
      const { queue } = workshop({ ...limits, delayedRefusalsMax: 2 })
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

  it('leaves one core for everything else', () => {
    const { hashesAtOnce, queueMax } = hashingLimits({ signInsPerMinute: 60 })
    expect(hashesAtOnce).toBe(Math.max(1, Math.min(4, availableParallelism() - 1)))
    expect(queueMax).toBe(hashesAtOnce * 120)
  })
})
