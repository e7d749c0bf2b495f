import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember, createOrganization, findOrganizations } from '../../src/organizations/organizations.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

test('an organisation is found by its id in any case, and by exactly its name', async () => {
  const { database } = fresh
  const id = await createOrganization(database, 'Engines')
  const other = await createOrganization(database, 'Engines')
  await createOrganization(database, 'Engines 2')
  expect(await findOrganizations(database, id.toUpperCase())).toEqual([{ id, name: 'Engines' }])
  const ids = (await findOrganizations(database, 'Engines')).map((found) => found.id)
  expect(ids.sort()).toEqual([id, other].sort())
  expect(await findOrganizations(database, 'engines')).toEqual([])
})

test('a member is added and noted once, and keeps the first role', async () => {
  const { database } = fresh
  const organizationId = await createOrganization(database, 'Looms')
  const accountId = await createPasswordAccount(database, {
    email: 'a@example.com',
    password: new Secret('x'),
    roleId: 'user',
  })
  if (accountId === undefined) throw new Error('nobody was made')
  expect(await addMember(database, { organizationId, accountId, roleId: 'owner' })).toBe(true)
  expect(await addMember(database, { organizationId, accountId, roleId: 'member' })).toBe(false)
  const member = { name: '', text: 'select role_id from membership where organization_id = $1' }
  expect(await database.query(member, [organizationId])).toEqual([{ role_id: 'owner' }])
  const trail = { name: '', text: `select target_id, details from audit_event where action = 'membership.added'` }
  expect(await database.query(trail, [])).toEqual([
    { target_id: accountId, details: { organization: organizationId, role: 'owner' } },
  ])
})
