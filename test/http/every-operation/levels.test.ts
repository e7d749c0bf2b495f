import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DocumentedOperation, operations, pathOf, unknownId } from '../../support/openapi.ts'
import { problemOf } from '../../support/problem.ts'
import type { Person, Service } from '../../support/service.ts'
import {
  codeAt,
  type EnrolledFactor,
  enrol,
  laterCode,
  newClient,
  startIssuer,
  tokensOf,
} from '../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const stepUp = { status: 401, code: 'step_up_required' }

interface Level {
  readonly aal: 1 | 2
  readonly ageSeconds: number
}

/** A token of a new session with this level and age. */
async function tokenAt(id: string, { aal, ageSeconds }: Level): Promise<string> {
  const token = await service.tokenFor(id)
  const amr = aal === 2 ? '{pwd,otp,mfa}' : '{pwd}'
  await service.sql(`update session set amr = $2, proved_at = now() - make_interval(secs => $3) where id = $1`, [
    decodeJwt<{ sid: string }>(token).sid,
    amr,
    ageSeconds,
  ])
  return token
}

const age = (token: string, seconds: number) =>
  service.sql(`update session set proved_at = now() - make_interval(secs => $2) where id = $1`, [
    decodeJwt<{ sid: string }>(token).sid,
    seconds,
  ])

describe('every operation against every level', () => {
  let plain: Person
  let guarded: Person
  let orgId: string
  beforeAll(async () => {
    plain = await service.person({ role: 'admin' })
    guarded = await service.person({ role: 'admin' })
    await enrol(service, guarded.token, { password: guarded.password })
    const [org] = await service.sql<{ id: string }>(`insert into organization (name) values ('Own') returning id`)
    orgId = String(org?.id)
  })

  // The others have their own tests: factor-changes.test.ts, own-account.test.ts, one-organization.test.ts.
  const called = operations.filter(
    ({ id, needsCaller, path }) =>
      needsCaller &&
      !path.includes('billing') &&
      !['removeFactor', 'eraseOwnAccount', 'deleteOrganization'].includes(id),
  )

  test.each(called)('$id requires exactly the level of its contract', async (operation) => {
    for (const session of sessionsFor(operation)) {
      const { hasFactor, aal, ageSeconds, isOld } = session
      const { id } = hasFactor ? guarded : plain
      await joined(id)
      const answer = await call(operation, await tokenAt(id, { aal, ageSeconds }))
      const refused = isRefused(operation, { hasFactor, aal, isOld })
      const place = JSON.stringify({ ...session, text: answer.text })
      expect(answer.status === 401, place).toBe(refused)
      if (refused) expect(problemOf(answer), place).toEqual(stepUp)
    }
  })

  /** Every kind of session if the operation needs a level, otherwise the weakest one. */
  function sessionsFor({ needs }: DocumentedOperation) {
    if (!needs) return [{ hasFactor: true, aal: 1, ageSeconds: 1_000_000, isOld: true } as const]
    const maxAge = needs.maxAgeSeconds ?? 600
    return [true, false].flatMap((hasFactor) =>
      ([1, 2] as const).flatMap((aal) =>
        [false, true].map((isOld) => ({ hasFactor, aal, isOld, ageSeconds: isOld ? maxAge + 60 : maxAge - 60 })),
      ),
    )
  }

  /** A previous call may have left the organization. */
  const joined = (id: string) =>
    service.sql(
      `insert into membership (organization_id, account_id, role_id) values ($1, $2, 'owner') on conflict do nothing`,
      [orgId, id],
    )

  /** The required levels as in docs/decisions/levels.md. */
  function isRefused(
    { needs }: DocumentedOperation,
    { hasFactor, aal, isOld }: { readonly hasFactor: boolean; readonly aal: 1 | 2; readonly isOld: boolean },
  ): boolean {
    if (!needs) return false
    const isOfFactor = needs.aal === 2 || (needs.aal === 'factor' && hasFactor)
    if (isOfFactor) return aal === 1 || (isOld && needs.maxAgeSeconds !== undefined)
    return isOld && needs.maxAgeSeconds !== undefined && !needs.proofInBody
  }

  function call(operation: DocumentedOperation, token: string) {
    const path = pathOf(operation, { orgId })
    return newClient(service).send(operation.method, path, { token, ...(operation.body && { body: {} }) })
  }

  // With `eraseOwnAccount`, which is left out above because it checks the proofs in its body next.
  test.each(operations.filter(({ permission, needs }) => permission === 'caller' && needs))(
    '$id names the level in a session with the password only, if the account has a second factor',
    async (operation) => {
      const answer = await call(operation, await tokenAt(guarded.id, { aal: 1, ageSeconds: 0 }))
      expect(problemOf(answer)).toEqual(stepUp)
      expect(answer.body).toMatchObject({ needs: { acrValues: 'urn:muster:aal2', maxAgeSeconds: 600 } })
    },
  )

  test('every operation with a level is in docs/decisions/levels.md', () => {
    const levels = operations.flatMap(({ id, needs }) =>
      needs ? [`${id}: ${needs.aal ?? 'any'}, ${needs.maxAgeSeconds}`] : [],
    )
    expect(levels.sort()).toEqual([
      'addPasskey: factor, 600',
      'changeOrganizationSecurity: 2, undefined',
      'changePassword: factor, 600',
      'changeUserRole: any, 900',
      'changeWebhook: any, 900',
      'confirmCustomer: any, 900',
      'createServiceKey: any, 900',
      'createWebhook: any, 900',
      'deleteOrganization: factor, 600',
      'enrolFactor: factor, 600',
      'eraseOwnAccount: factor, 600',
      'eraseUser: any, 900',
      'exportOwnAccount: factor, 600',
      'linkCustomer: any, 900',
      'listServiceKeys: any, 900',
      'listWebhookDeliveries: any, 900',
      'listWebhooks: any, 900',
      'mapPrice: any, 900',
      'passkeyOptions: factor, 600',
      'rankPlan: any, 900',
      'recoverUser: any, 900',
      'removeWebhook: any, 900',
      'renewRecoveryCodes: factor, 600',
      'replayFailedWebhooks: any, 900',
      'replayWebhookDelivery: any, 900',
      'requestEmailChange: factor, 600',
      'revokeServiceKey: any, 900',
      'rotateServiceKey: any, 900',
      'rotateWebhookSecret: any, 900',
      'startActAs: any, 900',
      'startSync: any, 900',
      'testWebhook: any, 900',
      'unmapPrice: any, 900',
      'verifyFactor: factor, 600',
    ])
  })
})

describe('a session below the required level', () => {
  test('gets 401 step_up_required with the level and the age in the header and the body (RFC 9470)', async () => {
    const person = await service.person()
    await enrol(service, person.token, { password: person.password })
    const token = await tokenAt(person.id, { aal: 1, ageSeconds: 0 })
    const body = { currentPassword: person.password, newPassword: 'seventeen small turtles' }
    const answer = await service.call('PUT', '/auth/password', { token, body })
    expect(problemOf(answer)).toEqual(stepUp)
    expect(answer.body).toMatchObject({ needs: { acrValues: 'urn:muster:aal2', maxAgeSeconds: 600 } })
    expect(answer.headers['www-authenticate']).toMatch(
      /^Bearer realm="muster", error="insufficient_user_authentication", error_description="[^"]+", acr_values="urn:muster:aal2", max_age="600"$/,
    )
  })

  test('gets 401 step_up_required with only the age if the account has no second factor', async () => {
    const admin = await service.person({ role: 'admin' })
    const token = await tokenAt(admin.id, { aal: 1, ageSeconds: 901 })
    const answer = await service.call('PUT', `/api/v1/admin/users/${unknownId}/role`, { token, body: { role: 'user' } })
    expect(answer.body).toMatchObject({ code: 'step_up_required', needs: { maxAgeSeconds: 900 } })
    expect(answer.headers['www-authenticate']).not.toContain('acr_values')
  })

  test('gets the error of a missing permission first', async () => {
    const { id } = await service.person()
    const token = await tokenAt(id, { aal: 1, ageSeconds: 901 })
    const answer = await service.call('PUT', `/api/v1/admin/users/${unknownId}/role`, { token, body: { role: 'user' } })
    expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_missing' })
  })
})

describe('step-up', () => {
  const changeRole = (token: string) =>
    service.call('PUT', `/api/v1/admin/users/${unknownId}/role`, { token, body: { role: 'user' } })
  const unknownUser = { status: 404, code: 'user_unknown' }

  async function withFactor(options: { readonly role?: string } = {}): Promise<Person & { factor: EnrolledFactor }> {
    const person = await service.person(options)
    return { ...person, factor: await enrol(service, person.token, { password: person.password }) }
  }

  test('with the password renews a session immediately, also for existing tokens', async () => {
    const admin = await service.person({ role: 'admin' })
    const { access: token } = await newClient(service).openSession(admin)
    await age(token, 901)
    expect(problemOf(await changeRole(token))).toEqual(stepUp)
    const answer = await newClient(service).post('/auth/step-up', { password: admin.password }, token)
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 900 } })
    expect(answer.body).not.toHaveProperty('refresh_token')
    expect(problemOf(await changeRole(token))).toEqual(unknownUser)
    expect(problemOf(await changeRole((answer.body as { access_token: string }).access_token))).toEqual(unknownUser)
  })

  test('with a code raises a session to level 2, and refreshed tokens say so', async () => {
    const person = await withFactor()
    laterCode(service)
    const { access, refresh } = tokensOf(
      await newClient(service).signIn(person.email, person.password, {
        factorId: person.factor.id,
        code: codeAt(person.factor.secret, service.clock.now()),
      }),
    )
    expect(decodeJwt(access)).toMatchObject({ acr: 'urn:muster:aal2', amr: ['pwd', 'otp', 'mfa'] })
    await service.sql(`update session set amr = '{pwd}', proved_at = now() - interval '1 day' where id = $1`, [
      decodeJwt<{ sid: string }>(access).sid,
    ])
    laterCode(service)
    const code = codeAt(person.factor.secret, service.clock.now())
    const raised = await newClient(service).post('/auth/step-up', { factorId: person.factor.id, code }, access)
    const claims = decodeJwt<{ auth_time: number }>((raised.body as { access_token: string }).access_token)
    expect(claims).toMatchObject({ acr: 'urn:muster:aal2', amr: ['pwd', 'otp', 'mfa'] })
    expect(Math.abs(claims.auth_time - Date.now() / 1_000)).toBeLessThan(60)
    const next = tokensOf(await newClient(service).post('/auth/refresh', { refresh_token: refresh }))
    expect(decodeJwt(next.access)).toMatchObject({ auth_time: claims.auth_time, acr: 'urn:muster:aal2' })
    const again = await newClient(service).post('/auth/step-up', { factorId: person.factor.id, code }, access)
    expect(problemOf(again)).toEqual({ status: 403, code: 'code_refused' })
  })

  test('with a recovery code raises a session to level 2 and consumes the code', async () => {
    const person = await withFactor()
    const token = await tokenAt(person.id, { aal: 1, ageSeconds: 0 })
    const show = () => newClient(service).post('/auth/step-up', { recoveryCode: person.factor.recoveryCodes[0] }, token)
    expect((await show()).status).toBe(200)
    expect((await service.get('/auth/factors', { token })).body).toMatchObject({ recoveryCodesLeft: 9 })
    expect(problemOf(await show())).toEqual({ status: 403, code: 'code_refused' })
  })

  test('with only the password of an account with a factor returns 403 factor_required', async () => {
    const person = await withFactor()
    const token = await tokenAt(person.id, { aal: 2, ageSeconds: 700 })
    const answer = await newClient(service).post('/auth/step-up', { password: person.password }, token)
    expect(problemOf(answer)).toEqual({ status: 403, code: 'factor_required' })
  })

  test('raises an operator’s session with the password and a code, not with a code alone', async () => {
    const person = await withFactor()
    const operator = (await service.parts.issuer?.tokenFor(person.id))?.access_token ?? ''
    const raise = async (more: object) => {
      laterCode(service)
      const code = codeAt(person.factor.secret, service.clock.now())
      const proof = { factorId: person.factor.id, code, ...more }
      return (await newClient(service).post('/auth/step-up', proof, operator)).body as { access_token: string }
    }
    expect(decodeJwt((await raise({})).access_token)).toMatchObject({ acr: 'urn:muster:aal1' })
    const both = await raise({ password: person.password })
    expect(decodeJwt(both.access_token)).toMatchObject({ acr: 'urn:muster:aal2' })
  })

  test('returns 400 for a body without a proof', async () => {
    const { token } = await service.person()
    const answer = await newClient(service).post('/auth/step-up', {}, token)
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  })

  test('charges wrong proofs to the session, which ends after fifty', async () => {
    const person = await withFactor()
    const token = await tokenAt(person.id, { aal: 1, ageSeconds: 0 })
    const wrong = (proof: object) => newClient(service).post('/auth/step-up', proof, token)
    const code = codeAt(person.factor.secret, service.clock.now() - 3_600_000)
    for (let failure = 0; failure < 10; failure += 1) {
      const answer = await wrong({ factorId: person.factor.id, code })
      expect(problemOf(answer)).toEqual({ status: 403, code: 'code_refused' })
    }
    expect(problemOf(await wrong({ recoveryCode: 'none' }))).toEqual({ status: 429, code: 'sign_in_wait' })
    await service.sql(`update sign_in_bucket set failures = 49, full_at = now() where failures = 10`)
    expect(problemOf(await wrong({ recoveryCode: 'none' }))).toEqual({ status: 403, code: 'code_refused' })
    expect(problemOf(await service.get('/api/v1/user/data', { token }))).toEqual({ status: 401, code: 'session_ended' })
    const noted = await service.sql(`select from audit_event where action = 'code.refused' and actor_id = $1`, [
      person.id,
    ])
    expect(noted).toHaveLength(11)
  })
})

test('other services find the level in the token and the levels in the discovery document', async () => {
  const { access } = await newClient(service).openSession(await service.person())
  const { body: keys } = await service.get('/.well-known/jwks.json')
  const { payload } = await jwtVerify(access, createLocalJWKSet(keys as never), { audience: 'muster', typ: 'at+jwt' })
  expect(payload).toMatchObject({ acr: 'urn:muster:aal1', amr: ['pwd'], auth_time: expect.any(Number) })
  const { body } = await service.get('/.well-known/openid-configuration')
  expect(body).toMatchObject({ acr_values_supported: ['urn:muster:aal1', 'urn:muster:aal2'] })
})
