import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { samples as S } from '../../../simulators/cloudflare/state.ts'
import { bearer, provider, undetermined, valid } from '../../engine/provider.ts'
import { openForTest, simulatorForTest, startHarness, verdictOf } from './harness.ts'

test('details of a user token that is about to expire', async () => {
  const { check } = await startHarness()
  expect(await check(S.expiring)).toEqual({
    outcome: 'valid',
    message: 'The Cloudflare API token is genuine; it expires on 2026-10-04, so renew it.',
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
  ['a week', 0, 'The Cloudflare API token is genuine; it expires on 2026-10-08, so renew it.', 1],
  ['more than a week', 1_000, 'The Cloudflare API token is genuine; its permissions were not checked.', 0],
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
  expect(message).toBe('The Cloudflare Global API Key is genuine; a key with fewer permissions would be safer.')
  expect(details.credential).toBe('global_key')
  expect(details.warnings).toEqual([])
  expect(details.advice).toEqual({
    text: 'A Global API Key can do everything its user can. A limited API token is safer.',
    page: 'https://dash.cloudflare.com/profile/api-tokens',
  })
})

test('a token that never expires is valid, with an advice that leaves the message as it is', async () => {
  const { check } = await startHarness()
  const { message, details } = await check(S.userToken)
  expect(message).toBe('The Cloudflare API token is genuine; its permissions were not checked.')
  expect(details.advice?.text).toBe('It never expires. A key with an expiry date is safer.')
  expect((await check(S.disabled)).details).not.toHaveProperty('advice')
})

test('a key of the root user of an AWS account is valid, and the message and the advice say that a smaller one is safer', async () => {
  const simulator = await simulatorForTest()
  const keyChecks = await openForTest({ baseUrls: simulator.baseUrls })
  simulator.change = (answer) => ({
    ...answer,
    body: JSON.parse(JSON.stringify(answer.body).replace(':user/dns', ':root')),
  })
  const parts = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }
  const key = { provider: 'route53', keyType: 'api_key', apiKey: 'route53-valid', parts } as const
  const { outcome, message, details } = await verdictOf(keyChecks.check(key))
  expect([outcome, message]).toEqual([
    'valid',
    'The AWS access key is valid and active; a key with fewer permissions would be safer.',
  ])
  expect(details.advice).toEqual({
    text: 'It belongs to the root user of the account and can do everything there. A key of a user with few permissions is safer.',
    page: 'https://console.aws.amazon.com/iam/home#/users',
  })
  simulator.change = undefined
  expect((await verdictOf(keyChecks.check({ ...key, apiKey: 'route53-no-zones' }))).details).not.toHaveProperty(
    'advice',
  )
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

const membership = [
  '#access:edit',
  '#billing:read',
  '#dns_records:edit',
  '#dns_records:read',
  '#zone:edit',
  '#zone:read',
]

test.each([
  [
    'may edit DNS',
    ['#dns_records:edit', '#dns_records:read', '#zone:read'],
    { abilities: ['zones:list', 'dns:read', 'dns:edit'] },
  ],
  [
    'may also read settings of zones',
    ['#zone:read', '#zone_settings:read', '#dns_records:edit', '#dns_records:read'],
    { abilities: ['zones:list', 'dns:read', 'dns:edit'] },
  ],
  ['may read DNS', ['#dns_records:read', '#zone:read'], { abilities: ['zones:list', 'dns:read'], lacks: ['dns:edit'] }],
  ['may read zones only', ['#zone:read'], { abilities: ['zones:list'], lacks: ['dns:read', 'dns:edit'] }],
  ['has the rights of its user, so nothing is known', membership, { abilities: ['zones:list'] }],
])('the rights that Cloudflare lists with a zone: the token %s', async (_, zonePermissions, found) => {
  const { keyChecks, simulator } = await startHarness()
  simulator.state.tokens[0] = { value: S.userToken, status: 'active', permissions: ['zones'], zonePermissions }
  const input = { keyType: 'api_token', apiKey: S.userToken, capabilities: true } as const
  const inList = (await verdictOf(keyChecks.check(input))).details.capabilities
  const ofZone = (await verdictOf(keyChecks.check({ ...input, for: { zone: 'example.com' } }))).details.capabilities
  for (const capabilities of [inList, ofZone]) {
    const { abilities, lacks } = capabilities ?? {}
    expect({ abilities, lacks }).toEqual({ lacks: undefined, ...found })
  }
})

test('zones with different rights show none of them', async () => {
  const { check, simulator } = await startHarness()
  const zones = [
    { name: 'example.com', permissions: ['#dns_records:edit', '#zone:read'] },
    { name: 'example.org', permissions: ['#zone:read'] },
  ]
  const body = JSON.stringify({ success: true, errors: [], result: zones, result_info: { total_count: 2 } })
  simulator.control.answer = ({ path }) => (path.startsWith('/zones') ? { status: 200, headers: {}, body } : undefined)
  const { details } = await check(S.userToken, { capabilities: true })
  expect(details.capabilities).toEqual({
    abilities: ['zones:list'],
    zonesVisible: 2,
    zones: ['example.com', 'example.org'],
  })
})

test.each([
  ['a visible zone', S.userToken, { zone: 'example.com' }, 'yes', 'it can be used'],
  ['an ability that was read', S.userToken, { zone: 'example.com', ability: 'zones:list' }, 'yes', 'it can be used'],
  [
    'an ability that no read shows',
    S.userToken,
    { ability: 'dns:edit' },
    'unknown',
    'it is unknown whether it has dns:edit, which needs the permission Zone → DNS → Edit',
  ],
  [
    'a zone that is not visible',
    S.userToken,
    { zone: 'example.net' },
    'no',
    'it cannot see example.net: add this zone to the key, or create a key in the account that has the zone',
  ],
  ['an invalid key', S.disabled, { zone: 'example.com' }, 'no', 'enable it or create a new one'],
] as const)(
  'the purpose adds its result and never changes the verdict: %s',
  async (_, apiKey, purpose, fitsPurpose, next) => {
    const { keyChecks, simulator, check } = await startHarness()
    const input = { keyType: 'api_token', apiKey, capabilities: true } as const
    const { details, message, outcome } = await verdictOf(keyChecks.check({ ...input, for: purpose }))
    expect(message).toMatch(new RegExp(`; ${next}\\.$`))
    expect({ ...details, isSentence: details.purpose?.endsWith('.') }).toMatchObject({ fitsPurpose, isSentence: true })
    expect(simulator.received.length).toBeLessThanOrEqual(4)
    const plain = await check(apiKey)
    expect(plain).toMatchObject({ outcome, details: { code: details.code, cached: true } })
  },
)

test('a zone is looked up by name, so that it is found behind any number of others', async () => {
  const { keyChecks, simulator } = await startHarness()
  const input = { keyType: 'api_token', apiKey: S.userToken } as const
  const fitOf = async (zone: string) =>
    (await verdictOf(keyChecks.check({ ...input, for: { zone } }))).details.fitsPurpose
  expect([await fitOf('Example.com'), await fitOf('example.net')]).toEqual(['yes', 'no'])
  expect(simulator.received.map(({ path }) => path)).toEqual([
    '/user/tokens/verify',
    '/zones?name=example.com',
    '/user/tokens/verify',
    '/zones?name=example.net',
  ])
})

test('a token that may not list zones lacks that ability', async () => {
  const { keyChecks, simulator } = await startHarness()
  simulator.control.answer = ({ path }) =>
    path.startsWith('/zones') ? faults(403, 9109, 'Unauthorized to access requested resource') : undefined
  const input = { keyType: 'api_token', apiKey: S.userToken, capabilities: true } as const
  const { details } = await verdictOf(keyChecks.check({ ...input, for: { ability: 'zones:list' } }))
  expect(details).toMatchObject({
    code: 'ability_missing',
    capabilities: { lacks: ['zones:list'], missing: ['Zone → Zone → Read'] },
    fitsPurpose: 'no',
    purpose: 'It lacks zones:list: add the permission Zone → Zone → Read.',
  })
})

test('capabilities are returned only on request', async () => {
  const { check, simulator } = await startHarness()
  expect((await check(S.userToken)).details).not.toHaveProperty('capabilities')
  expect(simulator.received).toHaveLength(1)
})

test('makes at most four calls and reports the rest as unknown', async () => {
  const { check, simulator } = await startHarness({ limits: { cacheValidMs: 0 } })
  expect((await check(S.oldAccountToken, { capabilities: true })).details.capabilities).toMatchObject({
    zones: ['example.com'],
  })
  expect(simulator.received).toHaveLength(4)
  simulator.received.length = 0
  simulator.control.nextFaults = ['reset_before_headers']
  const { outcome, details } = await check(S.oldAccountToken, { capabilities: true })
  expect(outcome).toBe('valid')
  expect(details).toMatchObject({
    code: 'capabilities_unknown',
    warnings: ['The provider did not show what it can do.'],
  })
  expect(details).not.toHaveProperty('capabilities')
  expect(simulator.received).toHaveLength(4)
})

const faults = (status: number, code: number, message: string) => ({
  status,
  headers: {},
  body: JSON.stringify({ success: false, errors: [{ code, message }] }),
})

test.each([
  ['may not list zones', faults(403, 9109, 'Unauthorized to access requested resource'), 'ability_missing'],
  [
    'lacks the permission by name',
    faults(403, 0, "Actor 'com.cloudflare.api.token.x' requires permission 'com.cloudflare.api.account.zone.list'"),
    'ability_missing',
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

test('details make no extra call, give no warning and name the reason if the provider has no read for them', async () => {
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    response.setHeader('content-type', 'application/json').end('{"id":1}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrls = { silent: `http://127.0.0.1:${Object(server.address()).port}` }
  onTestFinished(() => void server.close())
  const keyChecks = await openForTest({ baseUrls, providers: new Map([['silent', silent]]) })
  const input = { provider: 'silent', keyType: 'api_token', apiKey: 'silent-valid' } as const
  const detailed = await verdictOf(keyChecks.check({ ...input, capabilities: true }))
  expect(detailed).toMatchObject({
    outcome: 'valid',
    message: 'The Silent token is genuine; its permissions were not checked.',
    details: {
      code: 'valid',
      warnings: [],
      cached: false,
      capabilities: { unknown: 'Silent has no call that shows what a token can do.' },
    },
  })
  expect((await verdictOf(keyChecks.check(input))).details.cached).toBe(true)
  expect(calls).toBe(1)
})

const silent = provider({
  id: 'silent',
  title: 'Silent',
  docs: 'https://example.com/docs',
  keyPage: 'https://example.com/keys',
  baseUrl: 'https://api.example.com',
  keyTypes: { api_token: { label: 'token' } },
  certainty: 'documented',
  firstRead: { grows: 'never' },
  abilities: { unknown: 'Silent has no call that shows what a token can do.' },
  request: bearer('/me'),
  classify: ({ status }) => (status === 200 ? valid() : undetermined('unexpected_answer')),
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
