import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../support/problem.ts'
import type { Service } from '../support/service.ts'
import {
  challengeFor,
  codeAt,
  enrol,
  laterCode,
  startIssuer,
  stretchWaits,
  tokensOf,
  visitorOf,
} from './test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
  await stretchWaits(service)
})
afterAll(() => service.stop())

const secondStep = '/auth/sign-in/second-step'
const wrong = { status: 403, code: 'code_refused' }
const over = { status: 401, code: 'challenge_invalid' }

/** Somebody with one verified factor, whose last code is no longer good. */
async function member() {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  return { ...person, factor, code: () => codeAt(factor.secret, service.clock.now()) }
}

describe('the first step', () => {
  test('200 — a right password is answered with a challenge and the names of the factors, and with no token', async () => {
    const { email, password, factor } = await member()
    const answer = await visitorOf(service).signIn(email, password)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      mfa_required: true,
      challenge: expect.stringMatching(/^mct_[A-Za-z0-9_-]{43}$/),
      expires_in: 300,
      factors: [{ id: factor.id, friendlyName: 'Phone' }],
    })
  })

  test('a wrong password tells nothing of factors', async () => {
    const { email, factor } = await member()
    const answer = await visitorOf(service).signIn(email, 'wrong password')
    expect(problemOf(answer)).toEqual({ status: 401, code: 'sign_in_refused' })
    expect(answer.text).not.toMatch(new RegExp(`mfa|Phone|${factor.id}`))
  })

  test('a session that waits for its second factor calls nothing: there is none, and the challenge is no token', async () => {
    const { id, email, password } = await member()
    await service.sql(`delete from session where account_id = $1`, [id])
    const visitor = visitorOf(service)
    const challenge = await challengeFor(visitor, { email, password })
    for (const path of ['/api/v1/user/data', '/auth/sessions', '/auth/factors'])
      expect((await service.get(path, { token: challenge })).status).toBe(401)
    expect((await visitor.post('/auth/refresh', { refresh_token: challenge })).status).toBe(401)
    expect(await service.sql(`select 1 from session where account_id = $1`, [id])).toHaveLength(0)
  })

  test('an unverified factor is not asked for', async () => {
    const person = await service.person()
    await visitorOf(service).post('/auth/factors', { friendlyName: 'Phone', password: person.password }, person.token)
    await visitorOf(service).enter(person)
  })

  test('the challenge is stored as a hash', async () => {
    const challenge = await challengeFor(visitorOf(service), await member())
    const [found] = await service.sql<{ all: string }>(
      `select string_agg(to_json(c)::text, '') as all from sign_in_challenge c`,
    )
    expect(found?.all).not.toContain(Buffer.from(challenge).toString('hex'))
  })
})

describe('200', () => {
  test('a code opens the session, which says how: pwd, otp, mfa', async () => {
    const { factor, code, ...person } = await member()
    const visitor = visitorOf(service)
    const challenge = await challengeFor(visitor, person)
    const { access, refresh } = tokensOf(
      await visitor.post(secondStep, { challenge, factorId: factor.id, code: code() }),
    )
    expect(refresh).toMatch(/^mrt_/)
    expect(JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()).amr).toEqual([
      'pwd',
      'otp',
      'mfa',
    ])
    expect((await service.get('/api/v1/user/data', { token: access })).body).toMatchObject({
      mfaFactors: [{ id: factor.id, friendlyName: 'Phone' }],
    })
  })

  test('any of several factors does', async () => {
    const { token, ...person } = await member()
    const tablet = await enrol(service, token, { friendlyName: 'Tablet', password: person.password })
    laterCode(service)
    const visitor = visitorOf(service)
    const challenge = await challengeFor(visitor, person)
    const code = codeAt(tablet.secret, service.clock.now())
    expect((await visitor.post(secondStep, { challenge, factorId: tablet.id, code })).status).toBe(200)
  })

  test('a recovery code does, once, however it is typed', async () => {
    const { factor, ...person } = await member()
    const [first = '', second = ''] = factor.recoveryCodes
    for (const [recoveryCode, status] of [
      [first, 200],
      [first, 403],
      [` ${second.toUpperCase().replaceAll('-', ' ')} `, 200],
    ] as const) {
      const visitor = visitorOf(service)
      const challenge = await challengeFor(visitor, person)
      expect((await visitor.post(secondStep, { challenge, recoveryCode })).status).toBe(status)
    }
  })

  test('the code before the current one is taken, for people who type slowly', async () => {
    const { factor, ...person } = await member()
    laterCode(service)
    const visitor = visitorOf(service)
    const challenge = await challengeFor(visitor, person)
    const code = codeAt(factor.secret, service.clock.now() - 30_000)
    expect((await visitor.post(secondStep, { challenge, factorId: factor.id, code })).status).toBe(200)
  })
})

describe('403 code_refused', () => {
  test('a code works once, and so does every one before it', async () => {
    const { factor, code, ...person } = await member()
    const used = code()
    const before = codeAt(factor.secret, service.clock.now() - 30_000)
    const visitor = visitorOf(service)
    const challenge = await challengeFor(visitor, person)
    expect((await visitor.post(secondStep, { challenge, factorId: factor.id, code: used })).status).toBe(200)
    for (const replayed of [used, before]) {
      const again = await challengeFor(visitor, person)
      expect(
        problemOf(await visitor.post(secondStep, { challenge: again, factorId: factor.id, code: replayed })),
      ).toEqual(wrong)
    }
  })

  test('of 20 parallel uses of one code with challenges of their own exactly one wins', async () => {
    const { factor, code, ...person } = await member()
    const visitors = Array.from({ length: 20 }, () => visitorOf(service))
    const challenges = await Promise.all(visitors.map((visitor) => challengeFor(visitor, person)))
    const answers = await Promise.all(
      challenges.map((challenge, n) => visitors[n]?.post(secondStep, { challenge, factorId: factor.id, code: code() })),
    )
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(1)
  })

  test('another account’s factor, an unknown factor, an unverified factor, an old code', async () => {
    const { factor, code, token, ...person } = await member()
    const other = await member()
    const begun = await visitorOf(service).post(
      '/auth/factors',
      { friendlyName: 'New', password: person.password },
      token,
    )
    const unverified = begun.body as { id: string; secret: string }
    const now = service.clock.now()
    for (const [factorId, shown] of [
      [other.factor.id, other.code()],
      ['0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', code()],
      [unverified.id, codeAt(unverified.secret, now)],
      [factor.id, codeAt(factor.secret, now - 90_000)],
    ] as const) {
      const visitor = visitorOf(service)
      const challenge = await challengeFor(visitor, person)
      expect(problemOf(await visitor.post(secondStep, { challenge, factorId, code: shown }))).toEqual(wrong)
    }
  })

  test('wrong codes count with wrong passwords, and a right password in between forgets none', async () => {
    const { factor, code, ...person } = await member()
    const other = codeAt(factor.secret, service.clock.now() - 3_600_000)
    for (let failure = 0; failure < 5; failure += 1) {
      const visitor = visitorOf(service)
      const challenge = await challengeFor(visitor, person)
      expect(problemOf(await visitor.post(secondStep, { challenge, factorId: factor.id, code: other }))).toEqual(wrong)
    }
    expect(problemOf(await visitorOf(service).signIn(person.email, person.password))).toEqual({
      status: 401,
      code: 'sign_in_refused',
    })
  })

  test('a right code is refused like a wrong one while the account waits', async () => {
    const { factor, code, ...person } = await member()
    const visitor = visitorOf(service)
    const challenge = await challengeFor(visitor, person)
    for (let failure = 0; failure < 5; failure += 1) await visitorOf(service).signIn(person.email, 'wrong password')
    expect(problemOf(await visitor.post(secondStep, { challenge, factorId: factor.id, code: code() }))).toEqual(wrong)
  })
})

describe('401 challenge_invalid', () => {
  test('unknown, used, too old, after five codes, of a disabled account', async () => {
    const { factor, code, ...person } = await member()
    const proof = () => ({ factorId: factor.id, code: code() })
    const visitor = visitorOf(service)
    expect(problemOf(await visitor.post(secondStep, { challenge: 'mct_unknown', ...proof() }))).toEqual(over)

    const used = await challengeFor(visitor, person)
    expect((await visitor.post(secondStep, { challenge: used, ...proof() })).status).toBe(200)
    laterCode(service)
    expect(problemOf(await visitor.post(secondStep, { challenge: used, ...proof() }))).toEqual(over)

    const old = await challengeFor(visitor, person)
    await service.sql(`update sign_in_challenge set expires_at = now() where account_id = $1`, [person.id])
    expect(problemOf(await visitor.post(secondStep, { challenge: old, ...proof() }))).toEqual(over)

    const tried = await challengeFor(visitor, person)
    for (let failure = 0; failure < 5; failure += 1) {
      await service.sql('delete from sign_in_wait')
      expect(problemOf(await visitor.post(secondStep, { challenge: tried, recoveryCode: 'wrong' }))).toEqual(wrong)
    }
    await service.sql('delete from sign_in_wait')
    expect(problemOf(await visitor.post(secondStep, { challenge: tried, ...proof() }))).toEqual(over)

    const disabled = await challengeFor(visitor, person)
    await service.sql(`update account set disabled_at = now() where id = $1`, [person.id])
    expect(problemOf(await visitor.post(secondStep, { challenge: disabled, ...proof() }))).toEqual(over)
  })

  test('of five recovery codes shown at once for one challenge one wins, and the others stay good', async () => {
    const { factor, ...person } = await member()
    const visitor = visitorOf(service)
    const challenge = await challengeFor(visitor, person)
    const answers = await Promise.all(
      factor.recoveryCodes.slice(0, 5).map((recoveryCode) => visitor.post(secondStep, { challenge, recoveryCode })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const left = await service.sql(`select 1 from recovery_code where account_id = $1`, [person.id])
    expect(left).toHaveLength(9)
  })
})

describe('400 input_invalid', () => {
  test.each([
    {},
    { code: '123456' },
    { factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55' },
    { factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', code: '123456', recoveryCode: 'x' },
    { factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', code: '12345' },
    { factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', code: '１２３４５６' },
  ])('%j', async (proof) => {
    const answer = await visitorOf(service).post(secondStep, { challenge: 'mct_x', ...proof })
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  })
})
