import { expect, test } from 'vitest'

import { createCircuitBreaker } from '../../engine/circuit-breaker.ts'
import { defaultLimits } from '../../engine/limits.ts'

test('a rate below one call a second lets a call through, and the next when its time has come', async () => {
  let nowMs = 0
  const breaker = createCircuitBreaker(defaultLimits, 0.25, () => nowMs)
  const acquired = async () => (await breaker.acquire(new AbortController().signal)).kind
  expect(await acquired()).toBe('permit')
  nowMs += 2_000
  // It is due in two seconds, and waits for one at most.
  expect(await acquired()).toBe('undetermined')
  nowMs += 2_000
  expect(await acquired()).toBe('permit')
})
