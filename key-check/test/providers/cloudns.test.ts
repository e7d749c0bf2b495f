import { expect, test } from 'vitest'
import { simulatorForTest } from '../engine/harness.ts'
import { open } from './recorded-check.ts'

test('an owner whose ClouDNS plan has no API reads that, and the password is not judged', async () => {
  const simulator = await simulatorForTest()
  const keyChecks = await open(simulator)
  const apiKey = 'cloudns-plan-without-api'
  const input = { provider: 'cloudns', keyType: 'api_key', apiKey, parts: { authId: '1234' } } as const
  expect(await keyChecks.check(input)).toEqual({
    outcome: 'undetermined',
    code: 'provider_refused',
    message:
      'ClouDNS does not allow this account to use its API, so the API user could not be checked; see what its plan includes.',
  })
})
