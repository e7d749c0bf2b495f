import { expect, test } from 'vitest'
import { problemOf } from '../support/problem.ts'
import { serviceForTest } from '../support/service.ts'

const pathOf = (id: string) => `/api/v1/admin/users/${id}/data`

test('the first login of a user stays one, whoever signs in later', async () => {
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
})

test('400 input_invalid — a parameter that the operation does not have', async () => {
  const service = await serviceForTest()
  const { id, token } = await service.person({ role: 'admin' })
  const answer = await service.get(`${pathOf(id)}?details=true`, { token })
  expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  expect(answer.body).toMatchObject({ errors: [{ parameter: 'details' }] })
})
