import { expect, test } from 'vitest'

import { type CallResult, createCircuitBreaker } from '../../engine/backpressure.ts'
import { defaultLimits } from '../../engine/limits.ts'

/** The breaker opens if half of 20 calls in 10 s fail. */
function startBreaker() {
  let nowMs = 0
  const breaker = createCircuitBreaker(defaultLimits, 0, () => nowMs)
  const { signal } = new AbortController()
  return {
    async call(result: CallResult) {
      const permit = await breaker.acquire(signal)
      if (permit.kind === 'permit') permit.release(result)
    },
    isOpen: async () => (await breaker.acquire(signal)).kind === 'undetermined',
    advanceSeconds: (seconds: number) => {
      nowMs += seconds * 1_000
    },
  }
}

test('the breaker counts all calls of the last 10 s, however they are distributed', async () => {
  const { call, isOpen, advanceSeconds } = startBreaker()
  for (let second = 0; second < 10; second += 1) {
    if (second > 0) advanceSeconds(1)
    await call('success')
    expect(await isOpen()).toBe(false)
    await call('failure')
  }
  expect(await isOpen()).toBe(true)
})

test('the breaker ignores calls that are 10 s old', async () => {
  const { call, isOpen, advanceSeconds } = startBreaker()
  await call('failure')
  for (let second = 1; second < 10; second += 1) {
    advanceSeconds(1)
    await call('failure')
    await call('failure')
  }
  advanceSeconds(1)
  await call('failure')
  expect(await isOpen()).toBe(false)
  await call('failure')
  expect(await isOpen()).toBe(true)
})
