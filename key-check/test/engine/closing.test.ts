import { expect, onTestFinished, test } from 'vitest'
import { samples, synthetic } from '../../../simulators/cloudflare/state.ts'
import { fieldsOf } from '../../engine/catalogue.ts'
import { startHarness } from './harness.ts'

test('503 shutting_down — closing ends a running check without waiting for the provider', async () => {
  const { outcomeOf, simulator, keyChecks } = await startHarness({
    limits: { deadlineMs: 100_000, headersTimeoutMs: 100_000 },
  })
  let release = () => {}
  simulator.control.hold = new Promise((done) => {
    release = done
  })
  onTestFinished(release)
  const checking = outcomeOf(samples.userToken)
  await expect.poll(() => simulator.received.length).toBe(1)
  await keyChecks.close()
  expect(await checking).toEqual({ error: 'closed' })
})

test('a finished check leaves no timer, whatever its deadline', async () => {
  const { outcomeOf } = await startHarness({ limits: { deadlineMs: 100_000 } })
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  await outcomeOf(samples.userToken)
  const before = timers()
  for (let number = 0; number < 20; number += 1) await outcomeOf(synthetic('cfut_', `Wrong${number}`))
  // Other timers, such as keep-alive, may differ by one.
  expect(timers()).toBeLessThan(before + 10)
})

test('a key that is a file has a multi-line field', () => {
  const multilineOf = (info: object) =>
    fieldsOf({ label: 'file', ...info }).map(({ name, multiline }) => [name, multiline])
  expect(multilineOf({ isMultiline: true })).toEqual([['apiKey', true]])
  expect(multilineOf({})).toEqual([['apiKey', false]])
})
