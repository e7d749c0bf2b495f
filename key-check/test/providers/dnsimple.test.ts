import { expect, test } from 'vitest'
import type { AbilityRead, OpenCredential, ProviderAnswer } from '../../engine/provider.ts'
import dnsimple from '../../providers/dnsimple.ts'

const traits = { keyType: 'api_token', shape: 'any' } as const
const credential: OpenCredential = { keyType: 'api_token', apiKey: 'token', email: '', parts: {} }
const zone = 'example.com'
const missing = { message: `Zone \`${zone}\` not found` }

test('a zone is missing for a user token only if it is in none of the accounts', () => {
  const decided = answer(200, { data: { user: { id: 1 }, account: null } })
  const accounts = answer(200, { data: [account(123), account(456)] })
  const read = zoneRead()
  expect(pathOf(read, decided)).toBe('/v2/accounts')
  const first = nextOf(read, accounts, decided)
  expect(pathOf(first, decided)).toBe('/v2/123/zones/example.com/records?per_page=1')
  const second = nextOf(first, answer(404, missing), decided)
  expect(pathOf(second, decided)).toBe('/v2/456/zones/example.com/records?per_page=1')
  expect(second.find(answer(404, missing), { zone, decided })).toEqual({ hasZone: false })
  expect(second.find(answer(200, { data: [{ zone_id: zone }] }), { zone, decided })).toEqual({
    hasZone: true,
    capabilities: { abilities: ['dns:read'] },
  })
})

test('only a number becomes part of a path', () => {
  const decided = answer(200, { data: { user: null, account: { id: '1/../2' } } })
  expect(pathOf(zoneRead(), decided)).toBe('/v2/accounts')
  expect(zoneRead().find(answer(200, { data: [account('1/../2')] }), { zone, decided })).toBeUndefined()
})

test('the answer about another zone shows nothing', () => {
  const decided = answer(200, { data: { user: null, account: { id: 1 } } })
  for (const data of [[], [{ zone_id: 'example.org' }]])
    expect(zoneRead().find(answer(200, { data }), { zone, decided })).toBeUndefined()
  expect(zoneRead().find(answer(404, { message: 'Zone `example.org` not found' }), { zone, decided })).toBeUndefined()
})

test.each([
  ['2400', 'key_rate_limited'],
  ['30', 'unexpected_answer'],
  ['', 'unexpected_answer'],
])('a 429 with a limit of "%s" calls is %s', (limit, reason) => {
  const busy = { ...answer(429, { message: 'quota exceeded' }), headers: { 'x-ratelimit-limit': limit } }
  expect(dnsimple.firstProbe(traits).classify(busy)).toMatchObject({ kind: 'undetermined', reason })
})

function account(id: unknown) {
  return { id, plan_identifier: 'dnsimple-personal' }
}

function answer(status: number, body: unknown): ProviderAnswer {
  return { ...traits, kind: 'answer', status, headers: {}, body, text: '', nowMs: 0 }
}

function zoneRead(): AbilityRead {
  const { abilities } = dnsimple
  const read = typeof abilities === 'object' && 'zone' in abilities ? abilities.zone : undefined
  if (!read) throw new Error('no lookup of a zone')
  return read
}

function nextOf(read: AbilityRead, found: ProviderAnswer, decided: ProviderAnswer): AbilityRead {
  const shown = read.find(found, { zone, decided })
  if (!shown || 'kind' in shown || !shown.next) throw new Error('no next read')
  return shown.next
}

function pathOf(read: AbilityRead, decided: ProviderAnswer): string {
  return read.request(credential, { nowMs: 0, nonce: 'n' }, { zone, decided }).path
}
