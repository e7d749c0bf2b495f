import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { samples, synthetic } from '../../../simulators/cloudflare/state.ts'
import { createFailureCounts, createTurns, type NoPlace, type Places } from '../../../src/key-checks/engine/failures.ts'
import { startHarness } from './harness.ts'

const wrong = (name: string) => synthetic('cfut_', name)

/** Answers after a random number of turns of the event loop, as a database does. */
function slowly(counts: ReturnType<typeof createFailureCounts>) {
  return {
    async take(...asked: Parameters<typeof counts.take>): Promise<Places | NoPlace> {
      for (let turns = Math.floor(Math.random() * 5); turns > 0; turns -= 1) await setImmediate()
      const taken = await counts.take(...asked)
      for (let turns = Math.floor(Math.random() * 5); turns > 0; turns -= 1) await setImmediate()
      return taken
    },
  }
}

test('checks that wait for places get them in the order in which they came, and none is refused while one under way may free them', async () => {
  for (let round = 0; round < 50; round += 1) {
    const { take } = createTurns(slowly(createFailureCounts(1_000, () => 0)))
    const order: string[] = []
    // The fifth of all is right, the others are wrong: six failures are the bound.
    const checks = Array.from({ length: 9 }, async (_, number) => {
      const taken = await take('a', 6)
      order.push(`${number} ${taken.kind}`)
      if (taken.kind === 'no_place') return
      await setImmediate()
      await taken.settle(number === 4 ? 0 : 1)
    })
    await Promise.all(checks)
    expect(order).toEqual([
      ...[0, 1, 2, 3, 4, 5].map((number) => `${number} places`),
      ...[6, 7, 8].map((number) => `${number} no_place`),
    ])
  }
})

describe('the counts of one process', () => {
  test('places and failures of the window together never exceed the bound, whatever the order', async () => {
    const step = fc.record({
      advanceMs: fc.nat(400),
      places: fc.integer({ min: 1, max: 2 }),
      failures: fc.nat(2),
      settlesFirst: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        let nowMs = 0
        const counts = createFailureCounts(1_000, () => nowMs)
        const open: { places: number; settle(failures: number): Promise<void> }[] = []
        let failedAtMs: number[] = []
        for (const { advanceMs, places, failures, settlesFirst } of steps) {
          nowMs += advanceMs
          failedAtMs = failedAtMs.filter((atMs) => nowMs - atMs < 1_000)
          const taken = await counts.take('a', places, 6)
          if (taken.kind === 'places') open.push({ places, settle: taken.settle })
          else expect(taken.waitMs).toBeGreaterThan(0)
          const held = open.reduce((sum, { places: count }) => sum + count, 0)
          expect(held + failedAtMs.length).toBeLessThanOrEqual(6)
          const ended = settlesFirst ? open.shift() : undefined
          if (!ended) continue
          const failed = Math.min(failures, ended.places)
          failedAtMs.push(...Array.from({ length: failed }, () => nowMs))
          await ended.settle(failed)
        }
      }),
    )
  })

  test('after the wait there is a place, and providers are counted apart', async () => {
    let nowMs = 0
    const counts = createFailureCounts(1_000, () => nowMs)
    await counts.add('a', 5)
    nowMs = 400
    await counts.add('a', 1)
    expect((await counts.take('b', 2, 6)).kind).toBe('places')
    expect(await counts.take('a', 2, 6)).toEqual({ kind: 'no_place', waitMs: 600 })
    nowMs = 1_000
    expect((await counts.take('a', 2, 6)).kind).toBe('places')
  })
})

describe('a check of many keys', () => {
  const bulk = { isBulk: true }

  test('stops asking after six refused keys, single checks go on, and five minutes later the others follow', async () => {
    const { simulator, outcomeOf, clock } = await startHarness()
    Object.assign(simulator.control, { lockOutAfter: 15, lockOutSeconds: 300 })
    const outcomes = []
    for (let number = 0; number < 10; number += 1) outcomes.push(await outcomeOf(wrong(`Bulk${number}`), bulk))
    const invalid = { isValid: false, code: 'not_recognised' }
    // Two places are held for each: the sixth could fail twice.
    expect(outcomes.slice(0, 5)).toEqual(Array(5).fill(invalid))
    expect(outcomes.slice(5)).toEqual(Array(5).fill({ problem: 'provider_busy', retryAfterSeconds: 300 }))
    expect(simulator.received).toHaveLength(5)
    clock.advanceSeconds(0.4)
    expect(await outcomeOf(wrong('Later'), bulk)).toEqual({ problem: 'provider_busy', retryAfterSeconds: 300 })
    expect(await outcomeOf(wrong('Single'))).toEqual(invalid)
    expect(await outcomeOf(samples.userToken)).toMatchObject({ isValid: true })

    clock.advanceSeconds(300)
    expect(await outcomeOf(wrong('Bulk9'), bulk)).toEqual(invalid)
  })

  test('its sentence tells why it waits, and what else to do', async () => {
    const { check } = await startHarness({ limits: { bulkFailuresMax: 1 } })
    await check(wrong('First'), bulk)
    await expect(check(wrong('Second'), bulk)).rejects.toMatchObject({
      code: 'provider_busy',
      message:
        'Cloudflare refused many keys lately and may lock this service out, so the API token was not checked; try again later, or check it alone.',
    })
  })

  test('is not bounded while its keys are good, and a genuine key that is limited is no failure', async () => {
    const { simulator, outcomeOf, clock } = await startHarness()
    for (let round = 0; round < 20; round += 1) {
      expect(await outcomeOf(samples.userToken, bulk)).toMatchObject({ isValid: true })
      expect(await outcomeOf(samples.accountFiltered, bulk)).toMatchObject({ isValid: true })
      expect(await outcomeOf(samples.accountLimited, bulk)).toMatchObject({ isValid: true })
      clock.advanceSeconds(61)
    }
    expect(simulator.received.length).toBeGreaterThanOrEqual(40)
  })

  test('with many at once, all of them wrong, never causes more failures than are left', async () => {
    const { simulator, outcomeOf } = await startHarness()
    Object.assign(simulator.control, { lockOutAfter: 7 })
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, number) => outcomeOf(`OldForm${number}`.padEnd(40, 'x'), bulk)),
    )
    expect(outcomes.filter((outcome) => 'isValid' in outcome)).toHaveLength(3)
    expect(await outcomeOf(samples.userToken)).toMatchObject({ isValid: true })
  })

  test('good keys are never held back by each other, however few places there are', async () => {
    const { outcomeOf } = await startHarness({ limits: { bulkFailuresMax: 2 } })
    const good = [samples.userToken, samples.accountToken, samples.oldUserToken, samples.oldAccountToken]
    const outcomes = await Promise.all(good.map((key) => outcomeOf(key, bulk)))
    expect(outcomes).toMatchObject(good.map(() => ({ isValid: true })))
  })

  test.each([
    [400, 'provider_busy'],
    [401, 'provider_busy'],
    [403, 'provider_busy'],
    [404, 'provider_answer_unexpected'],
    [500, 'provider_answer_unexpected'],
  ])('counts an answer %i that decides nothing as the provider may: then %s', async (status, problem) => {
    const { simulator, outcomeOf } = await startHarness()
    simulator.control.answer = () => ({ status, headers: {}, body: 'no' })
    for (let number = 0; number < 6; number += 1) await outcomeOf(wrong(`Single${number}`))
    expect(await outcomeOf(wrong('Bulk'), bulk)).toMatchObject({ problem })
  })

  test('that waits for its place does not hold up a single check of the same key', async () => {
    const { simulator, outcomeOf } = await startHarness({ limits: { bulkFailuresMax: 2 } })
    let release = () => {}
    simulator.control.hold = new Promise((done) => {
      release = done
    })
    const first = outcomeOf(samples.userToken, bulk)
    await expect.poll(() => simulator.received.length).toBe(1)
    const waiting = outcomeOf(samples.oldUserToken, bulk)
    const single = outcomeOf(samples.oldUserToken)
    await expect.poll(() => simulator.received.length).toBe(2)
    release()
    expect(await Promise.all([first, waiting, single])).toMatchObject(Array(3).fill({ isValid: true }))
  })

  test('counts the failures of single checks', async () => {
    const { outcomeOf } = await startHarness()
    for (let number = 0; number < 5; number += 1) await outcomeOf(wrong(`Single${number}`))
    expect(await outcomeOf(wrong('Bulk'), bulk)).toMatchObject({ problem: 'provider_busy' })
  })
})
