import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { samples, synthetic } from '../../../simulators/cloudflare/state.ts'
import { createFailureCounts, type FailureCounts } from '../../failure-counts.ts'
import { startHarness, startMs } from './harness.ts'

const wrong = (name: string) => synthetic('cfut_', name)

test('failures and places of a share never exceed its limit, in any order', async () => {
  const step = fc.record({
    advanceMs: fc.nat(400),
    places: fc.integer({ min: 1, max: 2 }),
    failures: fc.nat(2),
    endsFirst: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let nowMs = 0
      const counts = createFailureCounts(() => nowMs)
      const open: number[] = []
      let failedAtMs: number[] = []
      for (const { advanceMs, places, failures, endsFirst } of steps) {
        nowMs += advanceMs
        failedAtMs = failedAtMs.filter((atMs) => nowMs - atMs < 1_000)
        const { isHeld } = await counts.take({ digest: '', provider: '', shares: [{ share: 'a', places, max: 6 }] })
        if (isHeld) open.push(places)
        const held = open.reduce((sum, count) => sum + count, 0)
        expect(held + failedAtMs.length).toBeLessThanOrEqual(6)
        const freedPlaces = endsFirst ? open.shift() : undefined
        if (freedPlaces === undefined) continue
        const failed = Math.min(failures, freedPlaces)
        failedAtMs.push(...Array.from({ length: failed }, () => nowMs))
        await counts.record([{ share: 'a', failures: failed, freedPlaces, endsAtMs: nowMs + 1_000 }])
      }
    }),
  )
})

describe('a bulk check', () => {
  const bulk = { bulk: true }

  test('stops after six rejected keys while single checks continue, and continues five minutes later', async () => {
    const { simulator, outcomeOf, clock } = await startHarness()
    Object.assign(simulator.control, { lockOutAfter: 15, lockOutSeconds: 300 })
    const outcomes = []
    for (let number = 0; number < 10; number += 1) outcomes.push(await outcomeOf(wrong(`Bulk${number}`), bulk))
    const invalid = { outcome: 'invalid', code: 'not_recognised' }
    // Each key holds two places: the sixth could fail twice.
    expect(outcomes.slice(0, 5)).toEqual(Array(5).fill(invalid))
    expect(outcomes.slice(5)).toEqual(
      Array(5).fill({ outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 300 }),
    )
    expect(simulator.received).toHaveLength(5)
    clock.advanceSeconds(0.4)
    expect(await outcomeOf(wrong('Later'), bulk)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: 300,
    })
    expect(await outcomeOf(wrong('Single'))).toEqual(invalid)
    expect(await outcomeOf(samples.userToken)).toMatchObject({ outcome: 'valid' })

    clock.advanceSeconds(300)
    expect(await outcomeOf(wrong('Bulk9'), bulk)).toEqual(invalid)
  })

  test('makes no second call for a key whose first call used up the failures', async () => {
    const { simulator, outcomeOf } = await startHarness({ limits: { lockOutFailures: 2 } })
    const found = await outcomeOf('OldForm'.padEnd(40, 'x'), bulk)
    expect(found).toMatchObject({ outcome: 'undetermined', code: 'provider_busy' })
    expect(simulator.received).toHaveLength(1)
  })

  test('has a message that says why it waits', async () => {
    const { check } = await startHarness({ limits: { lockOutFailures: 2 } })
    await check(wrong('First'), bulk)
    await expect(check(wrong('Second'), bulk)).rejects.toMatchObject({
      code: 'provider_busy',
      message:
        'Cloudflare rejected many keys recently and may block this server, so the API token was not checked; try again later.',
    })
  })

  test('is unlimited while keys are valid; a valid limited key is not a failure', async () => {
    const { simulator, outcomeOf, clock } = await startHarness()
    for (let round = 0; round < 20; round += 1) {
      expect(await outcomeOf(samples.userToken, bulk)).toMatchObject({ outcome: 'valid' })
      expect(await outcomeOf(samples.accountFiltered, bulk)).toMatchObject({ outcome: 'valid' })
      expect(await outcomeOf(samples.accountLimited, bulk)).toMatchObject({ outcome: 'valid' })
      clock.advanceSeconds(61)
    }
    expect(simulator.received.length).toBeGreaterThanOrEqual(40)
  })

  test('never causes more failures than are left, even with many wrong keys in parallel', async () => {
    const { simulator, outcomeOf } = await startHarness()
    Object.assign(simulator.control, { lockOutAfter: 7 })
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, number) => outcomeOf(`OldForm${number}`.padEnd(40, 'x'), bulk)),
    )
    expect(outcomes.filter((found) => 'outcome' in found && found.outcome === 'invalid')).toHaveLength(3)
    expect(await outcomeOf(samples.userToken)).toMatchObject({ outcome: 'valid' })
  })

  test('valid keys never hold each other back, however few places there are', async () => {
    const { outcomeOf } = await startHarness({ limits: { lockOutFailures: 4 } })
    const good = [samples.userToken, samples.accountToken, samples.oldUserToken, samples.oldAccountToken]
    const outcomes = await Promise.all(good.map((key) => outcomeOf(key, bulk)))
    expect(outcomes).toMatchObject(good.map(() => ({ outcome: 'valid' })))
  })

  test.each([
    [400, 'provider_busy'],
    [401, 'provider_busy'],
    [403, 'provider_busy'],
    [404, 'provider_answer_unexpected'],
    [500, 'provider_answer_unexpected'],
  ])('counts an unknown answer %i as the provider may: then %s', async (status, problem) => {
    const { simulator, outcomeOf } = await startHarness()
    simulator.control.answer = () => ({ status, headers: {}, body: 'no' })
    for (let number = 0; number < 6; number += 1) await outcomeOf(wrong(`Single${number}`))
    expect(await outcomeOf(wrong('Bulk'), bulk)).toMatchObject({ code: problem })
  })

  test.each([
    [10_502, 'of a lockout', 0],
    [1_000, 'about the key', 1],
  ])('an answer with the code %i, %s, counts as %i failures', async (code, _, failures) => {
    const counts = createFailureCounts(() => startMs)
    let counted = 0
    const failureCounts: FailureCounts = {
      ...counts,
      record(changes) {
        if (changes.some((change) => change.failures > 0)) counted += 1
        return counts.record(changes)
      },
    }
    const { simulator, outcomeOf } = await startHarness({ failureCounts })
    const body = JSON.stringify({ success: false, errors: [{ code, message: '' }] })
    simulator.control.answer = () => ({ status: 403, headers: {}, body })
    await outcomeOf(wrong('Counted'), bulk)
    expect(counted).toBe(failures)
  })

  test('does not hold up a single check of the same key while it waits', async () => {
    const { simulator, outcomeOf } = await startHarness({ limits: { lockOutFailures: 4 } })
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
    expect(await Promise.all([first, waiting, single])).toMatchObject(Array(3).fill({ outcome: 'valid' }))
  })

  test('counts the failures of single checks', async () => {
    const { outcomeOf } = await startHarness()
    for (let number = 0; number < 5; number += 1) await outcomeOf(wrong(`Single${number}`))
    expect(await outcomeOf(wrong('Bulk'), bulk)).toMatchObject({ outcome: 'undetermined', code: 'provider_busy' })
  })
})
