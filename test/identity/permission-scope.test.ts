import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allContracts } from '../../src/contracts.ts'
import { readPermission } from '../../src/identity/authorize.ts'
import { type PermissionScope, scopeOf } from '../../src/identity/permission-scope.ts'
import type { FreshDatabase } from '../support/database.ts'
import { reusedDatabase } from '../support/reused-database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await reusedDatabase()
})
afterAll(() => fresh.drop())

const permissionsOfContracts = allContracts.flatMap(({ permission }) => {
  if (!permission.includes(':')) return []
  const { grant, isInOrganization } = readPermission(permission)
  return grant ? [{ ...grant, isInOrganization }] : []
})

/** The scope that the contract implies: organization, product or service. */
function expectedScope({
  resource,
  action,
  isInOrganization,
}: (typeof permissionsOfContracts)[number]): PermissionScope {
  if (isInOrganization) return 'organization'
  if (resource === 'provider_keys') return 'product'
  return resource === 'organization' && action === 'create' ? 'account' : 'service'
}

test('the scope of a permission agrees between the contracts, TypeScript and the database', async () => {
  const rows = await fresh.sql<{ scope: PermissionScope }>(
    'select permission_scope(resource, action) as scope from unnest($1::text[], $2::text[]) g (resource, action)',
    [permissionsOfContracts.map(({ resource }) => resource), permissionsOfContracts.map(({ action }) => action)],
  )
  expect(permissionsOfContracts.map(scopeOf)).toEqual(permissionsOfContracts.map(expectedScope))
  expect(rows.map(({ scope }) => scope)).toEqual(permissionsOfContracts.map(expectedScope))
  expect(scopeOf({ resource: 'billing', action: 'manage' })).toBe('organization')
  expect(scopeOf({ resource: 'dns', action: 'edit' })).toBe('product')
})

test('the scope of a permission agrees between TypeScript and the database for any name', async () => {
  const known = [...new Set([...permissionsOfContracts.map(({ resource }) => resource), 'billing', 'dns'])]
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/)
  const grant = fc.record({
    resource: fc.oneof(fc.constantFrom(...known), fc.constantFrom(...known.map((one) => `${one}s`)), name),
    action: fc.oneof(fc.constantFrom('create', 'list', 'read', 'manage'), name),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(grant, { minLength: 1, maxLength: 50 }), async (grants) => {
      const rows = await fresh.sql<{ scope: string }>(
        'select permission_scope(resource, action) as scope from unnest($1::text[], $2::text[]) g (resource, action)',
        [grants.map(({ resource }) => resource), grants.map(({ action }) => action)],
      )
      expect(rows.map(({ scope }) => scope)).toEqual(grants.map(scopeOf))
    }),
    { numRuns: 20 },
  )
})
