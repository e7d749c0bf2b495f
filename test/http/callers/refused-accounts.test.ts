import { expect, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { serviceForTest } from '../../support/service.ts'

test.each([
  [401, 'account_disabled', 'update account set disabled_at = now() where id = $1'],
  [401, 'session_ended', 'update session set ended_at = now() where account_id = $1'],
  [403, 'password_change_required', 'update session set must_change_password = true where account_id = $1'],
])('%i %s — logs the account of the rejected request', async (status, code, change) => {
  const service = await serviceForTest()
  const { id, token } = await service.person()
  await service.sql(change, [id])
  expect(problemOf(await service.get('/api/v1/user/data', { token }))).toEqual({ status, code })
  expect(await service.logged()).toContain(`"account":"${id}"`)
})
