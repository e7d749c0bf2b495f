import { expect, test } from 'vitest'

import { addressesIn, scopesIn, servicesIn, zonesIn } from '../../engine/capabilities.ts'

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
  expect(zonesIn(names, undefined).zones).toEqual([
    'example.com',
    'example.co.uk',
    'a.b.c.example.com',
    '_dmarc.example.org',
    longest,
  ])
  expect(longest).toHaveLength(253)
})

test('accepts only whole numbers from 0 as the number of zones', () => {
  for (const total of [0, 1, 500]) expect(zonesIn([], total).zonesVisible).toBe(total)
  for (const total of [undefined, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(zonesIn([], total)).toEqual({ abilities: ['zones:list'] })
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
