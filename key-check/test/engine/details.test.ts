import { expect, onTestFinished, test } from 'vitest'
import { samples as S } from '../../../simulators/cloudflare/state.ts'
import { openKeyChecks } from '../../engine/check.ts'
import { startProvidersSimulator } from '../../simulator/server.ts'
import { startHarness, verdictOf } from './harness.ts'

test('details of a user token that is about to expire', async () => {
  const { check } = await startHarness()
  expect(await check(S.expiring)).toEqual({
    outcome: 'valid',
    message: 'The Cloudflare API token is valid and active; it expires on 2026-10-04, so renew it.',
    details: {
      provider: 'cloudflare',
      code: 'valid',
      credential: 'user_token',
      expiresOn: '2026-10-04T12:00:00.000Z',
      warnings: ['It expires on 2026-10-04.'],
      checkedAt: '2026-10-01T12:00:00.000Z',
      cached: false,
    },
  })
})

test.each([
  ['a week', 0, 'The Cloudflare API token is valid and active; it expires on 2026-10-08, so renew it.', 1],
  ['more than a week', 1_000, 'The Cloudflare API token is valid and active; it can be used.', 0],
])('a token that expires in %s', async (_, moreMs, message, warnings) => {
  const { check, simulator, clock } = await startHarness()
  const expiresOn = new Date(clock.nowMs() + 7 * 24 * 3_600_000 + moreMs).toISOString()
  simulator.state.tokens[0] = { value: S.userToken, status: 'active', permissions: [], expiresOn }
  const checked = await check(S.userToken)
  expect(checked).toMatchObject({ outcome: 'valid', message, details: { expiresOn } })
  expect(checked.details.warnings).toHaveLength(warnings)
})

test('details of a token that is not valid yet', async () => {
  const { check } = await startHarness()
  const { message, details } = await check(S.notYetValid)
  expect(message).toBe('This Cloudflare API token is not valid before 2026-10-31; wait, or change its start date.')
  expect(details).toMatchObject({ code: 'not_yet_valid', notBefore: '2026-10-31T12:00:00.000Z', warnings: [] })
})

test('a Global API Key is valid, with the advice to use a token', async () => {
  const { check } = await startHarness()
  const { message, details } = await check(S.globalKey, { email: S.otherEmail })
  expect(message).toBe(
    'The Cloudflare Global API Key is valid and active; a key with fewer permissions would be safer.',
  )
  expect(details.credential).toBe('global_key')
  expect(details.warnings).toEqual([expect.stringContaining('A limited API token is safer')])
})

test('an IP filter is a warning and does not make the key invalid', async () => {
  const { check } = await startHarness()
  const { outcome, details } = await check(S.accountFiltered)
  expect(outcome).toBe('valid')
  expect(details).toMatchObject({ code: 'ip_filtered', credential: 'account_token' })
  expect(details.warnings).toEqual(['Its IP filter does not allow requests from this service.'])
})

test.each([
  ['a user token', S.userToken, undefined, 2],
  ['an account token', S.accountToken, undefined, 3],
  ['a Global API Key', S.oldGlobalKey, S.email, 2],
])('the capabilities of %s are returned on request', async (_, apiKey, email, calls) => {
  const { check, simulator } = await startHarness()
  const { details } = await check(apiKey, { capabilities: true, ...(email !== undefined && { email }) })
  expect(details.capabilities).toEqual({ abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] })
  expect(simulator.received).toHaveLength(calls)
  expect(simulator.received.every(({ method }) => method === 'GET')).toBe(true)
})

test('the permissions of a zone are those of the membership and say nothing about the token', async () => {
  const { check, simulator } = await startHarness()
  const zone = { name: 'example.com', permissions: ['#dns_records:edit', '#zone:edit'] }
  const body = JSON.stringify({ success: true, errors: [], result: [zone], result_info: { total_count: 1 } })
  simulator.control.answer = ({ path }) => (path.startsWith('/zones') ? { status: 200, headers: {}, body } : undefined)
  const { details } = await check(S.userToken, { capabilities: true })
  expect(details.capabilities).toEqual({ abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] })
})

test.each([
  ['a visible zone', S.userToken, { zone: 'example.com' }, 'yes', 'it can be used'],
  ['an ability that was read', S.userToken, { zone: 'example.com', ability: 'zones:list' }, 'yes', 'it can be used'],
  [
    'an ability that no read shows',
    S.userToken,
    { ability: 'dns:edit' },
    'unknown',
    'it is unknown whether it fits its purpose',
  ],
  ['a zone that is not visible', S.userToken, { zone: 'example.net' }, 'no', 'it does not fit its purpose'],
  ['an invalid key', S.disabled, { zone: 'example.com' }, 'no', 'enable it or create a new one'],
] as const)(
  'the purpose changes neither the verdict nor the calls: %s',
  async (_, apiKey, purpose, fitsPurpose, next) => {
    const { keyChecks, simulator, check } = await startHarness()
    const input = { keyType: 'api_token', apiKey, capabilities: true } as const
    const { details, message, ...verdict } = await verdictOf(keyChecks.check({ ...input, for: purpose }))
    expect(message).toMatch(new RegExp(`; ${next}\\.$`))
    const calls = simulator.received.length
    const plain = await check(apiKey, { capabilities: true })
    const { fitsPurpose: found, purpose: sentence, ...others } = details
    expect({ found, isSentence: sentence?.endsWith('.') }).toEqual({ found: fitsPurpose, isSentence: true })
    expect({ ...plain, details: { ...plain.details, cached: false } }).toEqual({
      ...verdict,
      message: expect.any(String),
      details: others,
    })
    expect(simulator.received).toHaveLength(calls)
  },
)

test('a token that may not list zones lacks that ability', async () => {
  const { keyChecks, simulator } = await startHarness()
  simulator.control.answer = ({ path }) =>
    path.startsWith('/zones') ? faults(403, 9109, 'Unauthorized to access requested resource') : undefined
  const input = { keyType: 'api_token', apiKey: S.userToken, capabilities: true } as const
  const { details } = await verdictOf(keyChecks.check({ ...input, for: { ability: 'zones:list' } }))
  expect(details).toMatchObject({
    code: 'limited_permissions',
    capabilities: { lacks: ['zones:list'] },
    fitsPurpose: 'no',
    purpose: 'It lacks zones:list: add the permission Zone → Zone → Read.',
  })
})

test('capabilities are returned only on request', async () => {
  const { check, simulator } = await startHarness()
  expect((await check(S.userToken)).details).not.toHaveProperty('capabilities')
  expect(simulator.received).toHaveLength(1)
})

test('makes at most three calls and reports the rest as unknown', async () => {
  const { check, simulator } = await startHarness()
  const { outcome, details } = await check(S.oldAccountToken, { capabilities: true })
  expect(outcome).toBe('valid')
  expect(details).toMatchObject({ code: 'capabilities_unknown', warnings: ['Its permissions could not be read.'] })
  expect(details).not.toHaveProperty('capabilities')
  expect(simulator.received).toHaveLength(3)
})

const faults = (status: number, code: number, message: string) => ({
  status,
  headers: {},
  body: JSON.stringify({ success: false, errors: [{ code, message }] }),
})

test.each([
  ['may not list zones', faults(403, 9109, 'Unauthorized to access requested resource'), 'limited_permissions'],
  [
    'lacks the permission by name',
    faults(403, 0, "Actor 'com.cloudflare.api.token.x' requires permission 'com.cloudflare.api.account.zone.list'"),
    'limited_permissions',
  ],
  ['is filtered by address', faults(403, 9109, 'Cannot use the access token from location: 192.0.2.1'), 'ip_filtered'],
  ['is refused with 10000', faults(403, 10000, 'Authentication error'), 'zones_refused'],
  [
    'sees no zone',
    { status: 200, headers: {}, body: '{"success":true,"result":[],"result_info":{"total_count":0}}' },
    'no_zones',
  ],
  ['fails to answer', { status: 500, headers: {}, body: '' }, 'capabilities_unknown'],
  ['is odd', { status: 200, headers: {}, body: '{"success":true,"result":[]}' }, 'capabilities_unknown'],
])('if the zones read %s, the token is valid and no sentence says that it can be used', async (_, answer, code) => {
  const { check, simulator } = await startHarness()
  simulator.control.answer = ({ path }) => (path.startsWith('/zones') ? answer : undefined)
  const { outcome, message, details } = await check(S.userToken, { capabilities: true })
  expect(outcome).toBe('valid')
  expect(details.code).toBe(code)
  expect(details.warnings).toHaveLength(1)
  expect(message).not.toContain('it can be used')
})

test('the deadline ends a zones read that hangs, and the token stays valid', async () => {
  const { check, simulator } = await startHarness({ limits: { deadlineMs: 1_500 } })
  simulator.control.nextFaults = []
  simulator.control.answer = ({ path }) => {
    if (path.startsWith('/zones')) simulator.control.fault = 'delay_headers'
    return undefined
  }
  const { outcome, details } = await check(S.userToken, { capabilities: true })
  expect(outcome).toBe('valid')
  expect(details).not.toHaveProperty('capabilities')
})

test('a cached result with details also serves a check without details, and not the other way round', async () => {
  const { check, simulator } = await startHarness()
  await check(S.userToken)
  expect((await check(S.userToken, { capabilities: true })).details).toMatchObject({ cached: false, capabilities: {} })
  expect((await check(S.userToken)).details.cached).toBe(true)
  expect(simulator.received).toHaveLength(3)
})

test('details make no extra call and give no warning if the provider has no read for them', async () => {
  const simulator = await startProvidersSimulator()
  const keyChecks = await openKeyChecks({ baseUrls: simulator.baseUrls })
  onTestFinished(async () => {
    await keyChecks.close()
    await simulator.close()
  })
  simulator.fault = () => ({ status: 200, headers: {}, body: { account: { status: 'active' } } })
  const input = { provider: 'digitalocean', keyType: 'api_token', apiKey: 'dop_v1_example' } as const
  const detailed = await verdictOf(keyChecks.check({ ...input, capabilities: true }))
  expect(detailed).toMatchObject({ outcome: 'valid', details: { code: 'valid', warnings: [], cached: false } })
  expect(detailed.details).not.toHaveProperty('capabilities')
  expect((await verdictOf(keyChecks.check(input))).details.cached).toBe(true)
  expect(simulator.received).toHaveLength(1)

  const other = { ...input, apiKey: 'dop_v1_other' }
  expect((await verdictOf(keyChecks.check(other))).details.cached).toBe(false)
  expect((await verdictOf(keyChecks.check({ ...other, capabilities: true }))).details.cached).toBe(true)
  expect(simulator.received).toHaveLength(2)
})

test('an invalid credential gets no capabilities read', async () => {
  const { check, simulator } = await startHarness()
  await check(S.disabled, { capabilities: true })
  expect(simulator.received).toHaveLength(1)
})

test('a value that is not sent is never cached', async () => {
  const { check, clock, simulator } = await startHarness()
  for (let round = 0; round < 2; round += 1) {
    const { details } = await check('')
    expect(details).toMatchObject({ code: 'empty', cached: false, checkedAt: new Date(clock.nowMs()).toISOString() })
    clock.advanceSeconds(1)
  }
  expect(simulator.received).toEqual([])
})
