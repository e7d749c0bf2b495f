import { expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import { serviceForTest } from '../../../support/service.ts'
import { newKey } from '../../../support/service-keys.ts'

const pathOf = (id: string) => `/api/v1/admin/users/${id}/data`

test('isFirstLogin of a user stays true after the first login, whoever else signs in', async () => {
  const service = await serviceForTest()
  const [admin, user] = [await service.person({ role: 'admin' }), await service.person()]
  const isFirst = async () => Object((await service.get(pathOf(user.id), { token: admin.token })).body).isFirstLogin
  const token = await service.tokenFor(user.id)
  await service.sql(
    `update account set first_session = (select s.id from session s where s.account_id = $1 order by s.created_at desc limit 1) where id = $1`,
    [user.id],
  )
  expect(Object((await service.get('/api/v1/user/data', { token })).body).isFirstLogin).toBe(true)
  await service.tokenFor(admin.id)
  expect(await isFirst()).toBe(true)
  // A session opened by an operator does not count.
  await service.sql(
    `insert into session (account_id, amr, expires_at) values ($1, '{operator}', now() + interval '1 hour')`,
    [user.id],
  )
  expect(await isFirst()).toBe(true)
})

test('a service key of an organization may name that organization', async () => {
  const service = await serviceForTest()
  const [admin, member] = [await service.person({ role: 'admin' }), await service.person()]
  const [org] = await service.sql<{ id: string }>(`insert into organization (name) values ('Inside') returning id`)
  const orgId = String(org?.id)
  await service.sql(`insert into membership (organization_id, account_id, role_id) values ($1, $2, 'owner')`, [
    orgId,
    member.id,
  ])
  const { key } = await newKey(service, admin, { orgId })
  const named = await service.get(`${pathOf(member.id)}?orgId=${orgId}`, { token: key })
  expect(named).toMatchObject({ status: 200, body: { orgId } })
})

test('400 input_invalid — an unknown parameter', async () => {
  const service = await serviceForTest()
  const { id, token } = await service.person({ role: 'admin' })
  const answer = await service.get(`${pathOf(id)}?details=true`, { token })
  expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  expect(answer.body).toMatchObject({ errors: [{ parameter: 'details' }] })
})
