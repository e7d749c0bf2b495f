import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import {
  changeGrants,
  createRole,
  holderExists,
  permissionPattern,
  removeRole,
  setAccountRole,
  streamGrants,
} from '../../src/identity/grants.ts'
import { administrationOf } from '../support/administration.ts'
import { subscribe } from '../support/billing-rows.ts'
import { holdRows, longLockWaits } from '../support/blocked.ts'
import { freshDatabase } from '../support/database.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { serviceForTest } from '../support/service.ts'

test('granting or revoking a permission takes effect on the next request, on all nodes', async () => {
  const here = await serviceForTest()
  const there = await serviceForTest({ on: here.fresh })
  await here.person({ role: 'admin' }) // The administrator who remains when the other one is demoted.
  const { id, token } = await here.person()
  const permissions = async (service: typeof here) => {
    const { body } = await service.get('/api/v1/user/data', { token })
    return Object(body).permissions
  }
  // The other node reads the keys only at its start, and has its own cache.
  expect(await permissions(here)).toEqual({ provider_keys: ['validate'] })
  const role = { kind: 'role', id: 'user' } as const
  await changeGrants(administrationOf(here.database), role, [{ resource: 'reports', action: 'export' }], true)
  for (const node of [here, there])
    await expect
      .poll(() => permissions(node))
      .toEqual({
        provider_keys: ['validate'],
        reports: ['export'],
      })
  await changeGrants(administrationOf(here.database), role, [{ resource: 'reports', action: 'export' }], false)
  for (const node of [here, there]) await expect.poll(() => permissions(node)).toEqual({ provider_keys: ['validate'] })
  await setAccountRole(administrationOf(here.database), id, 'admin')
  for (const node of [here, there])
    await expect.poll(async () => (await node.get('/api/v1/admin/users/fetch', { token })).status).toBe(200)
  await setAccountRole(administrationOf(here.database), id, 'user')
  for (const node of [here, there])
    await expect.poll(async () => (await node.get('/api/v1/admin/users/fetch', { token })).status).toBe(403)
})

test('returns and audits changed grants, and omits unchanged ones', async () => {
  const { database, drop } = await reusedDatabase()
  const free = { kind: 'plan', id: 'free' } as const
  const [one, two] = [
    { resource: 'a', action: 'x' },
    { resource: 'b', action: 'y' },
  ]
  expect(await changeGrants(administrationOf(database), free, [one, two, one], true)).toEqual(['a:x', 'b:y'])
  expect(await changeGrants(administrationOf(database), free, [one], true)).toEqual([])
  expect(await changeGrants(administrationOf(database), free, [one], false)).toEqual(['a:x'])
  const events = { name: '', text: 'select action, details from audit_event order by at, id' }
  expect(await database.query(events, [])).toEqual([
    { action: 'plan.granted', details: one },
    { action: 'plan.granted', details: two },
    { action: 'plan.revoked', details: one },
  ])
  await drop()
})

test('creates a role once, and deletes it only while no account has it', async () => {
  const { database, drop } = await reusedDatabase()
  const support = { id: 'support', name: 'Support', forMembers: false }
  expect(await createRole(database, support)).toBe(true)
  expect(await createRole(database, support)).toBe(false)
  const account = { name: '', text: `insert into account default values returning id` }
  const [row] = await database.query<{ id: string }>(account, [])
  expect(await setAccountRole(administrationOf(database), String(row?.id), 'support')).toBe('user')
  expect(await removeRole(database, 'support')).toBe('held')
  expect(await setAccountRole(administrationOf(database), String(row?.id), 'user')).toBe('support')
  expect(await removeRole(database, 'support')).toBe('removed')
  expect(await removeRole(database, 'support')).toBe('unknown')
  await drop()
})

test('does not delete a role that is being assigned to an account', async () => {
  const fresh = await freshDatabase({ limits: longLockWaits })
  onTestFinished(() => fresh.drop())
  await createRole(fresh.database, { id: 'support', name: 'Support', forMembers: false })
  const [account] = await fresh.sql<{ id: string }>('insert into account default values returning id')
  const giving = await holdRows(fresh, [[`update account set role_id = 'support' where id = $1`, [account?.id]]])
  const removed = removeRole(fresh.database, 'support')
  await giving.commitOnce(removed)
  expect(await removed).toBe('held')
})

test('the audit log shows the previous role of an account, also after a concurrent change', async () => {
  const fresh = await freshDatabase({ limits: longLockWaits })
  onTestFinished(() => fresh.drop())
  const [account] = await fresh.sql<{ id: string }>('insert into account default values returning id')
  await createRole(fresh.database, { id: 'support', name: 'Support', forMembers: false })
  const giving = await holdRows(fresh, [[`update account set role_id = 'support' where id = $1`, [account?.id]]])
  const before = setAccountRole(administrationOf(fresh.database), String(account?.id), 'admin')
  await giving.commitOnce(before)
  expect(await before).toBe('support')
})

test('docs/permissions.md describes every built-in permission', async () => {
  const { database, drop } = await reusedDatabase()
  const page = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| (`\w+: .+?`) \|/gm)].flatMap(([, cell = '']) => {
    const [resource, ...actions] = [...cell.matchAll(/\w+/g)].map(([word]) => word)
    return actions.map((action) => `${resource}:${action}`)
  })
  const all = { name: '', text: `select distinct resource || ':' || action as permission from role_grant order by 1` }
  const granted = await database.query<{ permission: string }>(all, [])
  expect(documented.sort()).toEqual(granted.map(({ permission }) => permission))
  await drop()
})

test('a permission must match the whole text', () => {
  expect(permissionPattern.exec('reports:export')?.slice(1)).toEqual(['reports', 'export'])
  for (const text of [' reports:export', 'Xreports:export', 'reports:export ', 'reports:export:x', 'reports:export\n'])
    expect(permissionPattern.test(text), JSON.stringify(text)).toBe(false)
})

test('lists each plan with exactly its own grants', async () => {
  const { database, sql, drop } = await reusedDatabase()
  onTestFinished(drop)
  await sql(`insert into plan (id, name) values ('one', 'One'), ('two', 'Two')`)
  await changeGrants(
    administrationOf(database),
    { kind: 'plan', id: 'one' },
    [{ resource: 'reports', action: 'export' }],
    true,
  )
  await changeGrants(
    administrationOf(database),
    { kind: 'plan', id: 'two' },
    [{ resource: 'reports', action: 'share' }],
    true,
  )
  const listed: unknown[] = []
  for await (const lines of streamGrants(database)) listed.push(...lines.map((line): unknown => JSON.parse(line)))
  expect(listed.slice(-2)).toEqual([
    { kind: 'plan', id: 'one', name: 'One', holders: 0, grants: ['reports:export'] },
    { kind: 'plan', id: 'two', name: 'Two', holders: 0, grants: ['reports:share'] },
  ])
})

test('counts the subscriptions to any price of a plan as its holders', async () => {
  const service = await serviceForTest()
  await service.sql(`insert into plan (id, name) values ('one', 'One'), ('two', 'Two')`)
  await service.sql(`insert into plan_price (price_id, plan_id) values ('a', 'one'), ('b', 'one'), ('c', 'two')`)
  for (const price of ['a', 'b', 'b']) {
    const { id } = await service.person()
    await subscribe(service, { customer: `cus_${id}`, accountId: id, price, status: 'active' })
  }
  const listed: unknown[] = []
  for await (const lines of streamGrants(service.database))
    listed.push(...lines.map((line): unknown => JSON.parse(line)))
  expect(listed.slice(-2)).toMatchObject([
    { id: 'one', holders: 3 },
    { id: 'two', holders: 0 },
  ])
})

test('403 permission_missing logs the rejected account', async () => {
  const service = await serviceForTest()
  const { id, token } = await service.person()
  expect((await service.get('/api/v1/admin/users/fetch', { token })).status).toBe(403)
  expect(await service.logged()).toContain(`"account":"${id}"`)
})

test('finds roles and plans by id, and never one for the other', async () => {
  const { database, drop } = await reusedDatabase()
  onTestFinished(drop)
  const found = (kind: 'role' | 'plan', id: string) => holderExists(database, { kind, id })
  expect([await found('role', 'user'), await found('plan', 'free')]).toEqual([true, true])
  expect([await found('role', 'free'), await found('plan', 'user')]).toEqual([false, false])
})
