import { expect, test } from 'vitest'
import { simulatorForTest, verdictOf } from '../engine/harness.ts'
import { open } from './recorded-check.ts'

test('a GoDaddy token pasted as the secret of an API key is called a token', async () => {
  const simulator = await simulatorForTest()
  const keyChecks = await open(simulator)
  const rejection = { code: 'UNABLE_TO_AUTHENTICATE', message: 'Unauthorized : Could not authenticate API key/secret' }
  simulator.fault = () => ({ status: 401, body: rejection })
  const messageFor = async (apiKey: string) => {
    const parts = { apiKeyId: 'dLf3TfeWKbPp' }
    const { outcome, message } = await verdictOf(
      keyChecks.check({ provider: 'godaddy', keyType: 'api_key', apiKey, parts }),
    )
    return { outcome, message }
  }
  const found = 'GoDaddy does not accept this API key: a part of it is wrong, or it was deleted'
  expect(await messageFor('gd_pat_aB3daB3daB3d_0123abcd')).toEqual({
    outcome: 'invalid',
    message: `${found}; it looks like an API token, so use keyType "api_token".`,
  })
  expect(await messageFor('aB3daB3daB3daB3d')).toEqual({
    outcome: 'invalid',
    message: `${found}, or it belongs to the test environment (OTE); copy all its parts again.`,
  })
})
