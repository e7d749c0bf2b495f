import { expect, test } from 'vitest'

import { readProviders } from '../../engine/catalogue.ts'

const providers = await readProviders()

const dns = ['zones:list', 'dns:read', 'dns:edit']
const rulesOf = (...rules: string[]) => rules.map((rule) => ({ method: rule.split(' ')[0], path: rule.split(' ')[1] }))
const lego = { scopes: ['POST /domain/zone/*', 'DELETE /domain/zone/*'], abilities: ['dns:edit'] }
/** https://github.com/kubernetes-sigs/external-dns, docs/tutorials/ovh.md @2bf1bf8. */
const externalDnsRules = rulesOf(
  'GET /domain/zone',
  'GET /domain/zone/*/record',
  'GET /domain/zone/*/record/*',
  'PUT /domain/zone/*/record/*',
  'POST /domain/zone/*/record',
  'DELETE /domain/zone/*/record/*',
  'GET /domain/zone/*/soa',
  'POST /domain/zone/*/refresh',
)
const oneScope = { scopes: ['POST /domain/zone/*/record'] }
const ovh = (more: object) => ({ credentialId: 1, status: 'validated', ...more })

test.each([
  [
    'fastly',
    { id: 'a', scope: 'purge_select global:read', services: [] },
    {},
    {
      scopes: ['purge_select', 'global:read'],
      abilities: ['cdn:read', 'cdn:purge'],
      lacks: ['cdn:edit', 'cdn:purge_all'],
      limitedByOwner: true,
    },
  ],
  [
    'fastly',
    { id: 'a', scope: 'global', services: ['4y5K5trZocEAQYkesWlk7M'] },
    {},
    {
      scopes: ['global'],
      abilities: ['cdn:read', 'cdn:edit', 'cdn:purge', 'cdn:purge_all'],
      limitedByOwner: true,
      services: ['4y5K5trZocEAQYkesWlk7M'],
    },
  ],
  [
    'linode',
    { username: 'a', restricted: false },
    { 'x-oauth-scopes': 'domains:read_only, linodes:read_write' },
    { scopes: ['domains:read_only', 'linodes:read_write'], abilities: ['zones:list', 'dns:read'], lacks: ['dns:edit'] },
  ],
  [
    'linode',
    { username: 'a', restricted: true },
    { 'x-oauth-scopes': '*' },
    { scopes: ['*'], abilities: dns, limitedByOwner: true },
  ],
  ['linode', { username: 'a' }, { 'x-oauth-scopes': 'events:read_only' }, { scopes: ['events:read_only'], lacks: dns }],
  [
    'ovh',
    ovh({ rules: rulesOf('GET /*', 'POST /*', 'PUT /*', 'DELETE /*'), allowedIPs: ['192.0.2.0/24', '2001:db8::1'] }),
    {},
    {
      scopes: ['GET /*', 'POST /*', 'PUT /*', 'DELETE /*'],
      abilities: dns,
      addresses: ['192.0.2.0/24', '2001:db8::1'],
    },
  ],
  [
    'ovh',
    ovh({ rules: rulesOf('GET /domain/zone/*'), allowedIPs: null }),
    {},
    { scopes: ['GET /domain/zone/*'], abilities: ['dns:read'], lacks: ['dns:edit'] },
  ],
  ['ovh', ovh({ rules: rulesOf('POST /domain/zone/*', 'DELETE /domain/zone/*') }), {}, lego],
  ['ovh', ovh({ rules: externalDnsRules }), {}, { scopes: expect.any(Array), abilities: dns }],
  [
    'desec',
    [{ name: 'example.com' }, { name: 'xn--mnchen-3ya.example' }],
    {},
    { abilities: ['zones:list', 'dns:read'], zonesVisible: 2, zones: ['example.com', 'xn--mnchen-3ya.example'] },
  ],
  [
    'ns1',
    [{ zone: 'münchen.example' }],
    {},
    { abilities: ['zones:list'], zonesVisible: 1, zones: ['xn--mnchen-3ya.example'] },
  ],
  ['ns1', [], {}, { abilities: ['zones:list'], zonesVisible: 0 }],
  [
    'netnod',
    { data: [{ id: 'example.com.' }], total: 2 },
    {},
    { abilities: ['zones:list'], zonesVisible: 2, zones: ['example.com'], moreZones: true },
  ],
])('the answer of %s becomes exactly these capabilities: %j', (id, body, headers, found) => {
  expect(classified(id, body, headers)).toMatchObject({ kind: 'valid' })
  expect(classified(id, body, headers)).toHaveProperty('capabilities', found)
})

test.each([
  ['linode', { username: 'a', restricted: true }, { 'x-oauth-scopes': '*' }, 'everything'],
  ['linode', { username: 'a' }, { 'x-oauth-scopes': 'domains:read_write linodes:read_write' }, undefined],
  ['ovh', ovh({ rules: rulesOf('GET /*', 'POST /*', 'PUT /*', 'DELETE /*', 'GET /me') }), {}, 'everything'],
  ['ovh', ovh({ rules: rulesOf('GET /*', 'POST /*', 'DELETE /*') }), {}, undefined],
  ['ovh', ovh({ rules: externalDnsRules }), {}, undefined],
  ['dnsimple', { data: { user: { id: 1 }, account: null } }, {}, 'all_accounts'],
  ['dnsimple', { data: { user: null, account: { id: 1 } } }, {}, undefined],
])('the answer of %s shows whether a key is too powerful: %j %j', (id, body, headers, excess) => {
  const outcome = classified(id, body, headers)
  expect(outcome).toMatchObject({ kind: 'valid' })
  if (excess) expect(outcome).toHaveProperty('excess', excess)
  else expect(outcome).not.toHaveProperty('excess')
})

test.each([
  [
    'linode',
    { username: 'a', restricted: false },
    { 'x-oauth-scopes': 'domains:read_only domains:nuclear' },
    { scopes: ['domains:read_only', 'domains:nuclear'], abilities: ['zones:list', 'dns:read'] },
  ],
  ['fastly', { id: 'a', scope: 'constructor' }, {}, { scopes: ['constructor'] }],
  ['ovh', ovh({ rules: rulesOf('GET /domain/zone/example.com/*', 'POST /domain/zone/example.com/*') }), {}, undefined],
  ['ovh', ovh({ rules: rulesOf('POST /domain/zone/*/record', 'DELETE /domain/zone/a.example/*') }), {}, oneScope],
])('an unknown scope allows nothing and leaves lacking abilities open: %s %j', (id, body, headers, found) => {
  expect(classified(id, body, headers)).toEqual({ kind: 'valid', ...(found && { capabilities: found }) })
})

const key = '5Yo3XXnrQpjc20u0ybrf2gK7fB9sWq1Z'

test.each([
  ['fastly', { id: 'a', scope: 'Q2x0 k3y4 <b>', services: [key, {}] }, {}, undefined],
  ['linode', { username: 'a' }, {}, undefined],
  ['ovh', ovh({ rules: [{ method: key, path: '/*' }, { method: 'GET', path: `/me/${key}` }, 7] }), {}, undefined],
  ['ovh', ovh({ allowedIPs: [key, '192.0.2.1/33', '192.0.2.1 x', {}] }), {}, undefined],
  [
    'desec',
    [{ name: key }, { name: `${key}.example` }, { name: '192.0.2.1' }, { name: 'a b.example' }],
    {},
    { abilities: ['zones:list', 'dns:read'], zonesVisible: 4, moreZones: true },
  ],
])('drops values of unknown form, such as a key, and the key of %s stays valid: %j', (id, body, headers, found) => {
  expect(classified(id, body, headers)).toEqual({ kind: 'valid', ...(found && { capabilities: found }) })
})

test('a list in place of an address of OVHcloud is no address', () => {
  expect(classified('ovh', ovh({ allowedIPs: [['192.0.2.1']] }), {})).toEqual({ kind: 'valid' })
})

test('keeps few enough names for a small cached verdict', () => {
  const zones = Array.from({ length: 500 }, (_, number) => ({ name: `zone-${number}.example` }))
  expect(classified('desec', zones, {})).toMatchObject({ capabilities: { zonesVisible: 500, zones: { length: 50 } } })
})

test('a Linode token that may not read its profile learns from its scopes what it lacks', () => {
  const body = { errors: [{ reason: 'Your OAuth token is not authorized to use this endpoint.' }] }
  expect(classified('linode', body, { 'x-oauth-scopes': 'domains:read_only' }, 401)).toEqual({
    kind: 'valid',
    caveat: 'limited_permissions',
    capabilities: {
      scopes: ['domains:read_only'],
      abilities: ['zones:list', 'dns:read'],
      lacks: ['dns:edit'],
      limitedByOwner: true,
    },
  })
})

function classified(id: string, body: unknown, headers: Record<string, string>, status = 200): unknown {
  const traits = { keyType: 'api_token', shape: 'other' } as const
  const answer = { ...traits, kind: 'answer', status, headers, body, text: '', nowMs: 0 } as const
  return providers.get(id)?.firstProbe(traits).classify(answer)
}
