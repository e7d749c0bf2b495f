import { expect, test } from 'vitest'
import type { ProviderAnswer } from '../../engine/provider.ts'
import vultr from '../../providers/vultr.ts'

const key = '5Yo3XXnrQpjc20u0ybrf2gK7fB9sWq1Z'
const dns = ['zones:list', 'dns:read', 'dns:edit']
const allowed = { abilities: dns, limitedByOwner: true }

test.each([
  [['manage_users', 'dns', 'dns'], { scopes: ['manage_users', 'dns'], ...allowed }],
  [['dns', 'nuclear'], { scopes: ['dns', 'nuclear'], ...allowed }],
  // The list of domains was allowed all the same.
  [['billing'], { scopes: ['billing'] }],
  [['billing', 'Q2x0'], { scopes: ['billing'] }],
  [['billing', ['dns']], { scopes: ['billing'] }],
  [[{}, 1, 'a'.repeat(41), 'dns\n', key], {}],
])('the permissions %j of a user show exactly this after the list of domains', (acls, capabilities) => {
  expect(readOf({ account: { acls } })).toHaveProperty('capabilities', capabilities)
})

test('a user who manages users is too powerful, and no other', () => {
  expect(readOf({ account: { acls: ['dns', 'manage_users'] } })).toHaveProperty('excess', 'manages_users')
  for (const acls of [['dns'], ['billing'], [['manage_users']], []])
    expect(readOf({ account: { acls } }), `${acls}`).not.toHaveProperty('excess')
})

test('permissions that are no list show nothing', () => {
  expect(readOf({ account: { acls: 'dns' } })).toBeUndefined()
})

test.each([
  [['billing'], { scopes: ['billing'], lacks: dns }],
  [['billing', 'nuclear'], { scopes: ['billing', 'nuclear'] }],
  [['dns'], { scopes: ['dns'] }],
])('after a refused list, the permissions %j allow nothing', (acls, capabilities) => {
  const refused = vultr.firstProbe(traits).classify(answer(403, {}))
  if (refused.kind !== 'next_probe') throw new Error('no second call')
  expect(refused.probe.classify(answer(200, { account: { acls } }))).toEqual({
    kind: 'valid',
    caveat: 'limited_permissions',
    capabilities,
  })
})

const traits = { keyType: 'api_key', shape: 'any' } as const

function answer(status: number, body: unknown): ProviderAnswer {
  return { ...traits, kind: 'answer', status, headers: {}, body, text: '', nowMs: 0 }
}

function readOf(body: unknown) {
  const { abilities } = vultr
  const list = typeof abilities === 'object' && 'list' in abilities ? abilities.list : undefined
  return list?.find(answer(200, body), { zone: '', decided: answer(200, {}) })
}
