import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { muster } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Answer, Person, Service } from '../../../support/service.ts'
import { failuresOf, signInLimits, storedHash } from '../../../support/sign-in-limits.ts'
import { codeAt, enrol, laterCode, newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
let admin: Person

beforeAll(async () => {
  service = await startIssuer({ env: { MUSTER_METRICS_TOKEN: 'a-token-of-the-monitoring' } })
  admin = await service.person({ role: 'admin' })
  await service.sql(`insert into role (id, name) values ('helper', 'Helper')`)
  await service.sql(
    `insert into role_grant select 'helper', 'users', action from unnest(array['read', 'recover']) action`,
  )
  await service.sql(`insert into role_grant values ('helper', 'provider_keys', 'validate')`)
})
afterAll(() => service.stop())

const newPassword = 'seventeen small turtles'
const invalid = { status: 400, code: 'link_invalid' }

function askForLink(id: string, body: object = {}, { token = admin.token, ifMatch = '*' } = {}): Promise<Answer> {
  const headers = { ...(ifMatch && { 'if-match': ifMatch }), 'x-forwarded-host': 'attacker.example' }
  return service.call('POST', `/api/v1/admin/users/${id}/recovery`, { token, headers, body })
}

/** The token of a link that an administrator created. */
async function linkFor({ id }: { readonly id: string }, body: object = {}): Promise<string> {
  const answer = await askForLink(id, body)
  expect(answer.status, answer.text).toBe(201)
  const { link } = answer.body as { link: string }
  return String(new URLSearchParams(new URL(link).hash.slice(1)).get('token'))
}

const inspect = (token: string) => newClient(service).post('/auth/links/inspect', { token })
const complete = (token: string, more: object = { newPassword }) =>
  newClient(service).post('/auth/recovery/complete', { token, ...more })
const signIn = (email: string, password: string) => newClient(service).signIn(email, password)

/** An account with one verified factor, whose last code has expired. */
async function member() {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  return { ...person, factor, code: () => codeAt(factor.secret, service.clock.now()) }
}

async function eventsOf(id: string): Promise<unknown[]> {
  return service.sql(
    `select action, actor_id, details from audit_event where target_id = $1 and action like 'recovery.%' order by at, id`,
    [id],
  )
}

describe('a recovery link', () => {
  test('sets a new password, ends all earlier sessions and devices, and clears rate limits', async () => {
    const person = await service.person()
    const before = await newClient(service).openSession(person)
    const guesser = newClient(service)
    for (let n = 0; n < 11; n += 1) await guesser.signIn(person.email, 'a guess of a stranger')
    expect((await signIn(person.email, person.password)).status).toBe(429)

    const token = await linkFor(person)
    expect((await inspect(token)).body).toEqual({
      purpose: 'recovery',
      email: person.email,
      needsFactor: false,
      factors: [],
    })
    const answer = await complete(token)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toEqual({ device_token: expect.stringMatching(/^mdt_[\w-]{43}$/) })

    for (const access of [person.token, before.access])
      expect(problemOf(await service.get('/api/v1/user/data', { token: access })).code).toBe('session_ended')
    const refreshed = await newClient(service).post('/auth/refresh', { refresh_token: before.refresh })
    expect(problemOf(refreshed)).toEqual({ status: 401, code: 'refresh_refused' })
    expect((await signIn(person.email, person.password)).status).toBe(401)
    const { device_token } = answer.body as { device_token: string }
    const again = await newClient(service).signIn(person.email, newPassword, { device_token })
    expect(tokensOf(again).device).toBe(device_token)
    const { devices } = (await service.get('/auth/devices', { token: tokensOf(again).access })).body as { devices: [] }
    expect(devices).toHaveLength(1)
    expect(problemOf(await complete(token))).toEqual(invalid)
    expect(await eventsOf(person.id)).toEqual([
      { action: 'recovery.link_created', actor_id: admin.id, details: { resetsFactors: false, isMailed: false } },
      { action: 'recovery.completed', actor_id: person.id, details: { resetsFactors: false } },
    ])
  })

  test('replaces a generated password, and the new one need not be changed', async () => {
    const person = await service.person()
    await service.sql(`update credential set initial_until = now() - interval '1 day' where account_id = $1`, [
      person.id,
    ])
    expect((await complete(await linkFor(person))).status).toBe(200)
    const signedIn = await signIn(person.email, newPassword)
    expect(tokensOf(signedIn).access).toMatch(/^ey/)
    expect(signedIn.text).not.toContain('password_change_required')
  })

  test('changes only the account that it was created for', async () => {
    const [person, other, another] = [await member(), await member(), await service.person()]
    const token = await linkFor(person)
    const ofOther = { newPassword, factorId: other.factor.id, code: other.code() }
    expect(problemOf(await complete(token, ofOther))).toEqual({ status: 403, code: 'code_refused' })
    for (const member of ['email', 'userId', 'accountId'])
      expect(problemOf(await complete(token, { newPassword, [member]: another.id })).code).toBe('input_invalid')
    expect((await complete(token, { newPassword, factorId: person.factor.id, code: person.code() })).status).toBe(200)
    expect((await signIn(other.email, other.password)).body).toMatchObject({ mfa_required: true })
    expect((await service.get('/api/v1/user/data', { token: another.token })).status).toBe(200)
    tokensOf(await signIn(another.email, another.password))
  })

  test('is not consumed by GET or HEAD, such as those of mail scanners', async () => {
    const person = await service.person()
    const token = await linkFor(person)
    const paths = ['/auth/link', '/auth/link/page.js', '/auth/recovery/complete', '/auth/links/inspect']
    for (const userAgent of ['Microsoft Office', 'Barracuda Sentinel (EE)', 'Mozilla/5.0 (Windows NT 10.0) Chrome/131'])
      for (const path of paths)
        for (const method of ['GET', 'HEAD']) await service.call(method, path, { headers: { 'user-agent': userAgent } })
    expect((await inspect(token)).status).toBe(200)
    expect((await inspect(token)).status).toBe(200)
    expect((await complete(token)).status).toBe(200)
  })

  test('works for only one of several concurrent requests', async () => {
    for (let n = 0; n < 5; n += 1) {
      const token = await linkFor(await service.person())
      const answers = await Promise.all([complete(token), complete(token), complete(token)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    }
  })

  test('needs no second proof for an account without factors, and ignores one', async () => {
    const person = await service.person()
    const wrong = { newPassword, recoveryCode: 'aaaa-bbbb-cccc-dddd' }
    const answer = await complete(await linkFor(person), wrong)
    expect(answer.status, answer.text).toBe(200)
    expect(await failuresOf(service, signInLimits.secondStep(person.id))).toBe(0)
  })

  test('stays valid after an unacceptable password', async () => {
    const person = await service.person()
    const token = await linkFor(person)
    const refused = await complete(token, { newPassword: 'password1' })
    expect(refused.body).toMatchObject({ code: 'input_invalid', errors: [{ pointer: '/newPassword' }] })
    expect((await complete(token)).status).toBe(200)
  })

  test('only makes the device known without a new password', async () => {
    const person = await member()
    const token = await linkFor(person)
    const answer = await complete(token, {})
    expect(answer.status, answer.text).toBe(200)
    expect((await service.get('/api/v1/user/data', { token: person.token })).status).toBe(200)
    const { device_token } = answer.body as { device_token: string }
    const signedIn = await newClient(service).signIn(person.email, person.password, { device_token })
    expect(signedIn.body).toMatchObject({ mfa_required: true })
    expect(problemOf(await complete(token))).toEqual(invalid)
  })
})

describe('the same 400 link_invalid', () => {
  const ends: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
    'after a change of the password': ({ token, password }) =>
      service.call('PUT', '/auth/password', { token, body: { currentPassword: password, newPassword } }),
    'after a change of the address': ({ id }) => muster(service, `users set-email ${id} new-${id}@example.com`),
    'after a new factor': ({ token, password }) => enrol(service, token, { password }),
    'after the recovery by another link': async (person) => complete(await linkFor(person)),
    // Like a node of an older release, which does not know links.
    'after another hash of the password': ({ id }) =>
      service.sql(`update credential set password = password || 'x' where account_id = $1`, [id]),
    'after another address of the sign-in': ({ id }) =>
      service.sql(`update credential set email = 'x' || email where account_id = $1`, [id]),
    'after a higher security epoch': ({ id }) =>
      service.sql('update account set security_epoch = security_epoch + 1 where id = $1', [id]),
    'after its time': ({ id }) =>
      service.sql(`update account_link set expires_at = now() - interval '1 second' where account_id = $1`, [id]),
    'while the account is disabled': ({ id }) =>
      service.sql('update account set disabled_at = now() where id = $1', [id]),
  }

  test.each(Object.keys(ends))('%s', async (name) => {
    const person = await service.person()
    const token = await linkFor(person)
    await ends[name]?.(person)
    expect(problemOf(await inspect(token))).toEqual(invalid)
    expect(problemOf(await complete(token))).toEqual(invalid)
    expect(problemOf(await complete(token, {}))).toEqual(invalid)
  })

  test('after the removal of a factor', async () => {
    const person = await member()
    const token = await linkFor(person)
    const removed = await newClient(service).post(
      `/auth/factors/${person.factor.id}/remove`,
      { password: person.password },
      person.token,
    )
    expect(removed.status, removed.text).toBe(204)
    expect(problemOf(await complete(token))).toEqual(invalid)
  })

  test('for unknown tokens and tokens of other kinds', async () => {
    const { device, refresh } = await newClient(service).openSession(await service.person())
    for (const token of [`mlk_${'A'.repeat(43)}`, device, refresh, 'x']) {
      expect(problemOf(await inspect(token))).toEqual(invalid)
      expect(problemOf(await complete(token))).toEqual(invalid)
    }
  })
})

describe('recovery of an account with a second factor', () => {
  test('returns 403 factor_required for a new password without it, and the link stays valid', async () => {
    const person = await member()
    const token = await linkFor(person)
    expect((await inspect(token)).body).toMatchObject({
      needsFactor: true,
      factors: [{ id: person.factor.id, type: 'totp', friendlyName: 'Phone' }],
    })
    expect(problemOf(await complete(token))).toEqual({ status: 403, code: 'factor_required' })
    expect((await signIn(person.email, person.password)).status).toBe(200)
    const answer = await complete(token, { newPassword, factorId: person.factor.id, code: person.code() })
    expect(answer.status, answer.text).toBe(200)
    expect((await signIn(person.email, newPassword)).body).toMatchObject({ mfa_required: true })
  })

  test('accepts a recovery code, once', async () => {
    const person = await member()
    const [recoveryCode] = person.factor.recoveryCodes
    expect((await complete(await linkFor(person), { newPassword, recoveryCode })).status).toBe(200)
    const again = await complete(await linkFor(person), { newPassword: 'another eighteen turtles', recoveryCode })
    expect(problemOf(again)).toEqual({ status: 403, code: 'code_refused' })
  })

  test('ends the link after five wrong codes, which are charged to the account', async () => {
    const person = await member()
    const token = await linkFor(person)
    const wrong = { newPassword, factorId: person.factor.id, code: '000000' }
    for (let n = 0; n < 5; n += 1)
      expect(problemOf(await complete(token, wrong))).toEqual({ status: 403, code: 'code_refused' })
    expect(problemOf(await complete(token, { ...wrong, code: person.code() }))).toEqual(invalid)
    expect(await failuresOf(service, signInLimits.secondStep(person.id))).toBe(5)
    const next = await complete(await linkFor(person), { ...wrong, code: person.code() })
    expect(problemOf(next)).toEqual({ status: 429, code: 'sign_in_wait' })
    expect((await signIn(person.email, person.password)).body).toMatchObject({ mfa_required: true })
  })

  test('removes the factors and recovery codes with the new password if the link is for lost factors', async () => {
    const person = await member()
    const token = await linkFor(person, { resetFactors: true })
    expect((await inspect(token)).body).toMatchObject({ purpose: 'recovery_reset_factors', needsFactor: false })
    expect((await signIn(person.email, person.password)).body).toMatchObject({ mfa_required: true })
    expect((await complete(token)).status).toBe(200)
    expect(tokensOf(await signIn(person.email, newPassword)).access).toMatch(/^ey/)
    for (const table of ['factor', 'recovery_code'])
      expect(await service.sql(`select from ${table} where account_id = $1`, [person.id])).toEqual([])
  })
})

describe('creating a recovery link', () => {
  test('uses the configured page for any Host header, returns the link once and stores a hash', async () => {
    const person = await service.person()
    const answer = await askForLink(person.id)
    expect(answer.body).toEqual({
      link: expect.stringMatching(/^http:\/\/muster\.test\/auth\/link#token=mlk_[\w-]{43}&purpose=recovery$/),
      expiresAt: expect.stringMatching(/Z$/),
    })
    const { link } = answer.body as { link: string }
    const [, token = ''] = /token=([^&]+)/.exec(link) ?? []
    const [row] = await service.sql<{ hash: Buffer; created_by: string; hours: number }>(
      `select hash, created_by, round(extract(epoch from expires_at - now()) / 3600)::int as hours
       from account_link where account_id = $1`,
      [person.id],
    )
    expect(row).toEqual({ hash: storedHash(token), created_by: admin.id, hours: 24 })
  })

  test('returns 428 without If-Match, and 412 for an outdated one', async () => {
    const { id } = await service.person()
    expect(problemOf(await askForLink(id, {}, { ifMatch: '' })).code).toBe('precondition_required')
    expect(problemOf(await askForLink(id, {}, { ifMatch: '"another"' })).code).toBe('precondition_failed')
  })

  test('returns 403 without the permission, without the one for factors, for a role that grants more, and for oneself', async () => {
    const [helper, user, other] = [
      await service.person({ role: 'helper' }),
      await service.person(),
      await service.person(),
    ]
    const { token } = helper
    expect(problemOf(await askForLink(other.id, {}, user)).code).toBe('permission_missing')
    expect(problemOf(await askForLink(user.id, { resetFactors: true }, { token })).code).toBe('permission_missing')
    expect(problemOf(await askForLink(admin.id, {}, { token })).code).toBe('permission_exceeds')
    for (const who of [helper, admin])
      expect(problemOf(await askForLink(who.id, {}, who))).toEqual({ status: 403, code: 'self_recovery' })
    expect((await askForLink(user.id, {}, { token })).status).toBe(201)
  })

  test('returns 409 for an account without a password, and 404 for an unknown one', async () => {
    const [row] = await service.sql<{ id: string }>(`insert into account default values returning id`)
    expect(problemOf(await askForLink(String(row?.id)))).toEqual({ status: 409, code: 'password_missing' })
    const unknown = await askForLink('00000000-0000-4000-8000-000000000000')
    expect(problemOf(unknown)).toEqual({ status: 404, code: 'user_unknown' })
  })
})

test('the token of a link is in no log line, metric, audit event, problem or table', async () => {
  const person = await member()
  const token = await linkFor(person)
  const answers = [
    await inspect(token),
    await complete(token, { newPassword: 'password1' }),
    await complete(token),
    await complete(token, { newPassword, factorId: person.factor.id, code: '000000' }),
    await complete(token, { newPassword, unknown: token.slice(0, 8) }),
    await service.get('/metrics', { token: 'a-token-of-the-monitoring' }),
    await complete(token, { newPassword, factorId: person.factor.id, code: person.code() }),
    await complete(token),
  ]
  const tables = ['account_link', 'audit_event', 'session', 'device', 'sign_in_bucket', 'credential']
  const rows = await Promise.all(
    tables.map((table) => service.sql<{ all: string }>(`select string_agg(t::text, '') as all from ${table} t`)),
  )
  const places = [await service.logged(), JSON.stringify(rows), ...answers.map(({ text }) => text)]
  const secret = token.slice('mlk_'.length)
  for (const place of places) {
    expect(place).not.toContain(secret)
    expect(place).not.toContain(Buffer.from(token).toString('hex'))
  }
})
