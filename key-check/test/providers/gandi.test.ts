import { expect, test } from 'vitest'
import gandi from '../../providers/gandi.ts'
import { openForTest, simulatorForTest, verdictOf } from '../engine/harness.ts'

const nowMs = Date.parse('2026-10-01T12:00:00.700Z')

test('a personal access token reads itself: one call, its expiry and its scopes', async () => {
  const simulator = await simulatorForTest()
  const keyChecks = await openForTest({ baseUrls: simulator.baseUrls, now: () => nowMs })
  const check = (key: string) =>
    verdictOf(keyChecks.check({ provider: 'gandi', keyType: 'api_token', apiKey: key, capabilities: true }))
  const { message, details } = await check('gandi-valid-dns')
  expect(details).toMatchObject({
    // 9,900,000 s later by this server's clock, in whole seconds.
    expiresOn: '2027-01-24T02:00:00.000Z',
    capabilities: { scopes: ['domain:view', 'domain:tech'], abilities: ['dns:read', 'dns:edit'] },
  })
  expect(message).toMatch(/^The Gandi personal access token is valid/)
  expect(simulator.received.map(({ path }) => path)).toEqual(['/@id/tokeninfo'])

  // If Gandi rejects that read, its API decides.
  expect(await check('gandi-invalid')).toMatchObject({ outcome: 'invalid', details: { code: 'not_recognised' } })
  expect(simulator.received.map(({ path }) => path).slice(1)).toEqual([
    '/@id/tokeninfo',
    '/v5/livedns/domains?per_page=1',
  ])
})

test.each([
  [['domain:tech', 'domain:renew'], { abilities: ['dns:read', 'dns:edit'] }],
  [['domain:renew'], { lacks: ['dns:read', 'dns:edit'] }],
  // No source says what it allows, so nothing is listed as lacking.
  [['domain:view'], {}],
])('the scopes %s show what a token may do', (scope, more) => {
  const { classify } = gandi.firstProbe({ keyType: 'api_token', shape: 'any' })
  const body = { pat_name: 'cli', scope, entities: [], expires_in: 60 }
  const traits = { kind: 'answer', keyType: 'api_token', shape: 'any', headers: {}, text: '', nowMs } as const
  expect(classify({ ...traits, status: 200, body })).toMatchObject({ capabilities: { scopes: scope, ...more } })
  for (const seconds of [undefined, 0, -1, '60'])
    expect(classify({ ...traits, status: 200, body: { ...body, expires_in: seconds } })).toMatchObject({
      kind: 'undetermined',
    })
})
