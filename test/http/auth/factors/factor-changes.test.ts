import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Person, Service } from '../../../support/service.ts'
import {
  codeAt,
  type EnrolledFactor,
  enrol,
  laterCode,
  newClient,
  type SessionTokens,
  startIssuer,
  tokensOf,
} from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const ended = { status: 401, code: 'session_ended' }
const read = (token: string) => service.get('/api/v1/user/data', { token })
const refresh = ({ refresh: token }: SessionTokens) =>
  newClient(service).post('/auth/refresh', { refresh_token: token })

async function withFactor(): Promise<Person & { factor: EnrolledFactor }> {
  const person = await service.person()
  return { ...person, factor: await enrol(service, person.token, { password: person.password }) }
}

function nextCode({ factor }: { factor: EnrolledFactor }): string {
  laterCode(service)
  return codeAt(factor.secret, service.clock.now())
}

async function signInWithFactor(person: Person & { factor: EnrolledFactor }): Promise<SessionTokens> {
  const proof = { factorId: person.factor.id, code: nextCode(person) }
  return tokensOf(await newClient(service).signIn(person.email, person.password, proof))
}

const set = (token: string, columns: string) =>
  service.sql(`update session set ${columns} where id = $1`, [decodeJwt<{ sid: string }>(token).sid])

describe('a session opened before the first factor', () => {
  test('ends when the factor is verified, while the session that enrolled continues', async () => {
    const person = await service.person()
    const before = await newClient(service).openSession(person)
    await enrol(service, person.token, { password: person.password })
    expect(problemOf(await read(before.access))).toEqual(ended)
    expect(problemOf(await refresh(before))).toEqual({ status: 401, code: 'refresh_refused' })
    expect((await read(person.token)).status).toBe(200)
    const noted = await service.sql(`select from audit_event where action = 'session.ended' and target_id = $1`, [
      decodeJwt<{ sid: string }>(before.access).sid,
    ])
    expect(noted).toHaveLength(1)
  })

  test('is not refreshed if it is still open, like one that was opened concurrently', async () => {
    const person = await withFactor()
    const session = await signInWithFactor(person)
    await set(session.access, `amr = '{pwd}'`)
    expect(problemOf(await refresh(session))).toEqual({ status: 401, code: 'refresh_refused' })
    await set(session.access, `amr = '{pwd,otp,mfa}'`)
    expect((await refresh(session)).status).toBe(200)
  })

  test('does not get a lost refresh response again', async () => {
    const person = await withFactor()
    const [strong, weak] = [await signInWithFactor(person), await signInWithFactor(person)]
    for (const session of [strong, weak]) expect((await refresh(session)).status).toBe(200)
    await set(weak.access, `amr = '{pwd}'`)
    expect((await refresh(strong)).status).toBe(200)
    expect(problemOf(await refresh(weak))).toEqual({ status: 401, code: 'refresh_refused' })
  })
})

describe('the other sessions', () => {
  test('end when a factor is added or removed', async () => {
    const person = await withFactor()
    const first = await signInWithFactor(person)
    const tablet = await enrol(service, person.token, { friendlyName: 'Tablet', password: person.password })
    expect(problemOf(await read(first.access))).toEqual(ended)
    const second = await signInWithFactor(person)
    expect((await newClient(service).post(`/auth/factors/${tablet.id}/remove`, {}, person.token)).status).toBe(204)
    expect(problemOf(await read(second.access))).toEqual(ended)
    expect((await read(person.token)).status).toBe(200)
  })

  test('stay open on request, except those without a second factor', async () => {
    const person = await withFactor()
    const strong = await signInWithFactor(person)
    const weak = await signInWithFactor(person)
    await set(weak.access, `amr = '{pwd}'`)
    const keep = { endOtherSessions: false }
    const path = `/auth/factors/${person.factor.id}/remove`
    expect((await newClient(service).post(path, keep, person.token)).status).toBe(204)
    expect((await read(strong.access)).status).toBe(200)
    expect(problemOf(await read(weak.access))).toEqual(ended)
  })

  test('stay open when an unverified factor is removed', async () => {
    const person = await service.person()
    const other = await newClient(service).openSession(person)
    const { password } = person
    const begun = await newClient(service).post('/auth/factors', { friendlyName: 'Phone', password }, person.token)
    const path = `/auth/factors/${(begun.body as { id: string }).id}/remove`
    expect((await newClient(service).post(path, { password }, person.token)).status).toBe(204)
    expect((await read(other.access)).status).toBe(200)
  })
})

describe('removing a factor', () => {
  /** A session that used the factor long ago, like after a day of use. */
  async function old() {
    const person = await withFactor()
    const { access } = await signInWithFactor(person)
    await set(access, `proved_at = now() - interval '1 day'`)
    const remove = (body: object) => newClient(service).post(`/auth/factors/${person.factor.id}/remove`, body, access)
    return { person, access, remove, password: person.password }
  }

  test('returns 403 factor_required for the password alone', async () => {
    const { access, remove, password } = await old()
    expect(problemOf(await remove({ password }))).toEqual({ status: 403, code: 'factor_required' })
    await set(access, `proved_at = now(), amr = '{pwd}'`)
    expect(problemOf(await remove({ password }))).toEqual({ status: 403, code: 'factor_required' })
  })

  test('returns 401 step_up_required without a proof, or for a code alone', async () => {
    const { person, remove } = await old()
    expect(problemOf(await remove({}))).toEqual({ status: 401, code: 'step_up_required' })
    expect(problemOf(await remove({ code: nextCode(person) }))).toEqual({ status: 401, code: 'step_up_required' })
  })

  test('works with the password and a code of this factor', async () => {
    const { person, remove, password } = await old()
    expect(problemOf(await remove({ password, code: '000000' }))).toEqual({ status: 403, code: 'code_refused' })
    expect(problemOf(await remove({ password: 'wrong', code: nextCode(person) }))).toEqual({
      status: 403,
      code: 'password_wrong',
    })
    expect((await remove({ password, code: nextCode(person) })).status).toBe(204)
    await newClient(service).openSession(person)
  })

  test('works with the password and a code of another factor, which counts for the session', async () => {
    const { person, access, remove, password } = await old()
    const phone = person.factor
    await set(person.token, `proved_at = now()`)
    await service.sql(`update session set ended_at = null where account_id = $1`, [person.id])
    const tablet = await enrol(service, person.token, { friendlyName: 'Tablet', password })
    await service.sql(`update session set ended_at = null where account_id = $1`, [person.id])
    await set(access, `amr = '{pwd}'`)
    laterCode(service)
    const code = codeAt(tablet.secret, service.clock.now())
    expect((await remove({ password, factorId: tablet.id, code })).status).toBe(204)
    const { body } = await service.get('/auth/factors', { token: access })
    expect(body).toMatchObject({ factors: [{ id: tablet.id }] })
    expect(phone.id).not.toBe(tablet.id)
    const rest = await newClient(service).post(`/auth/factors/${tablet.id}/remove`, {}, access)
    expect(rest.status).toBe(204)
  })

  test('works with the password and a recovery code, or after a step-up', async () => {
    const one = await old()
    const recoveryCode = one.person.factor.recoveryCodes[0]
    expect((await one.remove({ password: one.password, recoveryCode })).status).toBe(204)
    const two = await old()
    const proof = { factorId: two.person.factor.id, code: nextCode(two.person) }
    expect((await newClient(service).post('/auth/step-up', proof, two.access)).status).toBe(200)
    expect((await two.remove({})).status).toBe(204)
  })
})
