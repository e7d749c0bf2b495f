import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DocumentedOperation, operations, pathOf } from '../../support/openapi.ts'
import { problemOf } from '../../support/problem.ts'
import { type Service, testInProcess } from '../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer({ env: { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' } })
})
afterAll(() => service.stop())

const generated = 'q7nYw0_Zk3vT-5xLmPbR2dHs'
const chosen = 'lantern otter quilt maple'
const required = { status: 403, code: 'password_change_required' }

/** As made by an operator with a generated password, before the first sign-in. */
async function newcomer(role = 'user') {
  const { id, email } = await service.person({ role, password: generated })
  await service.sql('delete from session where account_id = $1', [id])
  await service.sql('update account set first_session = null where id = $1', [id])
  await service.sql(`update credential set initial_until = now() + interval '7 days' where account_id = $1`, [id])
  return { id, email }
}

const change = (token: string, currentPassword = generated, newPassword = chosen) =>
  newClient(service).send('PUT', '/auth/password', { token, body: { currentPassword, newPassword } })

/** Operations with a caller, except those that such a session may call. */
const exempt = ['changePassword', 'signOut', 'signOutEverywhere']
const demanding = operations.filter(({ id, needsCaller }) => needsCaller && !exempt.includes(id))

test('a session with a generated password can only change it or sign out: 403 password_change_required otherwise', async () => {
  const { email } = await newcomer('admin')
  const answer = await newClient(service).signIn(email, generated)
  expect(answer.body).toMatchObject({ password_change_required: true })
  const { access: token } = tokensOf(answer)
  expect(demanding.length).toBeGreaterThan(25)
  for (const contract of demanding) expect(problemOf(await call(contract, token)), contract.id).toEqual(required)
  expect((await newClient(service).post('/auth/sign-out', undefined, token)).status).toBe(204)
})

test('a session with a generated password can end every session of the account', async () => {
  const { id, email } = await newcomer()
  const { access: token } = tokensOf(await newClient(service).signIn(email, generated))
  tokensOf(await newClient(service).signIn(email, generated))
  expect((await newClient(service).post('/auth/sign-out-everywhere', undefined, token)).status).toBe(204)
  expect(await service.sql('select from session where account_id = $1 and ended_at is null', [id])).toEqual([])
})

function call(operation: DocumentedOperation, token: string) {
  const headers = { 'if-match': '"1"' }
  const body = operation.body && { body: operation.body.example }
  return newClient(service).send(operation.method, pathOf(operation), { token, headers, ...body })
}

test('after the password change, the same session and the next sign-in have full access', async () => {
  const { email } = await newcomer()
  const { access: token, refresh } = tokensOf(await newClient(service).signIn(email, generated))
  expect(problemOf(await service.get('/api/v1/user/data', { token }))).toEqual(required)
  const same = await change(token, generated, generated)
  expect(problemOf(same)).toEqual({ status: 400, code: 'input_invalid' })
  expect(same.body).toMatchObject({ errors: [{ pointer: '/newPassword', detail: expect.stringContaining('differ') }] })
  expect((await change(token)).status).toBe(204)
  const data = await service.get('/api/v1/user/data', { token })
  expect(data).toMatchObject({ status: 200, body: { isFirstLogin: true } })
  expect((await newClient(service).post('/auth/refresh', { refresh_token: refresh })).status).toBe(200)
  const next = await newClient(service).signIn(email, chosen)
  expect(next.body).not.toHaveProperty('password_change_required')
  expect((await service.get('/api/v1/user/data', { token: tokensOf(next).access })).status).toBe(200)
})

test('a refreshed session, and one whose hash was upgraded, must still change the password', async () => {
  const { id, email } = await newcomer()
  const weak = await hash(generated, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await service.sql(`update credential set password = $2 where account_id = $1`, [id, weak])
  const { refresh } = tokensOf(await newClient(service).signIn(email, generated))
  const refreshed = await newClient(service).post('/auth/refresh', { refresh_token: refresh })
  const { access: token } = tokensOf(refreshed)
  expect(problemOf(await service.get('/api/v1/user/data', { token }))).toEqual(required)
  expect((await newClient(service).signIn(email, generated)).body).toMatchObject({ password_change_required: true })
})

testInProcess('an operator’s token for the account has full access and changes the password', async () => {
  const { id, email } = await newcomer()
  const operator = await service.parts.issuer?.tokenFor(id)
  const token = operator?.access_token ?? ''
  expect((await service.get('/api/v1/user/data', { token })).status).toBe(200)
  expect((await change(token)).status).toBe(204)
  expect((await newClient(service).signIn(email, chosen)).body).not.toHaveProperty('password_change_required')
})

test('a generated password works for seven days, then returns 401 sign_in_refused', async () => {
  const { id, email } = await newcomer()
  const [row] = await service.sql<{ days: number }>(
    `select round(extract(epoch from initial_until - now()) / 86400)::int as days from credential where account_id = $1`,
    [id],
  )
  expect(row).toEqual({ days: 7 })
  await service.sql(`update credential set initial_until = now() where account_id = $1`, [id])
  expect(problemOf(await newClient(service).signIn(email, generated))).toEqual({ status: 401, code: 'sign_in_refused' })
})
