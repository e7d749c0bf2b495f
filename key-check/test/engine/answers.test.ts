import { expect, test } from 'vitest'

import {
  accessTokenIn,
  addressesIn,
  allZones,
  instantMs,
  joinCapabilities,
  scopesIn,
  servicesIn,
  zonesIn,
} from '../../engine/answers.ts'

test('drops scopes that are not text or are longer than 60 characters', () => {
  const path = (length: number) => `GET /${'a'.repeat(length - 'GET /'.length)}`
  const words = [
    'dns',
    'a secret GET /dns',
    'GET /dns ?key=',
    ['dns'],
    null,
    undefined,
    1,
    { length: 61 },
    path(60),
    path(61),
  ]
  expect(scopesIn(words, {})).toEqual({ scopes: ['dns', path(60)] })
})

test('returns zones with all their labels, and only names of two or more labels', () => {
  const longest = `${'a.'.repeat(125)}com`
  const names = [
    'example.com',
    'example.co.uk',
    'a.b.c.example.com.',
    '_dmarc.example.org',
    'example',
    '.com',
    'a..com',
    longest,
    `a.${longest}`,
  ]
  expect(zonesIn(names, { hasMore: true }).zones).toEqual([
    'example.com',
    'example.co.uk',
    'a.b.c.example.com',
    '_dmarc.example.org',
    longest,
  ])
  expect(longest).toHaveLength(253)
})

test('accepts only whole numbers that the names fit into as the number of zones', () => {
  for (const total of [1, 500]) expect(zonesIn([], { total })).toMatchObject({ zonesVisible: total, moreZones: true })
  expect(zonesIn([], { total: 0 })).toEqual({ abilities: ['zones:list'], zonesVisible: 0 })
  for (const total of [undefined, null, '7', -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(zonesIn([], { total })).toEqual({ abilities: ['zones:list'], moreZones: true })
  expect(zonesIn(['a.example', 'b.example'], { total: 1 })).not.toHaveProperty('zonesVisible')
})

test('says that there are more zones unless every zone is named', () => {
  const more = (...list: Parameters<typeof zonesIn>) => zonesIn(...list).moreZones === true
  expect(more(['a.example'], { hasMore: false })).toBe(false)
  expect(more(['a.example'], { total: 1 })).toBe(false)
  expect(more(['a.example'], { hasMore: true })).toBe(true)
  expect(more(['a.example'], { total: 2 })).toBe(true)
  expect(more(['a.example', 'not a name'], { hasMore: false })).toBe(true)
  expect(
    more(
      Array.from({ length: 60 }, (_, number) => `a${number}.example`),
      { hasMore: false },
    ),
  ).toBe(true)
})

test('joins two answers: about the same ability, the second is right', () => {
  expect(
    joinCapabilities(
      { abilities: ['zones:list', 'dns:edit'], lacks: ['dns:read'], zonesVisible: 3 },
      { abilities: ['dns:read'], lacks: ['dns:edit'], zones: ['a.example'] },
    ),
  ).toEqual({ abilities: ['zones:list', 'dns:read'], lacks: ['dns:edit'], zonesVisible: 3, zones: ['a.example'] })
  expect(joinCapabilities({}, {})).toEqual({})
})

test('accepts service ids of 8 to 24 letters and digits; without one there is no limit', () => {
  const ids = ['a1b2c3D4', 'x'.repeat(24), 'short12', 'x'.repeat(25), '<service>', 12_345_678, ['a1b2c3D4'], null]
  expect(servicesIn(ids)).toEqual({ services: ['a1b2c3D4', 'x'.repeat(24)] })
  expect(servicesIn([])).toEqual({})
})

test('accepts networks whose prefix fits the address', () => {
  const networks = ['192.0.2.7', '192.0.2.0/24', '192.0.2.7/32', '2001:db8::/48', '2001:db8::1/128']
  const others = ['192.0.2.0/33', '2001:db8::/129', '192.0.2', '192.0.2.0/', '/24', 'x', '', null, 7]
  expect(addressesIn([...networks, ...others])).toEqual({ addresses: networks })
  expect(addressesIn(others)).toEqual({})
})

test('instantMs reads every offset and rejects a time without one', () => {
  const noon = Date.parse('2026-10-01T12:00:00Z')
  for (const time of ['12:00:00Z', '12:00:00.000000000Z', '14:00:00+02:00', '08:30:00.0-03:30'])
    expect(instantMs(`2026-10-01T${time}`), time).toBe(noon)
  for (const time of ['12:00:00', '14:00:00 02:00', '14:00:00+0200', '12:00Z', '12:00:00.Z', '12:00:00Z and more'])
    expect(instantMs(`2026-10-01T${time}`), time).toBeNaN()
})

test('a list of all zones without any has a caveat, unless the total or a further page says otherwise', () => {
  const none = { abilities: ['zones:list'], zonesVisible: 0 }
  expect(allZones([], { hasMore: false })).toEqual({ capabilities: none, caveat: 'no_zones' })
  expect(allZones([], { total: 0 })).toEqual({ capabilities: none, caveat: 'no_zones' })
  for (const end of [{ total: 3 }, { total: 'unknown' }, { hasMore: true }])
    expect(allZones([], end)).not.toHaveProperty('caveat')
  expect(allZones(['example.com'], { hasMore: false })).not.toHaveProperty('caveat')
})

test('an access token that a header cannot carry counts as missing', () => {
  expect(accessTokenIn({ access_token: 'ya29.a0-_~' })).toBe('ya29.a0-_~')
  for (const token of ['', 'two words', 'line\nbreak', 'é', 'x'.repeat(16_385), 7, undefined])
    expect(accessTokenIn({ access_token: token })).toBe('')
})
