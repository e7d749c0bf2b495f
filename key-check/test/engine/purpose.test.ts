import { expect, test } from 'vitest'
import { abilityNames } from '../../api.ts'
import { readProviders } from '../../engine/catalogue.ts'
import { invalid, type Provider, valid } from '../../engine/provider.ts'
import { fitOf } from '../../engine/purpose.ts'

const providers = await readProviders()
const cloudflare = find('cloudflare')
const simply = find('simply')

const whole = { zonesVisible: 2, zones: ['example.com', 'example.org'], abilities: ['zones:list' as const] }
const part = { ...whole, zonesVisible: 3 }
const editor = { abilities: ['dns:read' as const, 'dns:edit' as const] }
const reader = { abilities: ['dns:read' as const], lacks: ['dns:edit' as const] }

test.each([
  [whole, { zone: 'example.org' }, 'yes', 'It covers example.org.'],
  [whole, { zone: 'Example.ORG' }, 'yes', 'It covers Example.ORG.'],
  [part, { zone: 'example.org' }, 'yes', 'It covers example.org.'],
  [
    whole,
    { zone: 'example.net' },
    'no',
    'It cannot see example.net: add this zone to the key, or create a key in the account that has the zone.',
  ],
  [whole, { zone: 'notexample.com' }, 'no', expect.stringContaining('It cannot see notexample.com')],
  [part, { zone: 'example.net' }, 'unknown', 'It is unknown whether it covers example.net.'],
  // It may be a name in the parent zone, or a separate zone.
  [whole, { zone: 'www.example.com' }, 'unknown', 'It is unknown whether it covers www.example.com.'],
  [{ zonesVisible: 0 }, { zone: 'example.com' }, 'no', expect.stringContaining('It cannot see')],
  [{}, { zone: 'example.com' }, 'unknown', 'It is unknown whether it covers example.com.'],
  [whole, { zone: 'example.com', ability: 'zones:list' }, 'yes', 'It has zones:list for example.com.'],
  [
    whole,
    { zone: 'example.com', ability: 'dns:edit' },
    'unknown',
    'It is unknown whether it has dns:edit, which needs the permission Zone → DNS → Edit for example.com.',
  ],
  [whole, { zone: 'example.net', ability: 'dns:edit' }, 'no', expect.stringContaining('It cannot see example.net')],
  [editor, { ability: 'dns:edit' }, 'yes', 'It has dns:edit.'],
  [
    editor,
    { zone: 'example.com', ability: 'dns:edit' },
    'unknown',
    'It has dns:edit, but it is unknown whether that covers example.com.',
  ],
  [
    { ...editor, limitedByOwner: true as const },
    { ability: 'dns:edit' },
    'unknown',
    'Its scopes allow dns:edit, but it is unknown whether its owner has that permission.',
  ],
  [
    { ...reader, limitedByOwner: true as const },
    { ability: 'dns:edit' },
    'no',
    'It lacks dns:edit: add the permission Zone → DNS → Edit.',
  ],
  [
    { ...reader, ...whole },
    { zone: 'example.com', ability: 'dns:edit' },
    'no',
    'It lacks dns:edit: add the permission Zone → DNS → Edit for example.com.',
  ],
  [editor, { ability: 'cdn:read' }, 'unknown', 'It is unknown whether it has cdn:read.'],
] as const)('fitOf(%j, %j): %s', (capabilities, purpose, fitsPurpose, sentence) => {
  expect(fitOf(valid(undefined, {}, capabilities), purpose, cloudflare)).toEqual({ fitsPurpose, purpose: sentence })
})

test('a zone of the list that the lookup does not find is none of the key', () => {
  const found = { ...valid(undefined, {}, whole), hasZone: false }
  expect(fitOf(found, { zone: 'example.org' }, cloudflare).fitsPurpose).toBe('no')
})

test('an invalid key fits nothing; an unknown key is neither yes nor no', () => {
  const purpose = { zone: 'example.com', ability: 'dns:edit' } as const
  expect(fitOf(invalid('expired'), purpose, cloudflare).fitsPurpose).toBe('no')
  expect(fitOf(valid('ip_filtered'), purpose, cloudflare).fitsPurpose).toBe('unknown')
  expect(fitOf(valid(), { ability: 'dns:edit' }, simply).purpose).toBe('It is unknown whether it has dns:edit.')
  expect(fitOf(valid(undefined, {}, reader), { ability: 'dns:edit' }, simply).purpose).toBe('It lacks dns:edit.')
})

test('every sentence of every provider is complete', () => {
  for (const provider of providers.values())
    for (const ability of abilityNames)
      for (const purpose of [{ ability }, { ability, zone: 'example.com' }, { zone: 'example.com' }])
        for (const found of [{}, { lacks: [ability] }, { abilities: [ability] }, { zonesVisible: 0 }])
          expect(fitOf(valid(undefined, {}, found), purpose, provider).purpose).toMatch(/^[^{}]*[^ ]\.$/)
})

function find(id: string): Provider {
  const provider = providers.get(id)
  if (!provider) throw new Error(`There is no provider ${id}`)
  return provider
}
