import { expect, test } from 'vitest'

import { scopesIn, zonesIn } from '../../../src/key-checks/engine/capabilities.ts'

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
