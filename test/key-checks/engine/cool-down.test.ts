import { expect, test } from 'vitest'

import { faultToken } from '../../../simulators/cloudflare/faults.ts'
import { samples as S } from '../../../simulators/cloudflare/state.ts'
import { undetermined } from '../../../src/key-checks/engine/provider.ts'
import { startHarness } from './harness.ts'

test('a cool-down that a provider asked for is passed on, for the other processes to keep to', async () => {
  const asked: unknown[] = []
  const { outcomeOf } = await startHarness({ onCoolDown: (...coolDown) => asked.push(coolDown) })
  await outcomeOf(S.userToken)
  expect(asked).toEqual([])
  await outcomeOf(faultToken('rate_limit_971'))
  await outcomeOf(faultToken('lock_out'))
  expect(asked).toEqual([['cloudflare', undetermined('rate_limited', 7)]])
})

test('503 — after a cool-down that another process was asked for, nothing is sent until it is over', async () => {
  const { outcomeOf, validation, simulator, clock } = await startHarness()
  validation.coolDown('cloudflare', undetermined('locked_out', 30))
  clock.advanceSeconds(10)
  expect(await outcomeOf(S.userToken)).toEqual({ problem: 'provider_busy', retryAfterSeconds: 20 })
  expect(simulator.received).toEqual([])
  clock.advanceSeconds(20)
  expect(await outcomeOf(S.userToken)).toEqual({ isValid: true, code: 'valid' })
})

test('503 — a shorter cool-down neither shortens a longer one nor gives its reason', async () => {
  const { check, validation, clock } = await startHarness()
  validation.coolDown('cloudflare', undetermined('locked_out', 300))
  validation.coolDown('cloudflare', undetermined('rate_limited', 7))
  clock.advanceSeconds(8)
  await expect(check(S.userToken)).rejects.toMatchObject({
    code: 'provider_busy',
    message: expect.stringMatching(/^Cloudflare refuses this service/),
    more: { retryAfterSeconds: 292 },
  })
})

test('of a provider that does not exist no call is made and no cool-down is kept', async () => {
  const { outcomeOf, validation } = await startHarness({ limits: { callsPerSecondMax: 9, bulkFailuresMax: 8 } })
  validation.coolDown('nobody', undetermined('locked_out', 30))
  expect([validation.callsPerSecondMax('nobody'), validation.bulkFailuresMax('nobody')]).toEqual([0, 0])
  expect([validation.callsPerSecondMax('cloudflare'), validation.bulkFailuresMax('cloudflare')]).toEqual([9, 8])
  expect(await outcomeOf(S.userToken)).toEqual({ isValid: true, code: 'valid' })
})
