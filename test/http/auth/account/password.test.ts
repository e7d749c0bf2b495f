import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { chargeLimit, signInLimits } from '../../../support/sign-in-limits.ts'
import { challengeFor, codeAt, enrol, laterCode, newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const newPassword = 'seventeen small turtles'
const wrong = { status: 403, code: 'password_wrong' }

const change = (token: string, currentPassword: string, password = newPassword) =>
  newClient(service).send('PUT', '/auth/password', { token, body: { currentPassword, newPassword: password } })

test('a password change ends every other session, and only the new password works', async () => {
  const person = await service.person()
  const here = await newClient(service).openSession(person)
  const there = await newClient(service).openSession(person)
  expect(await change(here.access, person.password)).toMatchObject({ status: 204, text: '' })
  expect((await service.get('/api/v1/user/data', { token: here.access })).status).toBe(200)
  expect(problemOf(await service.get('/api/v1/user/data', { token: there.access }))).toEqual({
    status: 401,
    code: 'session_ended',
  })
  expect((await newClient(service).post('/auth/refresh', { refresh_token: there.refresh })).status).toBe(401)
  expect((await newClient(service).post('/auth/refresh', { refresh_token: here.refresh })).status).toBe(200)
  expect((await newClient(service).signIn(person.email, person.password)).status).toBe(401)
  await newClient(service).openSession({ ...person, password: newPassword })
})

test('a password change invalidates a challenge of the old password', async () => {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  const client = newClient(service)
  const challenge = await challengeFor(client, person)
  expect((await change(person.token, person.password)).status).toBe(204)
  const code = codeAt(factor.secret, service.clock.now())
  const answer = await client.post('/auth/sign-in/second-step', { challenge, factorId: factor.id, code })
  expect(problemOf(answer)).toEqual({ status: 401, code: 'challenge_invalid' })
})

test('exactly one of five parallel password changes succeeds', async () => {
  const person = await service.person()
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => change(person.token, person.password, `${newPassword} ${n}`)),
  )
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 204)) expect(problemOf(answer)).toEqual(wrong)
})

test('a wrong current password changes nothing, is charged only to the session, and is audited: 403 password_wrong', async () => {
  const person = await service.person()
  for (let failure = 0; failure < 10; failure += 1)
    expect(problemOf(await change(person.token, 'wrong'))).toEqual(wrong)
  const wait = await change(person.token, person.password)
  expect(problemOf(wait)).toEqual({ status: 429, code: 'sign_in_wait' })
  expect(wait.body).toMatchObject({ scope: 'account' })
  await newClient(service).openSession(person)
  const noted = await service.sql(`select 1 from audit_event where action = 'password.refused' and actor_id = $1`, [
    person.id,
  ])
  expect(noted).toHaveLength(10)
})

test('fifty wrong passwords without a correct one end only this session', async () => {
  const person = await service.person()
  const other = await newClient(service).openSession(person)
  await chargeLimit(service, signInLimits.session(person.token), { attempts: 0, failures: 48 })
  for (let failure = 0; failure < 2; failure += 1) expect(problemOf(await change(person.token, 'wrong'))).toEqual(wrong)
  expect(problemOf(await change(person.token, person.password))).toEqual({ status: 401, code: 'session_ended' })
  expect((await service.get('/auth/sessions', { token: other.access })).status).toBe(200)
  const noted = await service.sql(`select 1 from audit_event where action = 'session.suspected'`)
  expect(noted).toHaveLength(1)
})

test('rejects an unacceptable new password with 400 input_invalid before verifying the current one', async () => {
  const person = await service.person()
  for (const password of ['short', 'password123', person.email]) {
    const answer = await change(person.token, 'wrong', password)
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/newPassword' }] })
  }
})

test('rejects the name of the caller’s organization with 400 input_invalid, and accepts that of another', async () => {
  const person = await service.person()
  for (const name of ['Quokka Moorings', 'Walrus Shipping'])
    await service.sql(`insert into organization (name) values ($1)`, [name])
  await service.sql(
    `insert into membership (organization_id, account_id, role_id)
     select id, $1, 'member' from organization where name = 'Quokka Moorings'`,
    [person.id],
  )
  for (const password of ['QuokkaMoorings2026', 'quokka!!!!!!!!!!!!', 'moorings20262027']) {
    const answer = await change(person.token, person.password, password)
    expect(problemOf(answer), password).toEqual({ status: 400, code: 'input_invalid' })
    expect(answer.text).toContain('a name from this service or your organizations')
  }
  expect((await change(person.token, person.password, 'WalrusShipping2026')).status).toBe(204)
})

test('returns 429 rate_limited above the limit per account and minute', async () => {
  const limited = await startIssuer({ env: { MUSTER_SIGN_INS_PER_MINUTE: '2' } })
  const person = await limited.person()
  const statuses = []
  for (let call = 0; call < 3; call += 1) {
    const body = { currentPassword: 'wrong', newPassword }
    statuses.push((await newClient(limited).send('PUT', '/auth/password', { token: person.token, body })).status)
  }
  await limited.stop()
  expect(statuses).toEqual([403, 403, 429])
})

test('a role that requires a second factor needs only 8 characters, and all other rules', async () => {
  await service.sql(`insert into role (id, name, requires_mfa) values ('guard', 'Guard', true)`)
  const [guard, user] = [await service.person({ role: 'guard' }), await service.person()]
  const tooShort = (min: number) => ({
    errors: [{ pointer: '/newPassword', detail: expect.stringMatching(new RegExp(`at least ${min} characters`)) }],
  })
  expect((await change(user.token, user.password, 'qzjx wvk')).body).toMatchObject(tooShort(15))
  expect((await change(guard.token, guard.password, 'qzj wvk')).body).toMatchObject({ code: 'input_invalid' })
  expect((await change(guard.token, guard.password, 'Summer26')).status).toBe(400)
  expect((await change(guard.token, guard.password, 'qzjx wvk')).status).toBe(204)
})
