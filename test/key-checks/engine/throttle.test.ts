import { describe, expect, test } from 'vitest'

import { type CircuitBreaker, createCircuitBreaker } from '../../../src/key-checks/engine/circuit-breaker.ts'
import { defaultLimits } from '../../../src/key-checks/engine/limits.ts'

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

describe('of the calls that the breaker decides by', () => {
  const signal = new AbortController().signal
  const limits = { ...defaultLimits, breakerCallsMin: 4 }

  async function permits(breaker: CircuitBreaker, count: number) {
    const all = await Promise.all(Array.from({ length: count }, () => breaker.acquire(signal)))
    return all.map((one) => (one.kind === 'permit' ? one : expect.fail('refused')))
  }

  test('those that were given up count for nothing', async () => {
    const breaker = createCircuitBreaker(limits, 0, () => 0)
    for (const permit of await permits(breaker, 12)) permit.release('abandoned')
    const failed = await permits(breaker, 3)
    for (const permit of failed) permit.release('failure')
    await permits(breaker, 1)
  })

  test('those that began before it opened decide nothing when they end', async () => {
    let nowMs = 0
    const breaker = createCircuitBreaker(limits, 0, () => nowMs)
    const late = await permits(breaker, 2)
    for (const permit of await permits(breaker, 4)) permit.release('failure')
    expect((await breaker.acquire(signal)).kind).toBe('undetermined')
    late[0]?.release('success')
    expect((await breaker.acquire(signal)).kind).toBe('undetermined')
    nowMs += limits.breakerOpenMs
    const [probe] = await permits(breaker, 1)
    late[1]?.release('failure')
    expect((await breaker.acquire(signal)).kind).toBe('undetermined')
    probe?.release('success')
    await permits(breaker, 8)
  })
})
