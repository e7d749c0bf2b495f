import { expect, test } from 'vitest'

import { faultToken } from '../../../simulators/cloudflare/faults.ts'
import { samples as S } from '../../../simulators/cloudflare/state.ts'
import { createCircuitBreaker } from '../../engine/backpressure.ts'
import { defaultLimits } from '../../engine/limits.ts'
import { undetermined } from '../../engine/provider.ts'
import { startHarness } from './harness.ts'

test('503 — sends nothing to a provider during its cool-down', async () => {
  const { outcomeOf, simulator, clock } = await startHarness()
  expect(await outcomeOf(faultToken('rate_limit_971'))).toEqual({
    outcome: 'undetermined',
    code: 'provider_busy',
    retryAfterSeconds: 7,
  })
  const calls = simulator.received.length
  clock.advanceSeconds(5)
  expect(await outcomeOf(S.userToken)).toEqual({ outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 2 })
  expect(simulator.received).toHaveLength(calls)
  clock.advanceSeconds(2)
  expect(await outcomeOf(S.userToken)).toEqual({ outcome: 'valid', code: 'valid' })
})

test('a shorter cool-down neither shortens a longer one nor replaces its reason', async () => {
  let nowMs = 0
  const breaker = createCircuitBreaker(defaultLimits, 0, () => nowMs)
  breaker.coolDown(undetermined('locked_out', 300))
  breaker.coolDown(undetermined('rate_limited', 7))
  nowMs += 8_000
  expect(await breaker.acquire(new AbortController().signal)).toEqual(undetermined('locked_out', 292))
})

test('callsPerSecondMax is 0 for an unknown provider', async () => {
  const { keyChecks } = await startHarness({ limits: { callsPerSecondMax: 9 } })
  expect(['nobody', 'cloudflare'].map(keyChecks.callsPerSecondMax)).toEqual([0, 9])
})
