import { expect, test } from 'vitest'

import { createCircuitBreaker } from '../../engine/circuit-breaker.ts'
import { defaultLimits } from '../../engine/limits.ts'

test('a rate below one call per second allows one call, and the next at its time', async () => {
  let nowMs = 0
  const breaker = createCircuitBreaker(defaultLimits, 0.25, () => nowMs)
  const acquired = async () => (await breaker.acquire(new AbortController().signal)).kind
  expect(await acquired()).toBe('permit')
  nowMs += 2_000
  // It is due in 2 s, and a call waits for at most 1 s.
  expect(await acquired()).toBe('undetermined')
  nowMs += 2_000
  expect(await acquired()).toBe('permit')
})
