import { expect, onTestFinished, test } from 'vitest'
import { samples, synthetic } from '../../../simulators/cloudflare/state.ts'
import { fieldsOf } from '../../engine/parts.ts'
import { startHarness } from './harness.ts'

test('503 shutting_down — a check under way ends when the checks are closed, and does not wait for its provider', async () => {
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

test('a check that has ended leaves no timer, however long it might have taken', async () => {
  const { outcomeOf } = await startHarness({ limits: { deadlineMs: 100_000 } })
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  await outcomeOf(samples.userToken)
  const before = timers()
  for (let number = 0; number < 20; number += 1) await outcomeOf(synthetic('cfut_', `Wrong${number}`))
  // Of others, such as the end of a kept connection, there may be one more or less.
  expect(timers()).toBeLessThan(before + 10)
})

test('the key of a type that is a file has a field of several lines', () => {
  const multilineOf = (info: object) =>
    fieldsOf({ label: 'file', email: 'unused', ...info }).map(({ name, multiline }) => [name, multiline])
  expect(multilineOf({ isMultiline: true })).toEqual([['apiKey', true]])
  expect(multilineOf({})).toEqual([['apiKey', false]])
})
