import { expect, test } from 'vitest'
import { makeDemoData } from '../../cli/seed/demo-data.ts'
import { emailPattern } from '../../src/platform/email.ts'
import { serviceForTest, testInProcess } from '../support/service.ts'
import { runMuster } from './run-muster.ts'

test('the same seed creates the same rows, another seed different rows', () => {
  const size = { users: 20, organizations: 3 }
  expect(makeDemoData(7, size)).toEqual(makeDemoData(7, size))
  expect(makeDemoData(8, size)).not.toEqual(makeDemoData(7, size))
})

test('many demo users have different valid emails, and all subscription statuses occur', () => {
  const { users, tables } = makeDemoData(1, { users: 2_000, organizations: 40 })
  expect(new Set(users.map(({ email }) => email)).size).toBe(2_000)
  for (const { email } of users) expect(email).toMatch(emailPattern)
  const [, subscriptions] = tables.find(([table]) => table === 'subscription') ?? []
  expect(new Set(subscriptions?.map(({ status }) => status)).size).toBe(8)
})

test('demo members have no permissions outside their organization', () => {
  const { tables } = makeDemoData(1, { users: 2_000, organizations: 40 })
  const rolesIn = (name: string) => {
    const [, rows] = tables.find(([table]) => table === name) ?? []
    return [...new Set(rows?.map(({ role_id }) => role_id))].sort()
  }
  expect(rolesIn('membership')).toEqual(['member', 'owner'])
  expect(rolesIn('account')).toEqual(['admin', 'user'])
  expect(tables.map(([table]) => table)).not.toContain('role_grant')
})

testInProcess('demo users can be listed and sign in; a second run changes nothing', async () => {
  const service = await serviceForTest()
  const encryptionKey = service.config.issuer.encryptionKey?.open() ?? ''
  const env = { DATABASE_URL: service.fresh.url, MUSTER_ENCRYPTION_KEY: encryptionKey }
  const first = await runMuster(['seed'], { env })
  expect(first).toMatchObject({ code: 0, stderr: '' })

  const [, password, email] = /with the password (\S+), for example (\S+)\.\n$/.exec(first.stdout) ?? []
  expect((await service.post('/auth/sign-in', { body: { email, password } })).status).toBe(200)
  const admin = await service.person({ role: 'admin' })
  const listed = await service.get('/api/v1/admin/users/fetch', { token: admin.token })
  expect(Object(listed.body).users).toHaveLength(51)
  const ofMembers = await service.sql<{ scope: string }>(
    `select distinct permission_scope(g.resource, g.action) as scope
       from membership m join role_grant g using (role_id) order by 1`,
  )
  expect(ofMembers).toEqual([{ scope: 'organization' }])
  // Each answer is held to the contract by the service under test.
  const active = await service.sql<{ id: string }>('select id from account where disabled_at is null')
  for (const { id } of active) {
    const token = (await service.parts.issuer?.tokenFor(id))?.access_token ?? ''
    expect((await service.get('/api/v1/user/data', { token })).status).toBe(200)
  }

  const refused = await runMuster(['seed'], { env })
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The database of DATABASE_URL has users\./),
  })
  const again = await runMuster(['seed', '--yes'], { env })
  expect(again).toEqual({ code: 0, stdout: '', stderr: 'The database already has the demo data of seed 1.\n' })
})
