import { expect, test } from 'vitest'
import { resultOf, simulatorForTest } from '../engine/harness.ts'
import { open } from './recorded-check.ts'

test.each([
  ['customer', 'valid'],
  ['address', 'provider_busy'],
])('a rate limit of NS1 by %s leaves the key of another customer %s', async (by, code) => {
  const simulator = await simulatorForTest()
  const keyChecks = await open(simulator)
  simulator.fault = ({ headers }) =>
    headers['x-nsone-key'] === 'busy' ? { status: 429, headers: { 'x-ratelimit-by': by }, body: {} } : undefined
  const codeFor = async (apiKey: string) => {
    const result = await resultOf(keyChecks.check({ provider: 'ns1', keyType: 'api_key', apiKey }))
    return 'code' in result ? result.code : result
  }
  expect(await codeFor('busy')).toBe('provider_busy')
  expect(await codeFor('ns1-valid')).toBe(code)
})
