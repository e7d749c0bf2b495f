import { expect, test } from 'vitest'

import { startHarness } from './harness.ts'

test.each([
  ['easydns', 'easyDNS'],
  ['imperva', 'Imperva'],
  ['internetbs', 'Internet.bs'],
  ['inwx', 'INWX'],
  ['powerdns', 'PowerDNS'],
  ['rfc2136', 'RFC 2136'],
])('provider_unsupported — the error for %s says why its keys cannot be checked', async (provider, title) => {
  const { keyChecks } = await startHarness()
  const check = keyChecks.check({ provider, keyType: 'api_token', apiKey: 'x' })
  const problem: unknown = await check.catch((error: unknown) => error)
  expect(problem).toMatchObject({
    code: 'provider_unsupported',
    message: expect.stringMatching(new RegExp(`${title} .{20,}; see providers\\(\\) for`)),
  })
})
