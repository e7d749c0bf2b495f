import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember, changeMemberRole, removeMember } from '../../src/organizations/members.ts'
import { createOrganization, findOrganizations } from '../../src/organizations/organizations.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'
import { holdRows, longLockWaits } from '../support/blocked.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase({ limits: longLockWaits })
})
afterAll(() => fresh.drop())

test('finds an organization by its id in any case, and by its exact name', async () => {
  const { database } = fresh
  const id = await createOrganization(database, 'Engines')
  const other = await createOrganization(database, 'Engines')
  await createOrganization(database, 'Engines 2')
  expect(await findOrganizations(database, id.toUpperCase())).toEqual([{ id, name: 'Engines' }])
  const ids = (await findOrganizations(database, 'Engines')).map((found) => found.id)
  expect(ids.sort()).toEqual([id, other].sort())
  expect(await findOrganizations(database, 'engines')).toEqual([])
})

const asOperator = {
  'removed by an operator': (organizationId: string, accountId: string) =>
    removeMember(fresh.database, { organizationId, by: 'operator' }, accountId),
  'demoted by an operator': (organizationId: string, accountId: string) =>
    changeMemberRole(fresh.database, { organizationId, by: 'operator' }, { accountId, roleId: 'member' }),
}

test.each(Object.entries(asOperator))('the last owner is not %s while another owner leaves', async (_what, change) => {
  const people = await fresh.sql<{ id: string }>(
    `insert into account (email) values ('one@example.com'), ('other@example.com') returning id`,
  )
  const [one = '', other = ''] = people.map(({ id }) => id)
  const organizationId = await createOrganization(fresh.database, 'Mills')
  for (const accountId of [one, other]) await addMember(fresh.database, { organizationId, accountId, roleId: 'owner' })
  const leaving = await holdRows(fresh, [
    ['select from organization where id = $1 for no key update', [organizationId]],
    ['delete from membership where organization_id = $1 and account_id = $2', [organizationId, one]],
  ])
  const changed = change(organizationId, other)
  await leaving.commitOnce(changed)
  await expect(changed).rejects.toMatchObject({ code: 'last_owner' })
})

test('adds and audits a member once, and keeps the first role', async () => {
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
  const trail = `select target_id, details from audit_event where action = 'membership.added' and target_id = $1`
  expect(await fresh.sql(trail, [accountId])).toEqual([
    { target_id: accountId, details: { organization: organizationId, role: 'owner' } },
  ])
})
