import { expect, test } from 'vitest'
import { simulatorForTest, verdictOf } from '../engine/harness.ts'
import { open } from './recorded-check.ts'

test.each([
  ['example.org', 'yes', '/v2/dns-domain/00000000-0000-4000-8000-000000000001/record'],
  ['xn--mnchen-3ya.example', 'yes', '/v2/dns-domain/00000000-0000-4000-8000-000000000060/record'],
  ['missing.example', 'no', '/v2/dns-domain'],
])('finds a zone of Exoscale among 60, or shows that it is missing: %s', async (zone, fitsPurpose, path) => {
  const simulator = await simulatorForTest()
  const keyChecks = await open(simulator)
  const names = ['example.org', ...Array.from({ length: 58 }, (_, n) => `z${n}.example`), 'münchen.example']
  const domains = names.map((name, n) => ({ id: `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`, name }))
  const list = { 'dns-domains': domains.map(({ id, name }) => ({ id, 'unicode-name': name })) }
  const records = { 'dns-domain-records': [{ name: '', type: 'NS' }] }
  simulator.fault = (sent) => ({ status: 200, body: sent.path.endsWith('/record') ? records : list })
  const { details } = await verdictOf(
    keyChecks.check({
      provider: 'exoscale',
      keyType: 'api_key',
      apiKey: 'secret',
      parts: { apiKeyId: 'EXOexample' },
      for: { zone },
    }),
  )
  expect(details.fitsPurpose).toBe(fitsPurpose)
  expect(simulator.received.map((call) => call.path)).toEqual(['/v2/dns-domain', path])
})
