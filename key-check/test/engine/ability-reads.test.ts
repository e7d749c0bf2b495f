import { expect, test } from 'vitest'
import { faults, isFaultName } from '../../../simulators/cloudflare/faults.ts'
import { samples } from '../../../simulators/cloudflare/state.ts'
import { openForTest, simulatorForTest, startHarness, verdictOf } from './harness.ts'

test.each([
  ['are limited', { status: 429, headers: { 'retry-after': '60' }, body: {} }],
  ['fail', { status: 503, body: '' }],
] as const)('reads of abilities that %s at another server of the provider stop no other check', async (_, fault) => {
  const simulator = await simulatorForTest()
  const limits = { breakerCallsMin: 4 }
  const keyChecks = await openForTest({ baseUrls: simulator.baseUrls, limits, defaultProvider: 'route53' })
  simulator.fault = ({ path }) => (path.startsWith('/@dns/') ? fault : undefined)
  const parts = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }
  for (const name of ['valid', 'denied', 'no-zones', 'by-name-only', 'not-signed-up'])
    expect(
      await keyChecks.check({ keyType: 'api_key', apiKey: `route53-${name}`, parts, capabilities: true }),
      name,
    ).toMatchObject({ outcome: 'valid', details: { code: 'capabilities_unknown', cached: false } })
})

test.each(['lock_out', 'max_auth_failures', 'rate_limit_971', 'rate_limit_10429'] as const)(
  'a rate limit or lockout in the zones read stops the calls to the provider: %s',
  async (fault) => {
    const { keyChecks, simulator } = await startHarness()
    simulator.control.chooseFault = ({ path }) => (path.startsWith('/zones') ? fault : undefined)
    const check = (apiKey: string) => keyChecks.check({ keyType: 'api_token', apiKey, capabilities: true })
    expect(await check(samples.userToken)).toMatchObject({
      outcome: 'valid',
      details: { code: 'capabilities_unknown' },
    })
    expect(await check(samples.oldUserToken)).toMatchObject({ outcome: 'undetermined', code: 'provider_busy' })
    expect(simulator.received).toHaveLength(2)
  },
)

/** Faults that leave the answer readable. */
const readable: readonly string[] = ['reversed_members', 'code_as_text']

test('no fault of the zones read changes the verdict, or shows or denies an ability', async () => {
  const cases = Object.keys(faults)
    .filter(isFaultName)
    .flatMap((fault) => [undefined, { zone: 'example.com' }].map((purpose) => ({ fault, purpose })))
  const found = await Promise.all(
    cases.map(async ({ fault, purpose }) => {
      const limits = { headersTimeoutMs: 6_000, bodyTimeoutMs: 6_000, deadlineMs: 15_000 }
      const { keyChecks, simulator } = await startHarness({ limits })
      simulator.control.chooseFault = ({ path }) => (path.startsWith('/zones') ? fault : undefined)
      const input = { keyType: 'api_token', apiKey: samples.userToken, capabilities: true, for: purpose } as const
      const { outcome, details } = await verdictOf(keyChecks.check(input))
      const { abilities, lacks } = details.capabilities ?? {}
      return { fault, purpose, outcome, abilities, lacks, fitsPurpose: details.fitsPurpose }
    }),
  )
  expect(found).toEqual(
    cases.map(({ fault, purpose }) => {
      const isRead = readable.includes(fault)
      const fitsPurpose = purpose && (isRead ? 'yes' : 'unknown')
      return { fault, purpose, outcome: 'valid', ...(isRead && { abilities: ['zones:list'] }), fitsPurpose }
    }),
  )
})
