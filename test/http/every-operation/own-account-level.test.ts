import { afterAll, beforeAll, expect, test } from 'vitest'
import { allContracts } from '../../../src/contracts.ts'
import { problemOf } from '../../support/problem.ts'
import { type Person, type Service, startService } from '../../support/service.ts'

let service: Service
let person: Person
beforeAll(async () => {
  service = await startService()
  person = await service.person()
  await service.sql(
    `insert into factor (account_id, friendly_name, secret, verified_at) values ($1, 'Phone', '', now())`,
    [person.id],
  )
})
afterAll(() => service.stop())

/** Operations on the caller's own account that require a level. */
const guarded = allContracts.filter(({ permission, needs }) => permission === 'caller' && needs)

test.each(guarded.map(({ id, method, path }) => [id, method, path] as const))(
  '401 step_up_required for %s in a session with the password only, if the account has a second factor',
  async (_id, method, path) => {
    const answer = await service.call(method, path.replace(/\{\w+\}/, person.id), { token: person.token })
    expect(problemOf(answer)).toEqual({ status: 401, code: 'step_up_required' })
    expect(answer.body).toMatchObject({ needs: { acrValues: 'urn:muster:aal2', maxAgeSeconds: 600 } })
  },
)

test('the list above covers operations that disclose the account, and those that delete it', () => {
  expect(guarded.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/auth/password', '/auth/email', '/auth/account/erase', '/auth/account/export']),
  )
})
