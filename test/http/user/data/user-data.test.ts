import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribe } from '../../../support/billing-rows.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Service, serviceForTest, startService, testInProcess } from '../../../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const path = '/api/v1/user/data'

async function organization(name: string, accountId: string, role = 'member'): Promise<string> {
  const [row] = await service.sql<{ id: string }>(
    `with org as (insert into organization (name) values ($1) returning id)
     insert into membership (organization_id, account_id, role_id) select id, $2, $3 from org returning organization_id as id`,
    [name, accountId, role],
  )
  return row?.id ?? ''
}

describe('GET /api/v1/user/data responds with 200', () => {
  test('a new user has the default plan, and missing values are omitted', async () => {
    const { token } = await service.person()
    const { status, body, headers } = await service.get(path, { token })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(body).toEqual({
      subscription: { plan_id: 'free', plan_name: 'Free', status: 'active' },
      permissions: { provider_keys: ['validate'] },
      isFirstLogin: true,
      mfaFactors: [],
    })
  })

  test('returns everything: plan, organization and its plan, the union of all grants, named verified factors', async () => {
    const { id, token } = await service.person({ role: 'admin' })
    const orgId = await organization('Analytical Engines', id, 'owner')
    await service.sql(`insert into plan (id, name) values ('pro', 'Pro'), ('team', 'Team') on conflict do nothing`)
    await service.sql(
      `insert into plan_grant values ('pro', 'zones', 'export'), ('team', 'zones', 'import') on conflict do nothing`,
    )
    await service.sql(
      `insert into plan_price values ('price_pro', 'pro'), ('price_team', 'team') on conflict do nothing`,
    )
    await subscribe(service, { customer: 'cus_ada', accountId: id, price: 'price_pro', status: 'trialing' })
    await subscribe(service, { customer: 'cus_engines', orgId, price: 'price_team', status: 'past_due' })
    const ids = ['0197b2a4-0000-7000-8000-00000000000b', '0197b2a4-0000-7000-8000-00000000000a']
    await service.sql(
      `insert into factor (id, account_id, friendly_name, secret, verified_at)
       values ($2, $1, 'Phone', '', now()), ($3, $1, 'Tablet', '', now()), (default, $1, 'Half-made', '', null)`,
      [id, ...ids],
    )
    const { body } = await service.get(path, { token })
    expect(body).toEqual({
      subscription: { plan_id: 'pro', plan_name: 'Pro', status: 'trialing', billing_customer_id: 'cus_ada' },
      orgSubscription: {
        plan_id: 'team',
        plan_name: 'Team',
        status: 'past_due',
        billing_customer_id: 'cus_engines',
        org_id: orgId,
      },
      permissions: expect.objectContaining({ users: expect.arrayContaining(['list']), zones: ['export', 'import'] }),
      orgId,
      isFirstLogin: true,
      mfaFactors: [
        { id: ids[1], friendlyName: 'Tablet' },
        { id: ids[0], friendlyName: 'Phone' },
      ],
    })
  })

  test('shows the best subscription: in force, then with a plan; an ended one grants nothing', async () => {
    const { id, token } = await service.person()
    await service.sql(`insert into plan (id, name) values ('gold', 'Gold') on conflict do nothing`)
    await service.sql(`insert into plan_grant values ('gold', 'gold', 'mine') on conflict do nothing`)
    await service.sql(`insert into plan_price values ('price_gold', 'gold') on conflict do nothing`)
    await subscribe(service, { customer: 'cus_best', accountId: id, price: 'price_gold', status: 'canceled' })
    const over = await service.get(path, { token })
    expect(over.body).toMatchObject({ subscription: { plan_id: 'gold', status: 'canceled' } })
    expect(over.body).not.toHaveProperty('permissions.gold')

    await subscribe(service, { customer: 'cus_best', accountId: id, price: 'price_gold', status: 'past_due' })
    await subscribe(service, { customer: 'cus_best', accountId: id, price: 'price_older', status: 'active' })
    await subscribe(service, {
      customer: 'cus_best',
      accountId: id,
      price: 'price_unmapped',
      status: 'active',
      product: 'Mystery',
    })
    const best = await service.get(path, { token })
    expect(best.body).toMatchObject({
      subscription: {
        plan_id: 'gold',
        plan_name: 'Gold',
        status: 'past_due',
        billing_customer_id: 'cus_best',
      },
      permissions: { gold: ['mine'] },
    })
  })

  test('shows an unknown status unchanged, after all others, and grants nothing for it', async () => {
    const { id, token } = await service.person()
    await subscribe(service, { customer: 'cus_new', accountId: id, price: 'price_x', status: 'hibernating' })
    const { body } = await service.get(path, { token })
    expect(body).toMatchObject({ subscription: { plan_id: 'price_x', status: 'hibernating' } })
    expect(body).not.toHaveProperty('subscription.plan_name')
  })

  test('without a default plan, a user without a subscription has no subscription member', async () => {
    const alone = await serviceForTest()
    await alone.sql('update plan set is_default = false')
    const { token } = await alone.person()
    const { body } = await alone.get(path, { token })
    expect(body).toEqual({ permissions: { provider_keys: ['validate'] }, isFirstLogin: true, mfaFactors: [] })
  })

  test('the organization joined first is the current one, and orgId selects another', async () => {
    const { id, token } = await service.person()
    const first = await organization('First', id)
    const second = await organization('Second', id)
    expect((await service.get(path, { token })).body).toMatchObject({ orgId: first })
    expect((await service.get(`${path}?orgId=${second}`, { token })).body).toMatchObject({ orgId: second })
    // Not the organization created first.
    await service.sql(`update membership set joined_at = joined_at - interval '1 day' where organization_id = $1`, [
      second,
    ])
    expect((await service.get(path, { token })).body).toMatchObject({ orgId: second })
  })

  test('isFirstLogin is true for the whole first session, and false afterwards', async () => {
    const { id, email, password, token } = await service.person()
    const isFirst = async (of: string) => (await service.get(path, { token: of })).body
    expect(await isFirst(token)).toMatchObject({ isFirstLogin: true })
    expect(await isFirst(token)).toMatchObject({ isFirstLogin: true })
    const signedIn = await service.post('/auth/sign-in', { body: { email, password } })
    const { access_token: later } = signedIn.body as { access_token: string }
    expect(await isFirst(later)).toMatchObject({ isFirstLogin: false })
    expect(await isFirst(token)).toMatchObject({ isFirstLogin: true })
    expect(id).not.toBe('')
  })

  test('HEAD returns the headers of GET without a body', async () => {
    const { token } = await service.person()
    const { status, text } = await service.call('HEAD', path, { token })
    expect({ status, text }).toEqual({ status: 200, text: '' })
  })
})

describe('conditional requests for user data', () => {
  test('304 while nothing has changed, and the full response after a change', async () => {
    const { id, token } = await service.person()
    const { etag } = (await service.get(path, { token })).headers
    const again = await service.get(path, { token, headers: { 'if-none-match': String(etag) } })
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' })
    await organization('New', id)
    const changed = await service.get(path, { token, headers: { 'if-none-match': String(etag) } })
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
  })

  test.each([
    ['made weak by a proxy that compresses', (etag: string) => `W/${etag}`, 304],
    ['with the suffix of a proxy that compresses', (etag: string) => `${etag.slice(0, -1)}-gzip"`, 304],
    ['one of several', (etag: string) => `"older", W/"oldest" ,${etag}`, 304],
    ['whatever there is', () => '*', 304],
    ['`*` in a list, which is no list of tags', () => '"another", *', 200],
    ['another', () => '"another", W/"older"', 200],
    ['a part of it', (etag: string) => etag.slice(0, -2), 200],
    ['nothing', () => '', 200],
  ] as const)('If-None-Match: %s', async (_, named, status) => {
    const { token } = await service.person()
    const first = await service.get(path, { token })
    const headers = { 'if-none-match': named(String(first.headers.etag)) }
    const { status: given, text, headers: got } = await service.get(path, { token, headers })
    expect({ given, text }).toEqual({ given: status, text: status === 304 ? '' : first.text })
    expect(got.etag).toBe(first.headers.etag)
  })
})

describe('every response with user data', () => {
  const changes = [
    ['role', `update account set role_id = 'admin' where id = $1`],
    ['grant of the role', `insert into role_grant select role_id, 'dns', 'edit' from account where id = $1`],
    ['membership', `insert into membership (organization_id, account_id) select id, $1 from organization limit 1`],
    ['customer', `insert into customer (id, account_id) values ('cus_1', $1)`],
    [
      'subscription',
      `insert into subscription select 'sub_1', 'cus_1', '{p}', null, 'active', now(), now(), 0 from account where id = $1`,
    ],
    [
      'status of the subscription',
      `update subscription set status = 'unpaid' where id = 'sub_1' and $1::uuid is not null`,
    ],
    ['price of a plan', `insert into plan_price select 'p', 'free' from account where id = $1`],
    ['name of a plan', `update plan set name = 'Gratis' where $1::uuid is not null`],
    [
      'better status of the subscription',
      `update subscription set status = 'trialing' where id = 'sub_1' and $1::uuid is not null`,
    ],
    ['grant of a plan', `insert into plan_grant select 'free', 'dns', 'plan' from account where id = $1`],
    ['factor', `insert into factor (account_id, friendly_name, secret, verified_at) values ($1, 'Key', '', now())`],
    ['name of a factor', `update factor set friendly_name = 'Other key' where account_id = $1`],
    ['first session', `update account set first_session = 'another' where id = $1`],
    ['end of the membership', `delete from membership where account_id = $1`],
  ] as const

  test('shows every change on the next request, on this node and on another', async () => {
    const alone = await serviceForTest()
    const other = await serviceForTest({ on: alone.fresh })
    const { id, token } = await alone.person()
    await alone.sql(`insert into organization (name) values ('Somewhere')`)
    let before = await alone.get(path, { token })
    for (const [what, statement] of changes) {
      await alone.sql(statement, [id])
      const after = await alone.get(path, { token })
      if (what !== 'customer') expect(after.text, what).not.toBe(before.text)
      expect((await other.get(path, { token })).text, what).toBe(after.text)
      before = after
    }
  })

  testInProcess('429 — is limited like any other read, and each answer tells how many are left', async () => {
    const alone = await serviceForTest({ env: { MUSTER_READS_PER_MINUTE: '3' } })
    const { token } = await alone.person()
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) statuses.push((await alone.get(path, { token })).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    alone.clock.advanceSeconds(61)
    expect((await alone.get(path, { token })).status).toBe(200)
  })

  test('shows a change of the current organization that changes no row of the account', async () => {
    const { id, token } = await service.person()
    const orgId = await organization('Difference Engines', id)
    await service.sql(`insert into plan (id, name) values ('crew', 'Crew') on conflict do nothing`)
    for (let round = 0; round < 2; round += 1)
      expect((await service.get(path, { token })).body).not.toHaveProperty('orgSubscription')
    await subscribe(service, { customer: 'cus_difference', orgId, price: 'price_crew', status: 'active' })
    const shown = { orgSubscription: { plan_id: 'price_crew', status: 'active', org_id: orgId } }
    await expect.poll(async () => (await service.get(path, { token })).body).toMatchObject(shown)
  })

  test('ends with its session, without any other change', async () => {
    const { id, token } = await service.person()
    await service.sql(`update session set expires_at = now() + interval '3 seconds' where account_id = $1`, [id])
    expect((await service.get(path, { token })).status).toBe(200)
    await expect.poll(async () => problemOf(await service.get(path, { token })).code).toBe('session_ended')
  })

  test('is not shared with another session, organization, `details` value or user', async () => {
    const { id, email, password, token } = await service.person()
    const [first, second] = [await organization('One', id), await organization('Two', id)]
    const signedIn = await service.post('/auth/sign-in', { body: { email, password } })
    const { access_token: later } = signedIn.body as { access_token: string }
    for (let round = 0; round < 2; round += 1) {
      expect((await service.get(path, { token })).body).toMatchObject({ orgId: first, isFirstLogin: true })
      expect((await service.get(path, { token: later })).body).toMatchObject({ orgId: first, isFirstLogin: false })
      expect((await service.get(path, { token })).body).not.toHaveProperty('mfaRequired')
      expect((await service.get(`${path}?orgId=${second}`, { token })).body).toMatchObject({ orgId: second })
      const detailed = await service.get(`${path}?details=true`, { token })
      expect(detailed.body).toMatchObject({ orgId: first, mfaRequired: false })
      expect((await service.get(`${path}?orgId=${first}`, { token })).body).toMatchObject({ orgId: first })
      const both = await service.get(`${path}?orgId=${second}&details=true`, { token })
      expect(both.body).toMatchObject({ orgId: second, mfaRequired: false })
    }
  })
})

describe('GET /api/v1/user/data responds with 400', () => {
  test('for every parameter that is unknown, repeated or not a UUID, and names it', async () => {
    const { token } = await service.person()
    const { body } = await service.get(`${path}?orgId=a&orgId=b&__proto__=1&page=2`, { token })
    expect(body).toMatchObject({
      code: 'input_invalid',
      errors: expect.arrayContaining([
        { parameter: 'orgId', detail: 'must be sent once' },
        { parameter: '__proto__', detail: 'is unknown' },
        { parameter: 'page', detail: 'is unknown' },
      ]),
    })
    expect(problemOf(await service.get(`${path}?orgId=%00`, { token }))).toEqual({ status: 400, code: 'input_invalid' })
  })
})

describe('GET /api/v1/user/data responds with 401', () => {
  test('for a disabled account from the next request on, until it is enabled', async () => {
    const { id, token } = await service.person()
    expect((await service.get(path, { token })).status).toBe(200)
    await service.sql('update account set disabled_at = now() where id = $1', [id])
    expect(problemOf(await service.get(path, { token }))).toEqual({ status: 401, code: 'account_disabled' })
    await service.sql('update account set disabled_at = null where id = $1', [id])
    expect((await service.get(path, { token })).status).toBe(200)
  })

  test('for an ended session from the next request on', async () => {
    const { id, token } = await service.person()
    await service.sql('update session set ended_at = now() where account_id = $1', [id])
    expect(problemOf(await service.get(path, { token }))).toEqual({ status: 401, code: 'session_ended' })
  })

  test('for an expired session and a session of another account, as for an ended one', async () => {
    const [expired, borrowed, other] = [await service.person(), await service.person(), await service.person()]
    await service.sql('update session set expires_at = now() where account_id = $1', [expired.id])
    await service.sql('update session set account_id = $2 where account_id = $1', [borrowed.id, other.id])
    for (const { token } of [expired, borrowed])
      expect(problemOf(await service.get(path, { token }))).toEqual({ status: 401, code: 'session_ended' })
  })

  testInProcess('a token is refused when its time is over, and not before', async () => {
    const alone = await serviceForTest()
    const { token } = await alone.person()
    alone.clock.advanceSeconds(895)
    expect((await alone.get(path, { token })).status).toBe(200)
    alone.clock.advanceSeconds(20)
    expect(problemOf(await alone.get(path, { token }))).toEqual({ status: 401, code: 'token_expired' })
  })
})

describe('GET /api/v1/user/data responds with 403', () => {
  test('for a token whose account was deleted', async () => {
    const { id, token } = await service.person()
    await service.sql('delete from account where id = $1', [id])
    expect(problemOf(await service.get(path, { token }))).toEqual({ status: 403, code: 'account_unknown' })
  })
})

describe('GET /api/v1/user/data responds with 404', () => {
  test('for an organization of others, as for one that does not exist', async () => {
    const [owner, stranger] = await Promise.all([service.person(), service.person()])
    const orgId = await organization('Theirs', owner.id)
    const theirs = await service.get(`${path}?orgId=${orgId}`, { token: stranger.token })
    const absent = await service.get(`${path}?orgId=01890000-0000-7000-8000-000000000000`, { token: stranger.token })
    expect(problemOf(theirs)).toEqual({ status: 404, code: 'organization_unknown' })
    expect(problemOf(absent)).toEqual({ status: 404, code: 'organization_unknown' })
    expect(Object.keys(theirs.body as object)).toEqual(Object.keys(absent.body as object))
  })
})
