import { expect, test } from 'vitest'
import { faults, isFaultName } from '../../../simulators/cloudflare/faults.ts'
import { samples } from '../../../simulators/cloudflare/state.ts'
import { startHarness, verdictOf } from './harness.ts'

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
      const { keyChecks, simulator } = await startHarness({ limits: { deadlineMs: 1_500 } })
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
