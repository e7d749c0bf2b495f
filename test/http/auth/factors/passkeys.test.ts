import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAuthenticator } from '../../../support/authenticator.ts'
import {
  creationOptions,
  origin,
  register,
  signInBy,
  signInOptions,
  startPasskeyIssuer,
  withPasskey,
} from '../../../support/passkey-client.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startPasskeyIssuer()
})
afterAll(() => service.stop())

const refused = { status: 401, code: 'passkey_refused' }
const invalid = { status: 400, code: 'passkey_invalid' }
const elsewhere = 'https://muster.test.evil.example'

const add = (token: string, credential: object, friendlyName = 'Laptop') =>
  newClient(service).post('/auth/passkeys', { friendlyName, credential }, token)

const auditOf = (action: string, accountId: string) =>
  service.sql<{ details: object }>(
    `select details from audit_event
     where action = $1 and (actor_id::text = $2 or target_id = $2 or details->>'accountId' = $2)`,
    [action, accountId],
  )

describe('passkey sign-in', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'registers a %s passkey, lists it and signs in at AAL2',
    async (algorithm) => {
      const person = await service.person()
      const { authenticator, factorId, recoveryCodes } = await register(service, person.token, { algorithm })
      expect(recoveryCodes).toHaveLength(10)
      expect((await service.get('/auth/factors', { token: person.token })).body).toMatchObject({
        factors: [{ id: factorId, type: 'passkey', friendlyName: 'Laptop' }],
        recoveryCodesLeft: 10,
      })
      const answer = await signInBy(service, authenticator.get(await signInOptions(service)))
      const { access, refresh, device } = tokensOf(answer)
      expect(decodeJwt(access)).toMatchObject({
        sub: person.id,
        acr: 'urn:muster:aal2',
        amr: ['pop', 'user', 'mfa'],
      })
      expect(device).toMatch(/^mdt_/)
      expect((await service.get('/api/v1/user/data', { token: access })).body).toMatchObject({
        mfaFactors: [{ id: factorId, friendlyName: 'Laptop' }],
      })
      expect((await newClient(service).post('/auth/refresh', { refresh_token: refresh })).status).toBe(200)
      expect(await auditOf('factor.added', person.id)).toEqual([{ details: { type: 'passkey' } }])
    },
  )

  test('returns options without account data, unique only in the challenge', async () => {
    const { challenge, ...options } = await signInOptions(service)
    expect(options).toEqual({ rpId: 'muster.test', timeout: 300_000, userVerification: 'required' })
    expect(Buffer.from(challenge, 'base64url')).toHaveLength(32)
    expect((await signInOptions(service)).challenge).not.toBe(challenge)
  })

  test('requires a discoverable credential with user verification and excludes registered authenticators', async () => {
    const person = await withPasskey(service)
    expect(await creationOptions(service, person.token)).toMatchObject({
      rp: { id: 'muster.test' },
      user: { name: person.email },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [{ id: person.authenticator.id, type: 'public-key', transports: ['internal'] }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
  })

  test('stores public keys, and challenges only as hashes', async () => {
    const person = await service.person()
    const { challenge } = await creationOptions(service, person.token)
    const [row] = await service.sql<{ all: string }>(
      `select string_agg(to_json(c)::text, '') as all from webauthn_challenge c`,
    )
    expect(row?.all).not.toContain(challenge)
    expect(row?.all).not.toContain(Buffer.from(challenge, 'base64url').toString('hex'))
  })

  test('returns the same device token on a known device', async () => {
    const { authenticator } = await withPasskey(service)
    const first = tokensOf(await signInBy(service, authenticator.get(await signInOptions(service))))
    const again = await signInBy(service, authenticator.get(await signInOptions(service)), {
      device_token: first.device,
    })
    expect(tokensOf(again).device).toBe(first.device)
  })
})

describe('POST /auth/sign-in/passkey rejects with 401 passkey_refused', () => {
  test.each([
    ['on another origin', { origin: elsewhere }],
    ['on the same host with another port', { origin: `${origin}:8443` }],
    ['in a cross-origin iframe', { clientData: { crossOrigin: true } }],
    ['of another domain', { rpId: 'app.muster.test' }],
    ['made for a registration', { type: 'webauthn.create' }],
    ['without user verification', { flags: 0x01 }],
    ['without a user', { flags: 0x04 }],
    ['with a challenge that was not given out', { challenge: 'x'.repeat(43) }],
    ['with client data that has no challenge', { clientData: { challenge: 1 } }],
    ['without the name of the account', { userHandle: undefined }],
    ['with the name of another account', { userHandle: Buffer.alloc(32).toString('base64url') }],
  ])('an assertion %s', async (_, deviation) => {
    const { authenticator, id } = await withPasskey(service)
    const answer = await signInBy(service, authenticator.get(await signInOptions(service), deviation))
    expect(problemOf(answer)).toEqual(refused)
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer /)
    expect(await auditOf('session.refused', id)).toEqual([{ details: { step: 'passkey' } }])
  })

  test('an assertion signed by another key', async () => {
    const { authenticator } = await withPasskey(service)
    const signedBy = newAuthenticator({ origin })
    expect(problemOf(await signInBy(service, authenticator.get(await signInOptions(service), { signedBy })))).toEqual(
      refused,
    )
  })

  test('client data that is not JSON', async () => {
    const { authenticator } = await withPasskey(service)
    const { response, ...credential } = authenticator.get(await signInOptions(service))
    const answer = await signInBy(service, { ...credential, response: { ...response, clientDataJSON: 'AAAA' } })
    expect(problemOf(answer)).toEqual(refused)
  })

  test('an unknown passkey', async () => {
    const unknown = newAuthenticator({ origin })
    const answer = await signInBy(service, unknown.get(await signInOptions(service), { userHandle: 'AAAA' }))
    expect(problemOf(answer)).toEqual(refused)
  })

  test('a used or expired challenge', async () => {
    const { authenticator } = await withPasskey(service)
    const options = await signInOptions(service)
    const credential = authenticator.get(options)
    expect((await signInBy(service, credential)).status).toBe(200)
    expect(problemOf(await signInBy(service, credential))).toEqual(refused)
    expect(problemOf(await signInBy(service, authenticator.get(options)))).toEqual(refused)

    const late = await signInOptions(service)
    await service.sql(`update webauthn_challenge set expires_at = now()`)
    expect(problemOf(await signInBy(service, authenticator.get(late)))).toEqual(refused)
  })

  test('a challenge for another purpose or account', async () => {
    const { authenticator, token, email, password } = await withPasskey(service)
    const { challenge } = await creationOptions(service, token)
    const stepUp = await newClient(service).post('/auth/step-up/passkey/options', {}, token)
    const first = await newClient(service).signIn(email, password)
    const asked = [
      challenge,
      (stepUp.body as { options: { challenge: string } }).options.challenge,
      (first.body as { passkey: { options: { challenge: string } } }).passkey.options.challenge,
    ]
    for (const other of asked)
      expect(problemOf(await signInBy(service, authenticator.get({ challenge: other, rpId: 'muster.test' })))).toEqual(
        refused,
      )
  })

  test('the second of two concurrent assertions for one challenge', async () => {
    const { authenticator } = await withPasskey(service, { counts: false })
    const credential = authenticator.get(await signInOptions(service))
    const answers = await Promise.all(Array.from({ length: 6 }, () => signInBy(service, credential)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(problemOf(answer)).toEqual(refused)
  })

  test('a passkey of a disabled account, and accepts it when the account is enabled again', async () => {
    const { authenticator, id } = await withPasskey(service)
    await service.sql(`update account set disabled_at = now() where id = $1`, [id])
    expect(problemOf(await signInBy(service, authenticator.get(await signInOptions(service))))).toEqual(refused)
    await service.sql(`update account set disabled_at = null where id = $1`, [id])
    expect((await signInBy(service, authenticator.get(await signInOptions(service)))).status).toBe(200)
  })

  test('a passkey of an account whose password has expired: only a recovery opens it', async () => {
    const { authenticator, id } = await withPasskey(service)
    await service.sql('update credential set initial_until = now() where account_id = $1', [id])
    expect(problemOf(await signInBy(service, authenticator.get(await signInOptions(service))))).toEqual(refused)
  })

  test('a signature counter that does not increase, and writes it to the audit log', async () => {
    const { authenticator, id } = await withPasskey(service)
    const use = async (counter: number) =>
      signInBy(service, authenticator.get(await signInOptions(service), { counter }))
    expect((await use(7)).status).toBe(200)
    for (const counter of [7, 6, 0]) expect(problemOf(await use(counter))).toEqual(refused)
    expect(await auditOf('passkey.counter', id)).toHaveLength(3)
    expect((await use(8)).status).toBe(200)
  })

  test('the second of two concurrent assertions with the same counter', async () => {
    const { authenticator } = await withPasskey(service)
    const asked = await Promise.all(Array.from({ length: 4 }, () => signInOptions(service)))
    const answers = await Promise.all(
      asked.map((options) => signInBy(service, authenticator.get(options, { counter: 9 }))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

test('accepts synced passkeys, whose counter is always 0', async () => {
  const { authenticator } = await withPasskey(service, { counts: false })
  for (let use = 0; use < 2; use += 1)
    expect((await signInBy(service, authenticator.get(await signInOptions(service)))).status).toBe(200)
})

describe('passkey registration', () => {
  test.each([
    ['on another origin', { origin: elsewhere }],
    ['in a cross-origin iframe', { clientData: { crossOrigin: true } }],
    ['for another domain', { rpId: 'evil.example' }],
    ['of an assertion', { type: 'webauthn.get' }],
    ['without user verification', { flags: 0x41 }],
    ['without a user', { flags: 0x44 }],
    ['with a challenge that was not given out', { challenge: 'x'.repeat(43) }],
    ['without a credential', { flags: 0x05 }],
    ['with an attestation that was not requested', { attestation: { fmt: 'fido-u2f', attStmt: new Map() } }],
  ])('rejects a credential with 400 passkey_invalid: %s', async (_, deviation) => {
    const { token } = await service.person()
    const credential = newAuthenticator({ origin }).create(await creationOptions(service, token), deviation)
    expect(problemOf(await add(token, credential))).toEqual(invalid)
    expect((await service.get('/auth/factors', { token })).body).toMatchObject({ factors: [] })
  })

  test('rejects a challenge of another session, account or purpose, used or expired: 400 passkey_invalid', async () => {
    const person = await service.person()
    const { access: otherSession } = await newClient(service).openSession(person)
    const other = await service.person()
    const options = await creationOptions(service, person.token)
    const made = (challenge: string) => newAuthenticator({ origin }).create({ ...options, challenge })
    for (const token of [otherSession, other.token])
      expect(problemOf(await add(token, made(options.challenge)))).toEqual(invalid)
    const { challenge } = await signInOptions(service)
    expect(problemOf(await add(person.token, made(challenge)))).toEqual(invalid)
    expect((await add(person.token, made(options.challenge))).status).toBe(201)
    expect(problemOf(await add(person.token, made(options.challenge), 'Tablet'))).toEqual(invalid)
    const late = await creationOptions(service, person.token)
    await service.sql(`update webauthn_challenge set expires_at = now()`)
    expect(problemOf(await add(person.token, made(late.challenge), 'Tablet'))).toEqual(invalid)
  })

  test('rejects a registered credential with 400 passkey_invalid', async () => {
    const { authenticator } = await withPasskey(service)
    const other = await service.person()
    const copied = authenticator.create(await creationOptions(service, other.token))
    expect(problemOf(await add(other.token, copied))).toEqual(invalid)
  })

  test('never fetches certificates named in an attestation', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const x5c = [Uint8Array.from(Buffer.from(`http://127.0.0.1:${port}/list.crl`))]
    const attestation = { fmt: 'packed', attStmt: new Map<string, never>([['x5c', x5c as never]]) }
    const { token } = await service.person()
    const credential = newAuthenticator({ origin }).create(await creationOptions(service, token), { attestation })
    expect(problemOf(await add(token, credential))).toEqual(invalid)
    expect(await service.logged()).toContain('The attestation format packed was not requested.')
    await new Promise((resolve) => server.close(resolve))
    expect(asked).toBe(0)
  })

  test('returns 409 factor_name_taken and keeps the challenge valid for another name', async () => {
    const person = await withPasskey(service)
    const credential = newAuthenticator({ origin }).create(await creationOptions(service, person.token))
    expect(problemOf(await add(person.token, credential))).toEqual({ status: 409, code: 'factor_name_taken' })
    expect((await add(person.token, credential, 'Tablet')).status).toBe(201)
  })

  test('returns 409 factor_limit_reached beyond ten factors, also for concurrent requests', async () => {
    const person = await service.person()
    await service.sql(
      `insert into factor (account_id, friendly_name, secret) select $1, 'App ' || n, '' from generate_series(1, 8) n`,
      [person.id],
    )
    const made = await Promise.all(
      Array.from({ length: 4 }, async () =>
        newAuthenticator({ origin }).create(await creationOptions(service, person.token)),
      ),
    )
    const answers = await Promise.all(made.map((credential, n) => add(person.token, credential, `Key ${n}`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(problemOf(answer)).toEqual({ status: 409, code: 'factor_limit_reached' })
      expect(answer.body).toMatchObject({ detail: 'An account has at most 10 factors.' })
    }
    const more = { friendlyName: 'App 9', password: person.password }
    expect(problemOf(await newClient(service).post('/auth/factors', more, person.token))).toEqual({
      status: 409,
      code: 'factor_limit_reached',
    })
  })

  test('returns 409 password_missing for an account of another issuer', async () => {
    const { id, token } = await service.person()
    await service.sql(`delete from credential where account_id = $1`, [id])
    expect(problemOf(await newClient(service).post('/auth/passkeys/options', {}, token))).toEqual({
      status: 409,
      code: 'password_missing',
    })
  })

  test('keeps at most 10 open challenges per account and kind, dropping the oldest', async () => {
    const { id, token } = await service.person()
    const first = await creationOptions(service, token)
    for (let n = 0; n < 10; n += 1) await creationOptions(service, token)
    const open = await service.sql(`select from webauthn_challenge where account_id = $1`, [id])
    expect(open).toHaveLength(10)
    expect(problemOf(await add(token, newAuthenticator({ origin }).create(first)))).toEqual(invalid)
  })

  test('deletes expired anonymous challenges when a new one is created', async () => {
    for (let n = 0; n < 4; n += 1) await signInOptions(service)
    await service.sql(`update webauthn_challenge set expires_at = now() - interval '1 hour'`)
    const expired = async () => (await service.sql(`select from webauthn_challenge where expires_at < now()`)).length
    const before = await expired()
    await signInOptions(service)
    expect(await expired()).toBe(before - 2)
  })
})

describe('400 input_invalid', () => {
  const text = 'A'.repeat(20)
  const assertion = {
    id: text,
    rawId: text,
    type: 'public-key',
    response: { clientDataJSON: text, authenticatorData: text, signature: text },
  }
  const created = {
    id: text,
    rawId: text,
    type: 'public-key',
    response: { clientDataJSON: text, attestationObject: text },
  }
  const bodies: readonly (readonly [path: string, body: object])[] = [
    ['/auth/passkeys/options', { more: 1 }],
    ['/auth/sign-in/passkey/options', { more: 1 }],
    ['/auth/step-up/passkey/options', { more: 1 }],
    ['/auth/sign-in/passkey', {}],
    ['/auth/sign-in/passkey', { credential: 'x' }],
    ['/auth/sign-in/passkey', { credential: { ...assertion, id: 'not/base64' } }],
    ['/auth/sign-in/passkey', { credential: { ...assertion, type: 'password' } }],
    ['/auth/sign-in/passkey', { credential: { ...assertion, response: { ...assertion.response, signature: '' } } }],
    ['/auth/sign-in/passkey', { credential: assertion, device_token: '' }],
    ['/auth/sign-in/passkey', { credential: assertion, more: 1 }],
    ['/auth/passkeys', { credential: created }],
    ['/auth/passkeys', { friendlyName: ' ', credential: created }],
    ['/auth/passkeys', { friendlyName: 'Laptop', credential: { ...created, id: 'A'.repeat(1_365) } }],
    ['/auth/passkeys', { friendlyName: 'Laptop', credential: { ...created, response: { clientDataJSON: text } } }],
    ['/auth/passkeys', { friendlyName: 'Laptop', credential: created, endOtherSessions: 'yes' }],
    ['/auth/step-up', { credential: assertion, recoveryCode: 'x' }],
    ['/auth/sign-in/second-step', { challenge: 'x', credential: assertion, code: '123456' }],
    ['/auth/sign-in', { email: 'ada@example.com', password: 'x', credential: assertion }],
  ]
  test.each(bodies)('%s %j', async (path, body) => {
    const { token } = await service.person()
    const isPublic = path.startsWith('/auth/sign-in')
    expect(problemOf(await newClient(service).post(path, body, isPublic ? undefined : token))).toEqual({
      status: 400,
      code: 'input_invalid',
    })
  })
})

test('returns 409 passkeys_unavailable if browsers allow no passkeys at the public address', async () => {
  const plain = await startIssuer()
  try {
    const { token, email, password } = await plain.person()
    const text = 'A'.repeat(20)
    const response = { clientDataJSON: text, authenticatorData: text, signature: text, attestationObject: text }
    const credential = { id: text, rawId: text, type: 'public-key', response }
    const unavailable = { status: 409, code: 'passkeys_unavailable' }
    for (const [path, body] of [
      ['/auth/passkeys/options', {}],
      ['/auth/passkeys', { friendlyName: 'Laptop', credential }],
      ['/auth/sign-in/passkey/options', {}],
      ['/auth/sign-in/passkey', { credential }],
    ] as const)
      expect(
        problemOf(await newClient(plain).post(path, body, path.includes('sign-in') ? undefined : token)),
        path,
      ).toEqual(unavailable)
    expect((await newClient(plain).signIn(email, password)).status).toBe(200)
  } finally {
    await plain.stop()
  }
})

test('serves /.well-known/webauthn only when related origins are configured', async () => {
  expect((await service.get('/.well-known/webauthn')).status).toBe(404)
  const origins = [origin, 'https://app.example.org', `android:apk-key-hash:${'A'.repeat(43)}`]
  const several = await startPasskeyIssuer({ MUSTER_WEBAUTHN_ORIGINS: origins.join(',') })
  try {
    expect((await several.get('/.well-known/webauthn')).body).toEqual({ origins: origins.slice(0, 2) })
    const { authenticator } = await withPasskey(several)
    for (const used of origins) {
      const answer = await signInBy(several, authenticator.get(await signInOptions(several), { origin: used }))
      expect(answer.status, used).toBe(200)
    }
  } finally {
    await several.stop()
  }
})
