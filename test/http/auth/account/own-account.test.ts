import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribe } from '../../../support/billing-rows.ts'
import { holdRows } from '../../../support/blocked.ts'
import { makeDataDir } from '../../../support/data-dir.ts'
import { eraseDueAccounts } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Answer, Person, Service } from '../../../support/service.ts'
import { codeAt, enrol, laterCode, newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
let dataDir: Awaited<ReturnType<typeof makeDataDir>>
beforeAll(async () => {
  dataDir = await makeDataDir()
  service = await startIssuer({ env: { MUSTER_DATA_DIR: dataDir.path } })
})
afterAll(async () => {
  await service.stop()
  await dataDir.remove()
})

const erase = (token: string) => newClient(service).post('/auth/account/erase', undefined, token)
const keep = (body: object) => newClient(service).post('/auth/account/keep', body)
const userData = (token: string) => service.get('/api/v1/user/data', { token })

/** The challenge of a sign-in to an account that is scheduled for deletion. */
async function challengeOf({ email, password }: Person, more: object = {}): Promise<string> {
  const answer = await newClient(service).signIn(email, password, more)
  expect(problemOf(answer)).toEqual({ status: 403, code: 'account_erasing' })
  return (answer.body as { challenge: string }).challenge
}

const move = (id: string, to: string) => service.sql(`update account set erases_at = ${to} where id = $1`, [id])

describe('POST /auth/account/erase', () => {
  test('ends every session, device and link immediately, which only a correct password reveals', async () => {
    const person = await service.person()
    const { access, refresh, device } = await newClient(service).openSession(person)
    const answer = await erase(access)
    expect(answer).toMatchObject({ status: 202, body: { erasesAt: expect.stringMatching(/Z$/) } })
    for (const token of [access, person.token])
      expect(problemOf(await userData(token))).toEqual({ status: 401, code: 'account_disabled' })
    expect((await newClient(service).post('/auth/refresh', { refresh_token: refresh })).status).toBe(401)
    expect(await service.sql('select 1 from device where account_id = $1', [person.id])).toEqual([])
    expect(problemOf(await newClient(service).signIn(person.email, 'wrong horse'))).toEqual({
      status: 401,
      code: 'sign_in_refused',
    })
    const refused = await newClient(service).signIn(person.email, person.password, { device_token: device })
    expect(refused.body).toMatchObject({
      code: 'account_erasing',
      challenge: expect.stringMatching(/^mct_/),
      factors: [],
      erasesAt: (answer.body as { erasesAt: string }).erasesAt,
    })
  })

  test('rejects the second of two requests with 401, concurrent or not', async () => {
    const person = await service.person()
    const answers = await Promise.all([1, 2, 3].map(() => erase(person.token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 401, 401])
    expect(problemOf(await erase(person.token))).toEqual({ status: 401, code: 'account_disabled' })
    const events = await service.sql(
      `select 1 from audit_event where action = 'account.erase_requested' and target_id = $1`,
      [person.id],
    )
    expect(events).toHaveLength(1)
  })

  test('returns 401 step_up_required for an old session, and for one without the account’s second factor', async () => {
    const person = await service.person()
    await service.sql(`update session set proved_at = now() - interval '601 seconds' where account_id = $1`, [
      person.id,
    ])
    expect(problemOf(await erase(person.token))).toEqual({ status: 401, code: 'step_up_required' })
    await service.sql(`update session set proved_at = now() where account_id = $1`, [person.id])
    await enrol(service, person.token, { password: person.password })
    expect(problemOf(await erase(await service.tokenFor(person.id)))).toEqual({ status: 401, code: 'step_up_required' })
  })

  test('rejects a request without a token, of the last administrator, of an owner, and with a subscription', async () => {
    expect((await newClient(service).post('/auth/account/erase')).status).toBe(401)
    const admin = await service.person({ role: 'admin' })
    expect(problemOf(await erase(admin.token))).toEqual({ status: 409, code: 'last_administrator' })
    const person = await service.person()
    await service.sql(
      `with org as (insert into organization (name) values ('One') returning id)
       insert into membership (organization_id, account_id, role_id)
       select org.id, m.id::uuid, m.role from org, (values ($1, 'owner'), ($2, 'member')) m (id, role)`,
      [person.id, admin.id],
    )
    expect(problemOf(await erase(person.token))).toEqual({ status: 409, code: 'last_owner' })
    await service.sql(`delete from membership where account_id = $1`, [admin.id])
    await service.sql(`insert into customer (id, account_id) values ('cus_own', $1)`, [person.id])
    await service.sql(`insert into subscription (id, customer_id, price_ids, status, created_at, seen_at, seen_rank)
      values ('sub_own', 'cus_own', '{p}', 'active', now(), now(), 0)`)
    const refused = await erase(person.token)
    expect(problemOf(refused)).toEqual({ status: 409, code: 'subscription_active' })
    expect(refused.body).toMatchObject({ detail: 'Cancel these subscriptions first: sub_own.' })
    expect((await userData(person.token)).status).toBe(200)
  })

  test('deletes the account immediately with MUSTER_ERASE_AFTER_DAYS=0', async () => {
    const soon = await startIssuer({ env: { MUSTER_DATA_DIR: dataDir.path, MUSTER_ERASE_AFTER_DAYS: '0' } })
    try {
      const person = await soon.person()
      expect((await newClient(soon).post('/auth/account/erase', undefined, person.token)).status).toBe(202)
      expect(await soon.sql('select from account where id = $1', [person.id])).toEqual([])
      expect(problemOf(await newClient(soon).signIn(person.email, person.password))).toEqual({
        status: 401,
        code: 'sign_in_refused',
      })
    } finally {
      await soon.stop()
    }
  })
})

describe('GET /auth/account/export', () => {
  test('returns every row of the account as a file, without secrets', async () => {
    const person = await service.person()
    const factor = await enrol(service, person.token, { password: person.password })
    await service.sql(`update session set proved_at = now(), amr = '{pwd,otp,mfa}' where account_id = $1`, [person.id])
    await service.sql(
      `with org as (insert into organization (name) values ('One') returning id)
       insert into membership (organization_id, account_id, role_id) select id, $1, 'owner' from org`,
      [person.id],
    )
    await subscribe(service, { customer: 'cus_copy', accountId: person.id, price: 'p', status: 'active' })
    await service.sql(
      `update subscription set price_ids = '{p,q}', quantities = '{3,null}', current_period_end = '2027-01-15T08:00:00Z',
              cancel_at_period_end = true
       where customer_id = 'cus_copy'`,
    )
    await service.sql(
      `insert into audit_event (action, actor_id, at) select 'provider_key.checked', $1, now() - n * interval '1 s' from generate_series(1, 1100) n`,
      [person.id],
    )
    const other = await newClient(service).openSession(await service.person())
    const { status, headers, body, text } = await newClient(service).send('GET', '/auth/account/export', {
      token: person.token,
    })
    expect(status, text).toBe(200)
    expect(headers['content-disposition']).toBe('attachment; filename="account.json"')
    expect(body).toMatchObject({
      account: { id: person.id, email: person.email, role: 'user', signsInWith: person.email },
      identities: [{ issuer: 'http://muster.test', subject: person.id }],
      memberships: [{ name: 'One', role: 'owner' }],
      subscriptions: [
        {
          customer: 'cus_copy',
          status: 'active',
          processor: 'stripe',
          items: [{ price: 'p', quantity: 3 }, { price: 'q' }],
          currentPeriodEnd: '2027-01-15T08:00:00.000000Z',
          cancelAtPeriodEnd: true,
        },
      ],
      sessions: [{ amr: ['pwd', 'otp', 'mfa'] }],
      devices: [],
      factors: [{ id: factor.id, type: 'totp', friendlyName: 'Phone' }],
    })
    const { events } = body as { events: { id: string; action: string; at: string }[] }
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    expect(events.filter(({ action }) => action === 'provider_key.checked')).toHaveLength(1100)
    expect(events.at(-1)).toMatchObject({ action: 'account.exported' })
    const secrets = await service.sql<{ secret: string }>(
      `select password as secret from credential where account_id = $1
       union all select encode(secret, v) from factor, (values ('hex'), ('base64')) f (v) where account_id = $1
       union all select encode(refresh_salt, 'hex') from session where account_id = $1
       union all select encode(hash, 'hex') from recovery_code where account_id = $1`,
      [person.id],
    )
    for (const { secret } of [
      ...secrets,
      { secret: person.token },
      { secret: person.password },
      { secret: other.access },
    ])
      expect(text).not.toContain(secret)
  })

  test('rejects a request without a token, of an account scheduled for deletion, and without a recent sign-in', async () => {
    expect((await newClient(service).send('GET', '/auth/account/export')).status).toBe(401)
    const person = await service.person()
    await service.sql(`update session set proved_at = now() - interval '601 seconds' where account_id = $1`, [
      person.id,
    ])
    const old = await newClient(service).send('GET', '/auth/account/export', { token: person.token })
    expect(problemOf(old)).toEqual({ status: 401, code: 'step_up_required' })
    await erase(await service.tokenFor(person.id))
    const gone = await newClient(service).send('GET', '/auth/account/export', { token: person.token })
    expect(problemOf(gone)).toEqual({ status: 401, code: 'account_disabled' })
  })
})

describe('POST /auth/account/keep', () => {
  test('restores the account and signs in, once', async () => {
    const person = await service.person()
    await erase(person.token)
    const challenge = await challengeOf(person)
    const { access } = tokensOf(await keep({ challenge }))
    expect((await userData(access)).status).toBe(200)
    expect(problemOf(await keep({ challenge }))).toEqual({ status: 401, code: 'challenge_invalid' })
    await newClient(service).openSession(person)
    expect(await eraseDueAccounts(service)).toBe(0)
  })

  test('requires a code of the account’s own second factor: 403 factor_required without one', async () => {
    const person = await service.person()
    const factor = await enrol(service, person.token, { password: person.password })
    await service.sql(`update session set proved_at = now(), amr = '{pwd,otp,mfa}' where account_id = $1`, [person.id])
    await erase(person.token)
    const challenge = await challengeOf(person)
    expect(problemOf(await keep({ challenge }))).toEqual({ status: 403, code: 'factor_required' })
    const wrong = await keep({ challenge, factorId: factor.id, code: '000000' })
    expect(problemOf(wrong)).toEqual({ status: 403, code: 'code_refused' })
    laterCode(service)
    const proof = { factorId: factor.id, code: codeAt(factor.secret, service.clock.now()) }
    // The second step of a sign-in cannot open an account that is scheduled for deletion.
    const step = await newClient(service).post('/auth/sign-in/second-step', { challenge, ...proof })
    expect(problemOf(step)).toEqual({ status: 401, code: 'challenge_invalid' })
    tokensOf(await keep({ challenge, ...proof }))
  })

  test('is also needed after a sign-in that contains the code: 403 account_erasing', async () => {
    const person = await service.person()
    const factor = await enrol(service, person.token, { password: person.password })
    await service.sql(`update session set proved_at = now(), amr = '{pwd,otp,mfa}' where account_id = $1`, [person.id])
    await erase(person.token)
    laterCode(service)
    await challengeOf(person, { factorId: factor.id, code: codeAt(factor.secret, service.clock.now()) })
  })

  test('is also needed after a sign-in whose code passes the rate limit: 403 account_erasing', async () => {
    const person = await service.person()
    const factor = await enrol(service, person.token, { password: person.password })
    await service.sql(`update session set proved_at = now(), amr = '{pwd,otp,mfa}' where account_id = $1`, [person.id])
    await erase(person.token)
    const client = newClient(service)
    for (let attempt = 0; attempt < 10; attempt += 1) await client.signIn(person.email, 'wrong horse')
    expect((await client.signIn(person.email, person.password)).status).toBe(429)
    laterCode(service)
    const proof = { factorId: factor.id, code: codeAt(factor.secret, service.clock.now()) }
    const answer = await client.signIn(person.email, person.password, proof)
    expect(problemOf(answer)).toEqual({ status: 403, code: 'account_erasing' })
  })

  test('returns 401 once the deletion is due, and so does the sign-in', async () => {
    const person = await service.person()
    await erase(person.token)
    const challenge = await challengeOf(person)
    await move(person.id, 'now()')
    expect(problemOf(await keep({ challenge }))).toEqual({ status: 401, code: 'challenge_invalid' })
    expect(problemOf(await newClient(service).signIn(person.email, person.password))).toEqual({
      status: 401,
      code: 'sign_in_refused',
    })
    expect(await eraseDueAccounts(service)).toBe(1)
    expect(problemOf(await keep({ challenge }))).toEqual({ status: 401, code: 'challenge_invalid' })
  })

  test('cannot restore an account that an operator had disabled: 401', async () => {
    const person = await service.person()
    await service.sql(`update account set disabled_at = now() - interval '1 hour' where id = $1`, [person.id])
    await service.sql(
      `update account set erase_requested_at = now(), erases_at = now() + interval '1 day' where id = $1`,
      [person.id],
    )
    expect((await newClient(service).signIn(person.email, person.password)).status).toBe(401)
  })

  test('returns 401 challenge_invalid for an unknown challenge, a normal one, and another account’s', async () => {
    expect(problemOf(await keep({ challenge: 'mct_unknown' }))).toEqual({ status: 401, code: 'challenge_invalid' })
    expect(problemOf(await keep({}))).toEqual({ status: 400, code: 'input_invalid' })
    const person = await service.person()
    const factor = await enrol(service, person.token, { password: person.password })
    const challenge = ((await newClient(service).signIn(person.email, person.password)) as Answer).body as {
      challenge: string
    }
    laterCode(service)
    const proof = { factorId: factor.id, code: codeAt(factor.secret, service.clock.now()) }
    expect(problemOf(await keep({ challenge: challenge.challenge, ...proof }))).toEqual({
      status: 401,
      code: 'challenge_invalid',
    })
  })

  test('returns 401 challenge_invalid if the deletion becomes due at the same moment', async () => {
    const person = await service.person()
    await erase(person.token)
    const challenge = await challengeOf(person)
    const held = await holdRows(service.fresh, [['update account set erases_at = now() where id = $1', [person.id]]])
    const kept = keep({ challenge })
    await held.commitOnce(kept)
    expect(problemOf(await kept)).toEqual({ status: 401, code: 'challenge_invalid' })
    expect(await eraseDueAccounts(service)).toBe(1)
  })

  test('of a concurrent restore and deletion, exactly one happens', async () => {
    for (let round = 0; round < 4; round += 1) {
      const person = await service.person()
      await erase(person.token)
      const challenge = await challengeOf(person)
      await move(person.id, `now() + interval '20 milliseconds'`)
      const [kept] = await Promise.all([keep({ challenge }), eraseDueAccounts(service)])
      await eraseDueAccounts(service)
      const left = await service.sql('select from account where id = $1', [person.id])
      expect([kept.status, left.length]).toEqual(kept.status === 200 ? [200, 1] : [401, 0])
    }
  })
})
