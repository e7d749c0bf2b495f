import { expect, test } from 'vitest'

import { scopesIn, servicesIn, zonesIn } from '../../../src/key-checks/engine/capabilities.ts'

test('a word of a scope that is no text, or longer than sixty characters, is not passed on', () => {
  const path = (length: number) => `GET /${'a'.repeat(length - 'GET /'.length)}`
  const words = ['dns', ['dns'], null, undefined, 1, { length: 61 }, path(60), path(61)]
  expect(scopesIn(words, {})).toEqual({ scopes: ['dns', path(60)] })
})

test('a zone is told with all its labels, of which it has two at least', () => {
  const names = [
    'example.com',
    'example.co.uk',
    'a.b.c.example.com.',
    '_dmarc.example.org',
    'example',
    '.com',
    'a..com',
  ]
  expect(zonesIn(names, undefined).zones).toEqual([
    'example.com',
    'example.co.uk',
    'a.b.c.example.com',
    '_dmarc.example.org',
  ])
})

test('a number of zones is a whole one, from 0 on', () => {
  for (const total of [0, 1, 500]) expect(zonesIn([], total).zonesVisible).toBe(total)
  for (const total of [undefined, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(zonesIn([], total)).toEqual({ abilities: ['zones:list'] })
})

test('the id of a service is a text of 8 to 24 letters and digits; where none is one, there is no limit', () => {
  const ids = ['a1b2c3D4', 'x'.repeat(24), 'short12', 'x'.repeat(25), '<service>', 12_345_678, ['a1b2c3D4'], null]
  expect(servicesIn(ids)).toEqual({ services: ['a1b2c3D4', 'x'.repeat(24)] })
  expect(servicesIn([])).toEqual({})
})
