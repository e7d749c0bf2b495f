import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readIssuerEntries } from '../../src/identity/issuers/entries.ts'
import { presets } from '../../src/identity/issuers/presets.ts'

const page = readFileSync(new URL('../../docs/issuers.md', import.meta.url), 'utf8')
const recipes = [...page.matchAll(/```json\n([\s\S]+?)```/g)].map(([, text = '']) => text)

test('the service starts with every recipe, which is two lines', () => {
  const documents = recipes.map((text) => JSON.parse(text))
  const { entries, faults } = readIssuerEntries(documents, { lookup: () => undefined, builtIn: undefined })
  expect(faults).toEqual([])
  expect(entries).toHaveLength(Object.keys(presets).length + 1)
  for (const text of recipes) expect(text.trim().split('\n')).toHaveLength(2)
})

test('every preset has a recipe', () => {
  expect(recipes.map((text) => JSON.parse(text).preset).filter(Boolean)).toEqual(Object.keys(presets))
})

test('the documentation lists exactly the members of an entry', () => {
  const documented = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, member]) => member)
  const source = ['entries.ts', 'console-client.ts']
    .map((file) => readFileSync(new URL(`../../src/identity/issuers/${file}`, import.meta.url), 'utf8'))
    .join('\n')
  const read = [...source.matchAll(/read\.\w+\('(\w+)'/g)].map(([, member]) => member)
  const ofClaims = ['subject', 'session', 'organization', 'email', 'emailVerified', 'name']
  expect(new Set(documented)).toEqual(
    new Set(['preset', ...read.filter((member) => !ofClaims.includes(String(member)))]),
  )
})
