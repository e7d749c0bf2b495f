import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../support/problem.ts'
import type { Service } from '../support/service.ts'
import { challengeFor, codeAt, enrol, laterCode, startIssuer, stretchWaits, visitorOf } from './test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
  await stretchWaits(service)
})
afterAll(() => service.stop())

const newPassword = 'seventeen small turtles'
const wrong = { status: 403, code: 'password_wrong' }

const change = (token: string, currentPassword: string, password = newPassword) =>
  visitorOf(service).send('PUT', '/auth/password', { token, body: { currentPassword, newPassword: password } })

test('204 — the new password holds, the old one does not, and every other session has ended', async () => {
  const person = await service.person()
  const here = await visitorOf(service).enter(person)
  const there = await visitorOf(service).enter(person)
  expect(await change(here.access, person.password)).toMatchObject({ status: 204, text: '' })
  expect((await service.get('/api/v1/user/data', { token: here.access })).status).toBe(200)
  expect(problemOf(await service.get('/api/v1/user/data', { token: there.access }))).toEqual({
    status: 401,
    code: 'session_ended',
  })
  expect((await visitorOf(service).post('/auth/refresh', { refresh_token: there.refresh })).status).toBe(401)
  expect((await visitorOf(service).post('/auth/refresh', { refresh_token: here.refresh })).status).toBe(200)
  expect((await visitorOf(service).signIn(person.email, person.password)).status).toBe(401)
  await visitorOf(service).enter({ ...person, password: newPassword })
})

test('204 — who was half-way in with the old password has to begin again', async () => {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  const visitor = visitorOf(service)
  const challenge = await challengeFor(visitor, person)
  expect((await change(person.token, person.password)).status).toBe(204)
  const code = codeAt(factor.secret, service.clock.now())
  const answer = await visitor.post('/auth/sign-in/second-step', { challenge, factorId: factor.id, code })
  expect(problemOf(answer)).toEqual({ status: 401, code: 'challenge_invalid' })
})

test('of five changes at once exactly one is done', async () => {
  const person = await service.person()
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => change(person.token, person.password, `${newPassword} ${n}`)),
  )
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 204)) expect(problemOf(answer)).toEqual(wrong)
})

test('403 password_wrong — changes nothing, counts with sign-in, and is noted', async () => {
  const person = await service.person()
  for (let failure = 0; failure < 5; failure += 1) expect(problemOf(await change(person.token, 'wrong'))).toEqual(wrong)
  expect(problemOf(await change(person.token, person.password))).toEqual(wrong)
  await service.sql('delete from sign_in_wait')
  await visitorOf(service).enter(person)
  const noted = await service.sql(`select 1 from audit_event where action = 'password.refused' and actor_id = $1`, [
    person.id,
  ])
  expect(noted).toHaveLength(6)
})

test('400 input_invalid — for a password that may not be taken, before the current one is looked at', async () => {
  const person = await service.person()
  for (const password of ['short', 'password123', person.email]) {
    const answer = await change(person.token, 'wrong', password)
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/newPassword' }] })
  }
})

test('429 rate_limited — so many times a minute for one account', async () => {
  const limited = await startIssuer({ env: { MUSTER_SIGN_INS_PER_MINUTE: '2' } })
  const person = await limited.person()
  const statuses = []
  for (let call = 0; call < 3; call += 1) {
    const body = { currentPassword: 'wrong', newPassword }
    statuses.push((await visitorOf(limited).send('PUT', '/auth/password', { token: person.token, body })).status)
  }
  await limited.stop()
  expect(statuses).toEqual([403, 403, 429])
})
