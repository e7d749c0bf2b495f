import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../../../support/service.ts'
import { codeAt, enrol, laterCode, newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const stepSeconds = 30

/** Moves the clock to five seconds after the start of a later step, so that no step ends during a test. */
function toStep(steps: number): void {
  const intoStep = (service.clock.now() / 1_000) % stepSeconds
  service.clock.advanceSeconds(steps * stepSeconds - intoStep + 5)
}

test.each([
  [1, 200],
  [9, 200],
  [10, 200],
  [11, 403],
  [12, 403],
])('a code one step early, then another one %i steps later: %i', async (steps, status) => {
  const { token, password } = await service.person()
  const { id: factorId, secret } = await enrol(service, token, { password })
  laterCode(service)
  const early = async () => {
    const code = codeAt(secret, service.clock.now() + stepSeconds * 1_000)
    return (await newClient(service).post('/auth/step-up', { factorId, code }, token)).status
  }
  toStep(1)
  expect(await early()).toBe(403)
  toStep(steps)
  expect(await early()).toBe(status)
})

test('rejects a repeated code that is one step early', async () => {
  const { token, password } = await service.person()
  const { id: factorId, secret } = await enrol(service, token, { password })
  laterCode(service)
  toStep(1)
  const code = codeAt(secret, service.clock.now() + stepSeconds * 1_000)
  for (let tries = 0; tries < 3; tries += 1)
    expect((await newClient(service).post('/auth/step-up', { factorId, code }, token)).status).toBe(403)
})
