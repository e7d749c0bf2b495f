import { expect, test } from 'vitest'
import { simulatorForTest, verdictOf } from '../engine/harness.ts'
import { open } from './recorded-check.ts'

test('a Porkbun key of the sandbox is named as one', async () => {
  const simulator = await simulatorForTest()
  const keyChecks = await open(simulator)
  const messageFor = async (apiKey: string) => {
    const parts = { apiKeyId: 'pk1_example' }
    const { message } = await verdictOf(keyChecks.check({ provider: 'porkbun', keyType: 'api_key', apiKey, parts }))
    return message
  }
  expect(await messageFor('porkbun-sandbox')).toMatch(/^The Porkbun sandbox API key is genuine;/)
  expect(await messageFor('porkbun-valid')).toMatch(/^The Porkbun API key is genuine;/)
})
