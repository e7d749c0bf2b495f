import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAuthenticator, type Request } from '../../../support/authenticator.ts'
import {
  creationOptions,
  type Keyholder,
  optionsOf,
  origin,
  register,
  sessionOptions,
  signInBy,
  signInOptions,
  startPasskeyIssuer,
  withPasskey,
} from '../../../support/passkey-client.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { newClient, tokensOf } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startPasskeyIssuer()
})
afterAll(() => service.stop())

const codeRefused = { status: 403, code: 'code_refused' }
const stepUpRequired = { status: 401, code: 'step_up_required' }
const post = (path: string, body: object, token?: string) => newClient(service).post(path, body, token)

/** The challenge after a correct password, with the passkey options. */
async function firstStep({
  email,
  password,
}: Keyholder): Promise<{ readonly challenge: string; readonly asked: Request }> {
  const { body, text } = await newClient(service).signIn(email, password)
  expect(body, text).toMatchObject({ mfa_required: true })
  const { challenge, passkey } = body as { challenge: string; passkey: { options: Request } }
  return { challenge, asked: passkey.options }
}

const secondStep = (challenge: string, credential: object) =>
  post('/auth/sign-in/second-step', { challenge, credential })

/** A token of a new session with only the password, as if the account had no factor. */
async function weakSession(id: string, ageSeconds = 0): Promise<string> {
  const token = await service.tokenFor(id)
  await service.sql(`update session set proved_at = now() - make_interval(secs => $2) where id = $1`, [
    decodeJwt<{ sid: string }>(token).sid,
    ageSeconds,
  ])
  return token
}

const remove = (factorId: string, token: string, body: object = {}) =>
  post(`/auth/factors/${factorId}/remove`, body, token)

describe('a passkey as second factor', () => {
  test('is offered with its options after the password, and opens the session', async () => {
    const person = await withPasskey(service)
    const { body } = await newClient(service).signIn(person.email, person.password)
    expect(body).toMatchObject({
      factors: [{ id: person.factorId, type: 'passkey', friendlyName: 'Laptop' }],
      passkey: {
        options: {
          rpId: 'muster.test',
          userVerification: 'required',
          allowCredentials: [{ id: person.authenticator.id }],
        },
      },
    })
    const { challenge, asked } = await firstStep(person)
    const { access } = tokensOf(await secondStep(challenge, person.authenticator.get(asked, { userHandle: undefined })))
    expect(decodeJwt(access)).toMatchObject({ acr: 'urn:muster:aal2', amr: ['pwd', 'pop', 'mfa'] })
  })

  test('is rejected with 403 code_refused for another account, another origin or another purpose', async () => {
    const person = await withPasskey(service)
    const other = await withPasskey(service)
    const { challenge, asked } = await firstStep(person)
    const wrong = [
      other.authenticator.get(asked),
      person.authenticator.get(asked, { origin: 'https://evil.example' }),
      person.authenticator.get(await signInOptions(service)),
      person.authenticator.get((await firstStep(other)).asked),
    ]
    for (const credential of wrong) expect(problemOf(await secondStep(challenge, credential))).toEqual(codeRefused)
    expect((await secondStep(challenge, person.authenticator.get(asked))).status).toBe(200)
  })

  test('works once, also for concurrent requests: 401 challenge_invalid', async () => {
    const person = await withPasskey(service, { counts: false })
    const { challenge, asked } = await firstStep(person)
    const credential = person.authenticator.get(asked)
    const answers = await Promise.all([secondStep(challenge, credential), secondStep(challenge, credential)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { challenge: later } = await firstStep(person)
    expect(problemOf(await secondStep(later, credential))).toEqual(codeRefused)
  })

  test('still works when codes are locked, and unlocks them', async () => {
    const person = await withPasskey(service)
    const bucket = `encode(sha256(convert_to('["code","' || $1 || '"]', 'UTF8')), 'hex')`
    await service.sql(
      `insert into sign_in_bucket (scope, key, full_at, failures, capacity, step, last_network_units)
       values ('account', decode(${bucket}, 'hex'), now(), 100, 5, '15 minutes', 0)`,
      [person.id],
    )
    const { challenge, asked } = await firstStep(person)
    expect((await secondStep(challenge, person.authenticator.get(asked))).status).toBe(200)
    const left = () => service.sql(`select from sign_in_bucket where encode(key, 'hex') = ${bucket}`, [person.id])
    expect(await left()).toEqual([])
    await service.sql(
      `insert into sign_in_bucket (scope, key, full_at, failures, capacity, step, last_network_units)
       values ('account', decode(${bucket}, 'hex'), now(), 100, 5, '15 minutes', 0)`,
      [person.id],
    )
    expect((await signInBy(service, person.authenticator.get(await signInOptions(service)))).status).toBe(200)
    expect(await left()).toEqual([])
  })
})

describe('a passkey in an open session', () => {
  test('raises the session to level 2, once per assertion', async () => {
    const person = await withPasskey(service)
    const token = await weakSession(person.id, 700)
    expect(problemOf(await post('/auth/passkeys/options', {}, token))).toEqual(stepUpRequired)
    const credential = person.authenticator.get(await sessionOptions(service, token))
    const raised = await post('/auth/step-up', { credential }, token)
    expect(decodeJwt((raised.body as { access_token: string }).access_token)).toMatchObject({
      acr: 'urn:muster:aal2',
      amr: ['pwd', 'pop', 'mfa'],
    })
    await creationOptions(service, token)
    expect(problemOf(await post('/auth/step-up', { credential }, token))).toEqual(codeRefused)
  })

  test('is rejected with 403 code_refused for the challenge of another session', async () => {
    const person = await withPasskey(service)
    const [mine, other] = [await weakSession(person.id), await weakSession(person.id)]
    const credential = person.authenticator.get(await sessionOptions(service, mine))
    expect(problemOf(await post('/auth/step-up', { credential }, other))).toEqual(codeRefused)
    expect((await post('/auth/step-up', { credential }, mine)).status).toBe(200)
  })

  test('is rejected with 403 code_refused for the challenge of a registration', async () => {
    const { authenticator, token } = await withPasskey(service)
    const { challenge } = await creationOptions(service, token)
    const credential = authenticator.get({ challenge, rpId: 'muster.test' })
    expect(problemOf(await post('/auth/step-up', { credential }, token))).toEqual(codeRefused)
  })

  test('returns 409 factor_missing if the account has no passkey', async () => {
    const { token } = await service.person()
    expect(problemOf(await post('/auth/step-up/passkey/options', {}, token))).toEqual({
      status: 409,
      code: 'factor_missing',
    })
  })

  test('satisfies a role that requires a second factor', async () => {
    const keyholder = async () => {
      const person = await service.person({ role: 'auditor' })
      return { ...person, ...(await register(service, person.token)) }
    }
    await service.sql(`insert into role (id, name, requires_mfa) values ('auditor', 'Auditor', true)`)
    await service.sql(`insert into role_grant (role_id, resource, action) values ('auditor', 'users', 'list')`)
    const person = await keyholder()
    const list = (token: string) => service.get('/api/v1/admin/users/fetch', { token })
    expect(problemOf(await list(await weakSession(person.id)))).toEqual(stepUpRequired)
    const { access } = tokensOf(await signInBy(service, person.authenticator.get(await signInOptions(service))))
    expect((await list(access)).status).toBe(200)
  })
})

describe('adding and removing passkeys', () => {
  test('requires a sign-in within the last ten minutes, with the factor if there is one: 401 step_up_required', async () => {
    const plain = await service.person()
    const body = { friendlyName: 'Laptop', credential: { id: 'A', rawId: 'A', type: 'public-key', response: {} } }
    const old = await weakSession(plain.id, 700)
    for (const [path, sent] of [
      ['/auth/passkeys/options', {}],
      ['/auth/passkeys', body],
    ] as const)
      expect(problemOf(await post(path, sent, old))).toEqual(stepUpRequired)
    const person = await withPasskey(service)
    expect(problemOf(await post('/auth/passkeys/options', {}, await weakSession(person.id)))).toEqual(stepUpRequired)
  })

  test('requires the password in a session of an operator: 401 step_up_required', async () => {
    const { id, password } = await service.person()
    const operator = (await service.parts.issuer?.tokenFor(id))?.access_token ?? ''
    expect(problemOf(await post('/auth/passkeys/options', {}, operator))).toEqual(stepUpRequired)
    expect((await post('/auth/step-up', { password }, operator)).status).toBe(200)
    await register(service, operator)
  })

  test('ends the other sessions and recovery links, and raises the current session to two factors', async () => {
    const person = await service.person()
    const before = await newClient(service).openSession(person)
    await register(service, person.token)
    const ended = { status: 401, code: 'session_ended' }
    expect(problemOf(await service.get('/api/v1/user/data', { token: before.access }))).toEqual(ended)
    expect(problemOf(await post('/auth/refresh', { refresh_token: before.refresh }))).toEqual({
      status: 401,
      code: 'refresh_refused',
    })
    const [session] = await service.sql(`select aal, amr from session where id = $1`, [
      decodeJwt<{ sid: string }>(person.token).sid,
    ])
    expect(session).toEqual({ aal: 2, amr: ['pwd', 'pop', 'mfa'] })
    const [account] = await service.sql(`select security_epoch from account where id = $1`, [person.id])
    expect(account).toEqual({ security_epoch: 1 })
  })

  test('stops refreshing sessions that used only the password', async () => {
    const person = await service.person()
    const { authenticator } = await register(service, person.token)
    const session = tokensOf(await signInBy(service, authenticator.get(await signInOptions(service))))
    await service.sql(`update session set amr = '{pwd}' where id = $1`, [
      decodeJwt<{ sid: string }>(session.access).sid,
    ])
    expect(problemOf(await post('/auth/refresh', { refresh_token: session.refresh }))).toEqual({
      status: 401,
      code: 'refresh_refused',
    })
  })

  test('works like any factor; removing the last factor deletes the recovery codes', async () => {
    const person = await withPasskey(service)
    const renamed = await newClient(service).send('PATCH', `/auth/factors/${person.factorId}`, {
      token: person.token,
      body: { friendlyName: 'Old laptop' },
    })
    expect(renamed).toMatchObject({
      status: 200,
      body: { id: person.factorId, type: 'passkey', friendlyName: 'Old laptop' },
    })
    expect((await remove(person.factorId, person.token)).status).toBe(204)
    expect((await service.get('/auth/factors', { token: person.token })).body).toMatchObject({
      factors: [],
      recoveryCodesLeft: 0,
    })
    expect(problemOf(await signInBy(service, person.authenticator.get(await signInOptions(service))))).toEqual({
      status: 401,
      code: 'passkey_refused',
    })
    await newClient(service).openSession(person)
  })

  test('needs the password and the passkey for removal', async () => {
    const person = await withPasskey(service)
    const token = await weakSession(person.id)
    const { password } = person
    expect(problemOf(await remove(person.factorId, token, { password }))).toEqual({
      status: 403,
      code: 'factor_required',
    })
    expect(problemOf(await remove(person.factorId, token))).toEqual(stepUpRequired)
    const credential = person.authenticator.get(await sessionOptions(service, token))
    expect((await remove(person.factorId, token, { password, credential })).status).toBe(204)
  })

  test('returns 404 factor_unknown for another account’s passkey, and for the first code of a passkey', async () => {
    const person = await withPasskey(service)
    const other = await withPasskey(service)
    const unknown = { status: 404, code: 'factor_unknown' }
    expect(problemOf(await remove(other.factorId, person.token))).toEqual(unknown)
    expect(problemOf(await post(`/auth/factors/${person.factorId}/verify`, { code: '123456' }, person.token))).toEqual(
      unknown,
    )
  })

  test('allows new recovery codes with a passkey as the only factor', async () => {
    const person = await withPasskey(service)
    const answer = await post('/auth/recovery-codes', { password: person.password }, person.token)
    expect((answer.body as { recoveryCodes: string[] }).recoveryCodes).toHaveLength(10)
  })
})

describe('recovery of an account with a passkey', () => {
  async function linkFor(id: string, body: object = {}): Promise<string> {
    const admin = await service.person({ role: 'admin' })
    const path = `/api/v1/admin/users/${id}`
    const { headers } = await service.get(path, { token: admin.token })
    const made = await service.call('POST', `${path}/recovery`, {
      token: admin.token,
      body,
      headers: { 'if-match': String(headers.etag) },
    })
    expect(made.status, made.text).toBe(201)
    return new URLSearchParams(new URL((made.body as { link: string }).link).hash.slice(1)).get('token') ?? ''
  }

  const newPassword = 'seventeen small turtles'
  const inspect = (token: string) => post('/auth/links/inspect', { token })
  const complete = (token: string, more: object = {}) =>
    post('/auth/recovery/complete', { token, newPassword, ...more })
  const askedIn = (answer: Answer) =>
    optionsOf<Request>({ ...answer, body: (answer.body as { passkey: object }).passkey })

  test('needs the passkey together with the link, which returns its options', async () => {
    const person = await withPasskey(service)
    const token = await linkFor(person.id)
    expect(problemOf(await complete(token))).toEqual({ status: 403, code: 'factor_required' })
    const looked = await inspect(token)
    expect(looked.body).toMatchObject({ needsFactor: true, factors: [{ id: person.factorId, type: 'passkey' }] })
    const asked = askedIn(looked)
    expect(asked).toMatchObject({ allowCredentials: [{ id: person.authenticator.id }] })
    const other = person.authenticator.get((await firstStep(person)).asked)
    expect(problemOf(await complete(token, { credential: other }))).toEqual(codeRefused)
    const fresh = person.authenticator.get(askedIn(await inspect(token)))
    expect((await complete(token, { credential: fresh })).status).toBe(200)
    // The password is new and the passkey stays. Earlier challenges are invalid.
    const { asked: again, challenge } = await firstStep({ ...person, password: newPassword })
    expect((await secondStep(challenge, person.authenticator.get(again))).status).toBe(200)
  })

  test('a password change invalidates open passkey challenges', async () => {
    const person = await withPasskey(service)
    await firstStep(person)
    const changed = { currentPassword: person.password, newPassword }
    expect((await service.call('PUT', '/auth/password', { token: person.token, body: changed })).status).toBe(204)
    expect(await service.sql(`select from webauthn_challenge where account_id = $1`, [person.id])).toEqual([])
  })

  test('accepts a recovery code instead of the passkey', async () => {
    const person = await withPasskey(service)
    const { challenge } = await firstStep(person)
    const recoveryCode = person.recoveryCodes[0]
    expect((await post('/auth/sign-in/second-step', { challenge, recoveryCode })).status).toBe(200)
  })

  test('removes passkeys too with a link that resets factors', async () => {
    const person = await withPasskey(service)
    expect((await complete(await linkFor(person.id, { resetFactors: true }))).status).toBe(200)
    expect(await service.sql(`select from passkey where account_id = $1`, [person.id])).toEqual([])
    expect((await newClient(service).openSession({ ...person, password: newPassword })).access).toMatch(/^ey/)
  })

  test('removes the passkeys when the owner of the email takes over an unverified account', async () => {
    const person = await withPasskey(service)
    await service.sql(`delete from credential where account_id = $1`, [person.id])
    expect(await service.sql(`select from passkey where account_id = $1`, [person.id])).toEqual([])
    expect(problemOf(await signInBy(service, person.authenticator.get(await signInOptions(service))))).toEqual({
      status: 401,
      code: 'passkey_refused',
    })
  })
})

describe('an account that is scheduled for deletion', () => {
  const erasing = { status: 403, code: 'account_erasing' }

  async function erasingPerson() {
    const person = await withPasskey(service)
    expect((await post('/auth/account/erase', {}, person.token)).status).toBe(202)
    return person
  }

  test('is restored with the password and the passkey', async () => {
    const person = await erasingPerson()
    const { body } = await newClient(service).signIn(person.email, person.password)
    const { challenge, passkey } = body as { challenge: string; passkey: { options: Request } }
    expect(body).toMatchObject({ code: 'account_erasing', factors: [{ id: person.factorId, type: 'passkey' }] })
    const credential = person.authenticator.get(passkey.options)
    expect((await post('/auth/account/keep', { challenge, credential })).status).toBe(200)
    expect((await signInBy(service, person.authenticator.get(await signInOptions(service)))).status).toBe(200)
  })

  test('returns 403 account_erasing for a correct passkey, and is restored with the passkey again', async () => {
    const person = await erasingPerson()
    const shown = person.authenticator.get(await signInOptions(service))
    const answer = await signInBy(service, shown)
    expect(problemOf(answer)).toEqual(erasing)
    const { challenge, passkey, erasesAt } = answer.body as {
      challenge: string
      passkey: { options: Request }
      erasesAt: string
    }
    expect(Date.parse(erasesAt)).toBeGreaterThan(Date.now())
    // The assertion is consumed.
    expect(problemOf(await signInBy(service, shown))).toEqual({ status: 401, code: 'passkey_refused' })
    expect(problemOf(await post('/auth/account/keep', { challenge }))).toEqual({ status: 403, code: 'factor_required' })
    const credential = person.authenticator.get(passkey.options)
    const kept = await post('/auth/account/keep', { challenge, credential })
    expect(decodeJwt(tokensOf(kept).access)).toMatchObject({ sub: person.id, amr: ['pop', 'user', 'mfa'] })
  })

  test.each([
    ['signed by another key', { signedBy: newAuthenticator({ origin }) }],
    ['without user verification', { flags: 0x01 }],
    ['on another page', { origin: 'https://muster.test.evil.example' }],
  ])('returns 401 passkey_refused without revealing the deletion for an assertion %s', async (_, deviation) => {
    const { authenticator } = await erasingPerson()
    const answer = await signInBy(service, authenticator.get(await signInOptions(service), deviation))
    expect(problemOf(answer)).toEqual({ status: 401, code: 'passkey_refused' })
    expect(answer.body).not.toHaveProperty('erasesAt')
  })

  test('returns 401 passkey_refused if it was disabled before, or the deletion is due', async () => {
    const [disabled, late] = [await erasingPerson(), await erasingPerson()]
    await service.sql(`update account set disabled_at = disabled_at - interval '1 hour' where id = $1`, [disabled.id])
    await service.sql(`update account set erases_at = now() where id = $1`, [late.id])
    for (const { authenticator } of [disabled, late])
      expect(problemOf(await signInBy(service, authenticator.get(await signInOptions(service))))).toEqual({
        status: 401,
        code: 'passkey_refused',
      })
  })
})

test('the export of an account names the passkey without its key', async () => {
  const person = await withPasskey(service)
  const { status, body, text } = await service.get('/auth/account/export', { token: person.token })
  expect(status, text).toBe(200)
  expect(body).toMatchObject({ factors: [{ id: person.factorId, type: 'passkey', friendlyName: 'Laptop' }] })
  const [row] = await service.sql<{ key: string }>(
    `select encode(public_key, 'hex') as key from passkey where id = $1`,
    [person.factorId],
  )
  for (const secret of [row?.key, person.authenticator.id]) expect(text).not.toContain(String(secret))
})
