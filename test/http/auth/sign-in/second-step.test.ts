import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { chargeLimit, signInLimits } from '../../../support/sign-in-limits.ts'
import {
  challengeFor,
  codeAt,
  enrol,
  laterCode,
  newClient,
  passTime,
  startIssuer,
  tokensOf,
} from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const secondStep = '/auth/sign-in/second-step'
const wrong = { status: 403, code: 'code_refused' }
const over = { status: 401, code: 'challenge_invalid' }

/** An account with one verified factor, whose last code has expired. */
async function member() {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  return { ...person, factor, code: () => codeAt(factor.secret, service.clock.now()) }
}

describe('the first step of a sign-in', () => {
  test('returns a challenge with the names of the factors, and no token', async () => {
    const { email, password, factor } = await member()
    const answer = await newClient(service).signIn(email, password)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      mfa_required: true,
      challenge: expect.stringMatching(/^mct_[A-Za-z0-9_-]{43}$/),
      expires_in: 300,
      factors: [{ id: factor.id, type: 'totp', friendlyName: 'Phone' }],
    })
  })

  test('reveals nothing about factors after a wrong password', async () => {
    const { email, factor } = await member()
    const answer = await newClient(service).signIn(email, 'wrong password')
    expect(problemOf(answer)).toEqual({ status: 401, code: 'sign_in_refused' })
    expect(answer.text).not.toMatch(new RegExp(`mfa|Phone|${factor.id}`))
  })

  test('creates no session, and the challenge is not accepted as a token', async () => {
    const { id, email, password } = await member()
    await service.sql(`delete from session where account_id = $1`, [id])
    const client = newClient(service)
    const challenge = await challengeFor(client, { email, password })
    for (const path of ['/api/v1/user/data', '/auth/sessions', '/auth/factors'])
      expect((await service.get(path, { token: challenge })).status).toBe(401)
    expect((await client.post('/auth/refresh', { refresh_token: challenge })).status).toBe(401)
    expect(await service.sql(`select 1 from session where account_id = $1`, [id])).toHaveLength(0)
  })

  test('needs no second step if the factor is unverified', async () => {
    const person = await service.person()
    await newClient(service).post('/auth/factors', { friendlyName: 'Phone', password: person.password }, person.token)
    await newClient(service).openSession(person)
  })

  test('stores the challenge as a hash', async () => {
    const challenge = await challengeFor(newClient(service), await member())
    const [found] = await service.sql<{ all: string }>(
      `select string_agg(to_json(c)::text, '') as all from sign_in_challenge c`,
    )
    expect(found?.all).not.toContain(Buffer.from(challenge).toString('hex'))
  })
})

describe('the second step of a sign-in', () => {
  test('opens a session with amr pwd, otp, mfa', async () => {
    const { factor, code, ...person } = await member()
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    const { access, refresh } = tokensOf(
      await client.post(secondStep, { challenge, factorId: factor.id, code: code() }),
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

  test('accepts any of several factors', async () => {
    const { token, ...person } = await member()
    const tablet = await enrol(service, token, { friendlyName: 'Tablet', password: person.password })
    laterCode(service)
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    const code = codeAt(tablet.secret, service.clock.now())
    expect((await client.post(secondStep, { challenge, factorId: tablet.id, code })).status).toBe(200)
  })

  test('accepts a recovery code once, in any case and spacing', async () => {
    const { factor, ...person } = await member()
    const [first = '', second = ''] = factor.recoveryCodes
    for (const [recoveryCode, status] of [
      [first, 200],
      [first, 403],
      [` ${second.toUpperCase().replaceAll('-', ' ')} `, 200],
    ] as const) {
      const client = newClient(service)
      const challenge = await challengeFor(client, person)
      expect((await client.post(secondStep, { challenge, recoveryCode })).status).toBe(status)
    }
  })

  test('accepts the previous code, for users who type slowly', async () => {
    const { factor, ...person } = await member()
    laterCode(service)
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    // To the start of a step: the code must not become the one before the previous one on its way.
    service.clock.advanceSeconds(30 - ((service.clock.now() / 1_000) % 30))
    const code = codeAt(factor.secret, service.clock.now() - 30_000)
    expect((await client.post(secondStep, { challenge, factorId: factor.id, code })).status).toBe(200)
  })
})

describe('403 code_refused', () => {
  test('rejects a code that was used early, also in its own time step', async () => {
    const { factor, ...person } = await member()
    await service.sql(`update factor set drift = 1 where id = $1`, [factor.id])
    const early = codeAt(factor.secret, service.clock.now() + 30_000)
    const show = async () => {
      const client = newClient(service)
      const challenge = await challengeFor(client, person)
      return problemOf(await client.post(secondStep, { challenge, factorId: factor.id, code: early }))
    }
    expect(await show()).toMatchObject({ status: 200 })
    service.clock.advanceSeconds(30)
    expect(await show()).toEqual(wrong)
  })

  test('audits a rejected code with the account and without the code', async () => {
    const { factor, code, ...person } = await member()
    const old = codeAt(factor.secret, service.clock.now() - 3_600_000)
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    expect(problemOf(await client.post(secondStep, { challenge, factorId: factor.id, code: old }))).toEqual(wrong)
    const noted = await service.sql(
      `select target_id, details from audit_event where action = 'session.refused' and address = $1`,
      [client.address],
    )
    expect(noted).toEqual([{ target_id: person.id, details: { step: 'second' } }])
  })

  test('clears the failures of the second step after a completed sign-in', async () => {
    const { factor, code, ...person } = await member()
    for (let round = 0; round < 2; round += 1) {
      const client = newClient(service)
      const challenge = await challengeFor(client, person)
      for (let failure = 0; failure < 3; failure += 1)
        expect(problemOf(await client.post(secondStep, { challenge, recoveryCode: 'wrong' }))).toEqual(wrong)
      expect((await client.post(secondStep, { challenge, factorId: factor.id, code: code() })).status).toBe(200)
      laterCode(service)
    }
  })

  test('rejects a used code and all earlier ones', async () => {
    const { factor, code, ...person } = await member()
    const used = code()
    const before = codeAt(factor.secret, service.clock.now() - 30_000)
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    expect((await client.post(secondStep, { challenge, factorId: factor.id, code: used })).status).toBe(200)
    for (const replayed of [used, before]) {
      const again = await challengeFor(client, person)
      expect(
        problemOf(await client.post(secondStep, { challenge: again, factorId: factor.id, code: replayed })),
      ).toEqual(wrong)
    }
  })

  test('accepts exactly one of 20 parallel uses of one code with different challenges', async () => {
    const { factor, code, ...person } = await member()
    const clients = Array.from({ length: 20 }, () => newClient(service))
    const challenges: string[] = []
    for (const client of clients) challenges.push(await challengeFor(client, person))
    const answers = await Promise.all(
      challenges.map((challenge, n) => clients[n]?.post(secondStep, { challenge, factorId: factor.id, code: code() })),
    )
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(1)
  })

  test('rejects another account’s factor, an unknown factor, an unverified factor and an old code', async () => {
    const { factor, code, token, ...person } = await member()
    const other = await member()
    const enrolled = await newClient(service).post(
      '/auth/factors',
      { friendlyName: 'New', password: person.password },
      token,
    )
    const unverified = enrolled.body as { id: string; secret: string }
    const now = service.clock.now()
    for (const [factorId, shown] of [
      [other.factor.id, other.code()],
      ['0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', code()],
      [unverified.id, codeAt(unverified.secret, now)],
      [factor.id, codeAt(factor.secret, now - 90_000)],
    ] as const) {
      const client = newClient(service)
      const challenge = await challengeFor(client, person)
      expect(problemOf(await client.post(secondStep, { challenge, factorId, code: shown }))).toEqual(wrong)
    }
  })
})

describe('429 sign_in_wait', () => {
  const wait = { status: 429, code: 'sign_in_wait' }

  test('after five wrong codes in all challenges of the account; waiting allows the next one', async () => {
    const { factor, code, ...person } = await member()
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    for (let failure = 0; failure < 4; failure += 1)
      expect(problemOf(await client.post(secondStep, { challenge, recoveryCode: 'wrong' }))).toEqual(wrong)
    const again = await challengeFor(client, person)
    expect(problemOf(await client.post(secondStep, { challenge: again, recoveryCode: 'wrong' }))).toEqual(wrong)
    const before = await everything()
    const proof = { factorId: factor.id, code: code() }
    const refused = await client.post(secondStep, { challenge: again, ...proof })
    expect(problemOf(refused)).toEqual(wait)
    expect(refused.body).toMatchObject({ scope: 'account', ways: ['known_device', 'second_factor'] })
    expect(await everything()).toEqual(before)
    await passTime(service, Number(refused.headers['retry-after']))
    expect((await client.post(secondStep, { challenge: again, ...proof })).status).toBe(200)
  })

  test('not after wrong passwords sent by others', async () => {
    const { factor, code, ...person } = await member()
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    for (let failure = 0; failure < 10; failure += 1) await newClient(service).signIn(person.email, 'wrong password')
    expect(problemOf(await newClient(service).signIn(person.email, person.password))).toEqual(wait)
    expect((await client.post(secondStep, { challenge, factorId: factor.id, code: code() })).status).toBe(200)
  })

  test('until a recovery code is used, after 100 wrong codes of factors', async () => {
    const { id, factor, code, ...person } = await member()
    await chargeLimit(service, signInLimits.secondStep(id), { attempts: 0, failures: 100 })
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    const refused = await client.post(secondStep, { challenge, factorId: factor.id, code: code() })
    expect(problemOf(refused)).toEqual(wrong)
    expect(refused.body).toMatchObject({ detail: expect.stringMatching(/recovery code/) })
    const [recoveryCode] = factor.recoveryCodes
    expect((await client.post(secondStep, { challenge, recoveryCode })).status).toBe(200)
    const next = await challengeFor(client, person)
    expect((await client.post(secondStep, { challenge: next, factorId: factor.id, code: code() })).status).toBe(200)
  })

  async function everything() {
    return [
      await service.sql(`select * from sign_in_bucket where scope <> 'calls' order by key`),
      await service.sql('select * from sign_in_challenge order by hash'),
      await service.sql('select count(*) from audit_event'),
    ]
  }
})

describe('401 challenge_invalid', () => {
  test('for an unknown, used or expired challenge, after five codes, and for a disabled account', async () => {
    const { factor, code, ...person } = await member()
    const proof = () => ({ factorId: factor.id, code: code() })
    const client = newClient(service)
    expect(problemOf(await client.post(secondStep, { challenge: 'mct_unknown', ...proof() }))).toEqual(over)

    const used = await challengeFor(client, person)
    expect((await client.post(secondStep, { challenge: used, ...proof() })).status).toBe(200)
    laterCode(service)
    expect(problemOf(await client.post(secondStep, { challenge: used, ...proof() }))).toEqual(over)

    const old = await challengeFor(client, person)
    await service.sql(`update sign_in_challenge set expires_at = now() where account_id = $1`, [person.id])
    expect(problemOf(await client.post(secondStep, { challenge: old, ...proof() }))).toEqual(over)
    expect(problemOf(await client.post(secondStep, { challenge: old, recoveryCode: 'wrong' }))).toEqual(over)

    const tried = await challengeFor(client, person)
    for (let failure = 0; failure < 5; failure += 1) {
      await service.sql('delete from sign_in_bucket')
      expect(problemOf(await client.post(secondStep, { challenge: tried, recoveryCode: 'wrong' }))).toEqual(wrong)
    }
    await service.sql('delete from sign_in_bucket')
    expect(problemOf(await client.post(secondStep, { challenge: tried, ...proof() }))).toEqual(over)

    const disabled = await challengeFor(client, person)
    await service.sql(`update account set disabled_at = now() where id = $1`, [person.id])
    expect(problemOf(await client.post(secondStep, { challenge: disabled, ...proof() }))).toEqual(over)
  })

  test('for all but one of five parallel recovery codes for one challenge, which stay unused', async () => {
    const { factor, ...person } = await member()
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    const answers = await Promise.all(
      factor.recoveryCodes.slice(0, 5).map((recoveryCode) => client.post(secondStep, { challenge, recoveryCode })),
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
    const answer = await newClient(service).post(secondStep, { challenge: 'mct_x', ...proof })
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  })
})
