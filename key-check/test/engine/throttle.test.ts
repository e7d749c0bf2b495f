import { expect, test } from 'vitest'
import { createCircuitBreaker } from '../../engine/backpressure.ts'
import { openKeyChecks } from '../../engine/check.ts'
import { defaultLimits } from '../../engine/limits.ts'
import { check, providers } from '../providers/recorded-check.ts'
import { simulatorForTest } from './harness.ts'

test('a rate below one call per second allows the two calls of a check, and the next ones at their time', async () => {
  let nowMs = 0
  const breaker = createCircuitBreaker(defaultLimits, 0.25, () => nowMs)
  const acquired = async () => (await breaker.acquire(AbortSignal.abort())).kind
  expect([await acquired(), await acquired()]).toEqual(['permit', 'permit'])
  nowMs += 4_000
  expect(await acquired()).toBe('permit')
  // It would be due in 4 s. The caller does not wait.
  expect(await acquired()).toBe('undetermined')
})

test('with the default limits, a check makes all its calls, at every provider', async () => {
  const simulator = await simulatorForTest()
  const slow = simulator.recordings.filter(({ id, asks }) => asks && (providers.get(id)?.callsPerSecondMax ?? 50) < 4)
  expect(slow.length).toBeGreaterThan(0)
  for (const recording of slow)
    for (const answer of recording.answers.filter(({ shows }) => shows?.capabilities)) {
      const keyChecks = await openKeyChecks({ baseUrls: simulator.baseUrls })
      const result = await check(keyChecks, recording, answer)
      await keyChecks.close()
      expect(result, `${recording.id} ${answer.name}`).toHaveProperty(
        'details.capabilities',
        answer.shows?.capabilities,
      )
    }
})
