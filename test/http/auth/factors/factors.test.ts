import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { challengeFor, codeAt, enrol, laterCode, newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const unknownId = '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55'
const noFactor = { status: 404, code: 'factor_unknown' }
const wrongPassword = { status: 403, code: 'password_wrong' }

const begin = (person: { token: string; password: string }, friendlyName: string) =>
  newClient(service).post('/auth/factors', { friendlyName, password: person.password }, person.token)

const listed = async (token: string) => (await service.get('/auth/factors', { token })).body

test('an account can enrol, rename and remove several factors', async () => {
  const person = await service.person()
  const phone = await enrol(service, person.token, { friendlyName: 'Phone', password: person.password })
  const tablet = await enrol(service, person.token, { friendlyName: 'Tablet', password: person.password })
  expect(phone.recoveryCodes).toHaveLength(10)
  expect(tablet.recoveryCodes).toHaveLength(0)
  const client = newClient(service)

  const renamed = await client.send('PATCH', `/auth/factors/${tablet.id}`, {
    token: person.token,
    body: { friendlyName: 'Old tablet' },
  })
  expect(renamed).toMatchObject({ status: 200, body: { id: tablet.id, friendlyName: 'Old tablet' } })
  expect(await listed(person.token)).toMatchObject({
    factors: [
      { id: phone.id, friendlyName: 'Phone' },
      { id: tablet.id, friendlyName: 'Old tablet' },
    ],
    recoveryCodesLeft: 10,
    recoveryCodesOutdated: false,
  })
  expect((await service.get('/api/v1/user/data', { token: person.token })).body).toMatchObject({
    mfaFactors: [
      { id: phone.id, friendlyName: 'Phone' },
      { id: tablet.id, friendlyName: 'Old tablet' },
    ],
  })

  const again = { password: person.password }
  expect((await client.post(`/auth/factors/${phone.id}/remove`, again, person.token)).status).toBe(204)
  expect(await listed(person.token)).toMatchObject({ factors: [{ id: tablet.id }], recoveryCodesLeft: 10 })
  expect((await client.post(`/auth/factors/${tablet.id}/remove`, again, person.token)).status).toBe(204)
  expect(await listed(person.token)).toEqual({ factors: [], recoveryCodesLeft: 0, recoveryCodesOutdated: false })
  await client.openSession(person)
  const noted = await service.sql<{ action: string }>(
    `select action from audit_event where actor_id = $1 and action like 'factor.%' order by id`,
    [person.id],
  )
  expect(noted.map(({ action }) => action)).toEqual([
    'factor.added',
    'factor.added',
    'factor.removed',
    'factor.removed',
  ])
})

test('the secret works in an authenticator app, and is encrypted in the database for its own row', async () => {
  const person = await service.person()
  const answer = await begin(person, 'Phone')
  const { id, secret, uri } = answer.body as { id: string; secret: string; uri: string }
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const parsed = new URL(uri)
  expect(parsed.protocol).toBe('otpauth:')
  expect(Object.fromEntries(parsed.searchParams)).toMatchObject({
    secret,
    issuer: 'muster.test',
    digits: '6',
    period: '30',
  })
  expect(decodeURIComponent(parsed.pathname)).toContain(person.email)
  const [row] = await service.sql<{ stored: string }>(
    `select encode(secret, 'hex') as stored from factor where id = $1`,
    [id],
  )
  const { Secret } = await import('otpauth')
  expect(row?.stored).not.toContain(Secret.fromBase32(secret).hex.toLowerCase())

  const other = await service.person()
  const theirs = (await begin(other, 'Phone')).body as { id: string }
  await service.sql(`update factor set secret = (select secret from factor where id = $1) where id = $2`, [
    id,
    theirs.id,
  ])
  const code = codeAt(secret, service.clock.now())
  const moved = await newClient(service).post(`/auth/factors/${theirs.id}/verify`, { code }, other.token)
  expect(moved.status).toBe(500)
})

describe('enrolment', () => {
  test('returns 400 for a blank name, control characters and changes of text direction', async () => {
    const person = await service.person()
    for (const name of ['', ' ', ' Phone', 'Pho\u0000ne', 'Pho\nne', 'Pho\u202Ene', 'x'.repeat(101)])
      expect(problemOf(await begin(person, name)), JSON.stringify(name)).toEqual({ status: 400, code: 'input_invalid' })
    expect((await begin(person, 'Téléphone 📱 de Zoë')).status).toBe(201)
  })

  test('charges wrong passwords to the session: after ten it is rate limited, a new sign-in is not', async () => {
    const person = await service.person()
    const wrong = { ...person, password: 'wrong password' }
    for (let failure = 0; failure < 10; failure += 1)
      expect(problemOf(await begin(wrong, 'Phone'))).toEqual(wrongPassword)
    expect(problemOf(await begin(person, 'Phone'))).toEqual({ status: 429, code: 'sign_in_wait' })
    const { access } = await newClient(service).openSession(person)
    expect((await begin({ ...person, token: access }, 'Phone')).status).toBe(201)
  })

  test('returns 429 sign_in_wait after ten wrong first codes', async () => {
    const person = await service.person()
    const { id, secret } = (await begin(person, 'Phone')).body as { id: string; secret: string }
    const verify = (code: string) => newClient(service).post(`/auth/factors/${id}/verify`, { code }, person.token)
    const old = codeAt(secret, service.clock.now() - 3_600_000)
    for (let failure = 0; failure < 10; failure += 1)
      expect(problemOf(await verify(old))).toEqual({ status: 403, code: 'code_refused' })
    expect(problemOf(await verify(codeAt(secret, service.clock.now())))).toEqual({ status: 429, code: 'sign_in_wait' })
  })

  test('returns 409 factor_name_taken for a verified factor, and replaces an unverified one', async () => {
    const person = await service.person()
    expect((await begin(person, 'Phone')).status).toBe(201)
    await enrol(service, person.token, { friendlyName: 'Phone', password: person.password })
    expect(problemOf(await begin(person, 'Phone'))).toEqual({ status: 409, code: 'factor_name_taken' })
  })

  test('returns 409 factor_limit_reached at the eleventh factor, also for parallel requests', async () => {
    const person = await service.person()
    const six = (first: number) => Promise.all(Array.from({ length: 6 }, (_, n) => begin(person, `Phone ${first + n}`)))
    const answers = [...(await six(1)), ...(await six(7))]
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(problemOf(answer)).toEqual({ status: 409, code: 'factor_limit_reached' })
      expect(answer.body).toMatchObject({ detail: 'An account has at most 10 factors.' })
    }
  })
})

describe('the first code', () => {
  test('returns 403 code_refused for a wrong code without changes, and a correct one works once', async () => {
    const person = await service.person()
    const { id, secret } = (await begin(person, 'Phone')).body as { id: string; secret: string }
    const show = (code: string) => newClient(service).post(`/auth/factors/${id}/verify`, { code }, person.token)
    const old = codeAt(secret, service.clock.now() - 3_600_000)
    expect(problemOf(await show(old))).toEqual({ status: 403, code: 'code_refused' })
    const code = codeAt(secret, service.clock.now())
    expect((await show(code)).status).toBe(200)
    expect(problemOf(await show(code))).toEqual({ status: 409, code: 'factor_verified' })
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    const answer = await client.post('/auth/sign-in/second-step', { challenge, factorId: id, code })
    expect(problemOf(answer)).toEqual({ status: 403, code: 'code_refused' })
  })

  test('is accepted once of five parallel requests, with one set of recovery codes', async () => {
    const person = await service.person()
    const { id, secret } = (await begin(person, 'Phone')).body as { id: string; secret: string }
    const code = codeAt(secret, service.clock.now())
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => newClient(service).post(`/auth/factors/${id}/verify`, { code }, person.token)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await listed(person.token)).toMatchObject({ recoveryCodesLeft: 10 })
  })
})

describe('404 factor_unknown', () => {
  test('for an unknown factor and for another account’s factor', async () => {
    const person = await service.person()
    const other = await service.person()
    const theirs = await enrol(service, other.token, { password: other.password })
    const client = newClient(service)
    for (const id of [unknownId, theirs.id]) {
      const { token, password } = person
      const path = `/auth/factors/${id}`
      expect(problemOf(await client.post(`${path}/verify`, { code: '123456' }, token))).toEqual(noFactor)
      expect(problemOf(await client.post(`${path}/remove`, { password }, token))).toEqual(noFactor)
      const renamed = await client.send('PATCH', path, { token, body: { friendlyName: 'Mine now' } })
      expect(problemOf(renamed)).toEqual(noFactor)
    }
    expect(await listed(other.token)).toMatchObject({ factors: [{ id: theirs.id, friendlyName: 'Phone' }] })
  })

  test('renaming to the name of another factor returns 409 factor_name_taken', async () => {
    const person = await service.person()
    await enrol(service, person.token, { friendlyName: 'Phone', password: person.password })
    const tablet = await enrol(service, person.token, { friendlyName: 'Tablet', password: person.password })
    const options = { token: person.token, body: { friendlyName: 'Phone' } }
    const answer = await newClient(service).send('PATCH', `/auth/factors/${tablet.id}`, options)
    expect(problemOf(answer)).toEqual({ status: 409, code: 'factor_name_taken' })
  })
})

describe('removal', () => {
  test('returns 403 password_wrong: an open session alone removes no factor', async () => {
    const person = await service.person()
    const factor = await enrol(service, person.token, { password: person.password })
    const path = `/auth/factors/${factor.id}/remove`
    expect(problemOf(await newClient(service).post(path, { password: 'wrong' }, person.token))).toEqual(wrongPassword)
    expect(await listed(person.token)).toMatchObject({ factors: [{ id: factor.id }] })
  })
})

describe('recovery codes', () => {
  test('of an earlier release still work, and the list marks them as outdated', async () => {
    const person = await service.person()
    await enrol(service, person.token, { password: person.password })
    const older = createHash('sha256').update('h4kd92mfxq7rp3wt').digest()
    await service.sql(`insert into recovery_code (account_id, hash) values ($1, $2)`, [person.id, older])
    expect(await listed(person.token)).toMatchObject({ recoveryCodesLeft: 11, recoveryCodesOutdated: true })
    const client = newClient(service)
    const challenge = await challengeFor(client, person)
    const body = { challenge, recoveryCode: 'h4kd-92mf-xq7r-p3wt' }
    expect((await client.post('/auth/sign-in/second-step', body)).status).toBe(200)
    expect(await listed(person.token)).toMatchObject({ recoveryCodesLeft: 10, recoveryCodesOutdated: false })
  })

  test('are replaced with the password', async () => {
    const person = await service.person()
    const { recoveryCodes: old } = await enrol(service, person.token, { password: person.password })
    const client = newClient(service)
    const renew = (password: string) => client.post('/auth/recovery-codes', { password }, person.token)
    expect(problemOf(await renew('wrong password'))).toEqual(wrongPassword)
    const answer = await renew(person.password)
    expect(answer.status).toBe(201)
    const { recoveryCodes } = answer.body as { recoveryCodes: string[] }
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-hjkmnp-z2-9]{5}-){4}[a-hjkmnp-z2-9]{6}$/)
    laterCode(service)
    for (const [recoveryCode, status] of [
      [old[0], 403],
      [recoveryCodes[0], 200],
    ] as const) {
      const challenge = await challengeFor(client, person)
      expect((await client.post('/auth/sign-in/second-step', { challenge, recoveryCode })).status).toBe(status)
    }
    expect(await listed(person.token)).toMatchObject({ recoveryCodesLeft: 9 })
    const [found] = await service.sql<{ all: string }>(
      `select string_agg(to_json(c)::text, '') as all from recovery_code c`,
    )
    expect(found?.all).not.toContain(recoveryCodes[1])
  })

  test('are replaced with one audit event; a rejected request records none', async () => {
    const { id, token, password } = await service.person()
    await enrol(service, token, { password })
    const client = newClient(service)
    for (const sent of ['wrong password', password])
      await client.post('/auth/recovery-codes', { password: sent }, token)
    const events = await service.sql(
      `select actor_id, target_kind, target_id, address, details from audit_event
       where action = 'recovery_codes.replaced' and target_id = $1`,
      [id],
    )
    const target = { target_kind: 'account', target_id: id }
    expect(events).toEqual([{ actor_id: id, ...target, address: client.address, details: {} }])
  })

  test('are not created without a verified factor: 409 factor_missing', async () => {
    const person = await service.person()
    const answer = await newClient(service).post('/auth/recovery-codes', { password: person.password }, person.token)
    expect(problemOf(answer)).toEqual({ status: 409, code: 'factor_missing' })
  })
})
