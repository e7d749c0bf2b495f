import { expect, test } from 'vitest'

import { Secret } from '../../../src/platform/secret.ts'
import { startHarness } from './harness.ts'

test.each([
  ['easydns', 'easyDNS'],
  ['imperva', 'Imperva'],
  ['internetbs', 'Internet.bs'],
  ['inwx', 'INWX'],
  ['netcup', 'netcup'],
  ['powerdns', 'PowerDNS'],
  ['rfc2136', 'RFC 2136'],
])('provider_unsupported — whoever asks for %s is told why its keys cannot be checked', async (provider, title) => {
  const { validation } = await startHarness()
  const check = validation.check({ provider, keyType: 'api_token', apiKey: new Secret('x') })
  const problem: unknown = await check.catch((error: unknown) => error)
  expect(problem).toMatchObject({
    code: 'provider_unsupported',
    more: { detail: expect.stringMatching(new RegExp(`${title} .{20,}; GET /api/v1/providers lists`)) },
  })
})
