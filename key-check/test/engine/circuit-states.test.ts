import { expect, test } from 'vitest'

import { createCircuitBreaker, type Permit } from '../../engine/backpressure.ts'
import { defaultLimits, type Limits } from '../../engine/limits.ts'

const { breakerCallsMin, breakerOpenMs } = defaultLimits

/** A breaker with a manual clock and no throttle. */
function startBreaker(limits: Partial<Limits> = {}) {
  let nowMs = 0
  const breaker = createCircuitBreaker({ ...defaultLimits, ...limits }, 0, () => nowMs)
  const acquire = () => breaker.acquire(new AbortController().signal)
  async function permit(): Promise<Permit> {
    const acquired = await acquire()
    if (acquired.kind !== 'permit') throw new Error(`no permit: ${acquired.reason}`)
    return acquired
  }
  async function fail(calls: number): Promise<void> {
    for (let call = 0; call < calls; call += 1) (await permit()).release('failure')
  }
  const advance = (ms: number) => {
    nowMs += ms
  }
  return { advance, fail, kind: async () => (await acquire()).kind, permit }
}

test('a cancelled call does not count: failures before and after it still open the circuit', async () => {
  const { fail, kind, permit } = startBreaker()
  await fail(breakerCallsMin - 1)
  for (let call = 0; call < 3 * breakerCallsMin; call += 1) (await permit()).release('uncounted')
  await fail(1)
  expect(await kind()).toBe('undetermined')
})

test('a cancelled trial does not close the circuit: the next call is a trial again', async () => {
  const { advance, fail, kind, permit } = startBreaker()
  await fail(breakerCallsMin)
  advance(breakerOpenMs)
  ;(await permit()).release('uncounted')
  const trial = await permit()
  expect(await kind()).toBe('undetermined')
  trial.release('success')
  expect([await kind(), await kind()]).toEqual(['permit', 'permit'])
})

test('after a successful trial, earlier failures no longer count', async () => {
  const { advance, fail, kind, permit } = startBreaker({ breakerOpenMs: 1_000 })
  await fail(breakerCallsMin)
  advance(1_000)
  ;(await permit()).release('success')
  await fail(breakerCallsMin - 1)
  expect(await kind()).toBe('permit')
})

test('a late call from before the circuit opened neither closes it nor ends the trial', async () => {
  const { advance, fail, kind, permit } = startBreaker()
  const late = await Promise.all([permit(), permit()])
  await fail(breakerCallsMin)
  advance(breakerOpenMs)
  late[0].release('success')
  const trial = await permit()
  late[1].release('success')
  expect(await kind()).toBe('undetermined')
  trial.release('success')
  expect([await kind(), await kind()]).toEqual(['permit', 'permit'])
})
