import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribe } from '../../support/billing-rows.ts'
import { problemOf } from '../../support/problem.ts'
import { type Person, type Service, serviceForTest } from '../../support/service.ts'
import { type Billed, billedForTest, startBilled } from '../../support/stripe.ts'

const path = '/api/v1/admin/billing'
const unknownId = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)

let billed: Billed
let service: Service
let admin: Person
beforeAll(async () => {
  billed = await startBilled()
  service = billed.service
  admin = await service.person({ role: 'admin' })
  await service.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro')`)
})
afterAll(() => billed.stop())

const read = async (of = service, { token } = admin) => (await of.get(path, { token })).body

async function organization(name: string): Promise<string> {
  const [row] = await service.sql<{ id: string }>('insert into organization (name) values ($1) returning id', [name])
  return row?.id ?? ''
}

/** The audit event of an administrator's change. */
const eventsOf = (targetId: string) =>
  service.sql('select action, actor_id, actor_kind, details from audit_event where target_id = $1 order by at', [
    targetId,
  ])

/** A customer whose owner was named only by the payer. */
async function claimed(customer: string, accountId: string): Promise<void> {
  await service.sql(
    `insert into customer (id, account_id, claim_kind, claim_value, claim_rank, claim_at)
     values ($1, $2, 'any', $3, 0, now())`,
    [customer, accountId, accountId],
  )
}

describe('GET /admin/billing', () => {
  test('200 — works without a payment processor', async () => {
    const plain = await serviceForTest()
    const { token } = await plain.person({ role: 'admin' })
    expect(await read(plain, { ...admin, token })).toEqual({
      processors: [],
      syncHours: 24,
      isSyncing: false,
      unmapped: { prices: [], hasMore: false },
      waiting: { customers: [], hasMore: false },
      unconfirmed: { customers: [], hasMore: false },
    })
    expect(problemOf(await plain.post(`${path}/sync`, { token }))).toEqual({ status: 404, code: 'route_unknown' })
  })

  test('200 — lists prices without a plan, and customers without an owner or with one that only the payer named', async () => {
    const person = await service.person({ email: 'payer@example.com' })
    const orgId = await organization('Looms')
    await subscribe(service, { customer: 'cus_lost', price: 'price_extra', status: 'active', product: 'Extra' })
    await service.sql(
      `update customer set claim_kind = 'any', claim_value = 'auth0|42', claim_rank = 0, claim_at = now() where id = 'cus_lost'`,
    )
    await claimed('cus_claimed', person.id)
    await service.sql(
      `insert into customer (id, organization_id, claim_kind, claim_value, claim_rank, claim_at, processor)
       values ('ctm_claimed', $1, 'organization', $2, 0, now(), 'paddle')`,
      [orgId, orgId],
    )
    const lost = { id: expect.stringMatching(/^sub_cus_lost/), status: 'active', priceIds: ['price_extra'] }
    expect(await read()).toEqual({
      processors: [{ id: 'stripe', title: 'Stripe', missingSettings: [], reconciles: true }],
      syncHours: 24,
      isSyncing: false,
      unmapped: { prices: [{ id: 'price_extra', productName: 'Extra', subscriptions: 1 }], hasMore: false },
      waiting: {
        customers: [
          { id: 'cus_lost', processor: 'stripe', claim: { kind: 'any', value: 'auth0|42' }, subscriptions: [lost] },
        ],
        hasMore: false,
      },
      unconfirmed: {
        customers: [
          {
            id: 'ctm_claimed',
            processor: 'paddle',
            owner: { kind: 'organization', id: orgId, name: 'Looms' },
            subscriptions: [],
          },
          {
            id: 'cus_claimed',
            processor: 'stripe',
            owner: { kind: 'account', id: person.id, name: 'payer@example.com' },
            subscriptions: [],
          },
        ],
        hasMore: false,
      },
    })
  })

  test('200 — lists at most 100 of each, and says whether there are more', async () => {
    const many = await serviceForTest()
    const { token } = await many.person({ role: 'admin' })
    await many.sql(`insert into customer (id) select 'cus_' || n from generate_series(1, 101) n`)
    await many.sql(
      `insert into subscription (id, customer_id, price_ids, status, created_at, seen_at, seen_rank)
       select 'sub_' || n, 'cus_' || n, array['price_' || n], 'active', now(), now(), 0 from generate_series(1, 101) n`,
    )
    const body = (await many.get(path, { token })).body as {
      waiting: { customers: unknown[]; hasMore: boolean }
      unmapped: { prices: unknown[]; hasMore: boolean }
    }
    expect([body.waiting.customers.length, body.waiting.hasMore]).toEqual([100, true])
    expect([body.unmapped.prices.length, body.unmapped.hasMore]).toEqual([100, true])
  })

  test('200 — names secrets that are not set, and returns no secret', async () => {
    const { service: halved } = await billedForTest({ isWebhookOnly: true, env: { PADDLE_WEBHOOK_SECRET: 'pdl_1' } })
    const { token } = await halved.person({ role: 'admin' })
    const { body } = await halved.get(path, { token })
    expect(body).toMatchObject({
      processors: [
        { id: 'paddle', missingSettings: [], reconciles: false },
        { id: 'stripe', missingSettings: ['STRIPE_SECRET_KEY'], reconciles: false },
      ],
    })
    expect(JSON.stringify(body)).not.toMatch(/whsec|pdl_1/)
  })
})

describe('reconciliation by an administrator', () => {
  test('202 — continues in the background; the report and the audit log have the result', async () => {
    const { service: own, stripe } = await billedForTest()
    const { token, id: actor } = await own.person({ role: 'admin' })
    const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, { status: 'active' }) // its event is lost
    const started = await own.post(`${path}/sync`, { token })
    expect([started.status, started.body]).toEqual([202, { processors: ['stripe'] }])
    await expect
      .poll(() => read(own, { ...admin, token }), { timeout: 20_000 })
      .toMatchObject({
        isSyncing: false,
        processors: [
          {
            lastSyncAt: at,
            lastReport: {
              checked: 1,
              repaired: { count: 1, first: [{ id, changes: ['missing'] }] },
              linked: { count: 0, first: [] },
              unknown: { count: 0, first: [] },
            },
          },
        ],
      })
    expect(await own.sql(`select actor_id, details from audit_event where action = 'billing.sync_started'`)).toEqual([
      { actor_id: actor, details: { processors: ['stripe'] } },
    ])
  })

  test('409 sync_running — allows one at a time over all nodes, and the state shows that it runs', async () => {
    const { service: own, stripe } = await billedForTest()
    const { token } = await own.person({ role: 'admin' })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    stripe.control.beforeSending = () => held
    expect((await own.post(`${path}/sync`, { token })).status).toBe(202)
    expect(await read(own, { ...admin, token })).toMatchObject({ isSyncing: true })
    expect(problemOf(await own.post(`${path}/sync`, { token }))).toEqual({ status: 409, code: 'sync_running' })
    release()
    await expect
      .poll(() => read(own, { ...admin, token }), { timeout: 20_000 })
      .toMatchObject({ isSyncing: false, processors: [{ lastSyncAt: at }] })
  })

  test('reports an unreachable processor with the reason, and keeps the report of the last finished run', async () => {
    const { service: own, stripe } = await billedForTest()
    const { token } = await own.person({ role: 'admin' })
    await own.post(`${path}/sync`, { token })
    await expect
      .poll(() => read(own, { ...admin, token }), { timeout: 20_000 })
      .toMatchObject({
        processors: [{ lastSyncAt: at }],
      })
    await stripe.close()
    await own.post(`${path}/sync`, { token })
    await expect
      .poll(() => read(own, { ...admin, token }), { timeout: 60_000 })
      .toMatchObject({
        isSyncing: false,
        processors: [
          { lastSyncAt: at, lastReport: { checked: 0 }, lastFailureAt: at, lastFailure: 'processor_unavailable' },
        ],
      })
  }, 90_000)
})

describe('customers', () => {
  test('204 — confirms the owner that the administrator saw; 409 for another one, or a second time', async () => {
    const [person, other] = [await service.person(), await service.person()]
    await claimed('cus_this', person.id)
    const confirm = (accountId: string) =>
      service.post(`${path}/customers/cus_this/confirm`, { token: admin.token, body: { accountId } })
    expect(problemOf(await confirm(other.id))).toEqual({ status: 409, code: 'customer_owner_changed' })
    const confirmed = await confirm(person.id)
    expect([confirmed.status, confirmed.body]).toEqual([204, undefined])
    expect(problemOf(await confirm(person.id)).code).toBe('customer_owner_changed')
    expect(await eventsOf('cus_this')).toEqual([
      { action: 'customer.confirmed', actor_id: admin.id, actor_kind: 'account', details: { account: person.id } },
    ])
    expect(JSON.stringify(await read())).not.toContain('cus_this')
  })

  test('204 — links another owner, who has the plan in the next request', async () => {
    const [claimer, owner] = [await service.person(), await service.person()]
    const orgId = await organization('Engines')
    await claimed('cus_other', claimer.id)
    await subscribe(service, { customer: 'cus_other', price: 'price_pro', status: 'active' })
    const link = (body: object) =>
      service.call('PUT', `${path}/customers/cus_other/owner`, { token: admin.token, body })
    const planOf = async ({ token }: Person) => (await service.get('/api/v1/user/data', { token })).body
    expect(await planOf(claimer)).toMatchObject({ subscription: { plan_id: 'pro' } })
    expect((await link({ accountId: owner.id })).status).toBe(204)
    expect(await planOf(owner)).toMatchObject({ subscription: { plan_id: 'pro' } })
    expect(await planOf(claimer)).toMatchObject({ subscription: { plan_id: 'free' } })
    expect((await link({ orgId })).status).toBe(204)
    expect(await planOf(owner)).toMatchObject({ subscription: { plan_id: 'free' } })
    expect(await eventsOf('cus_other')).toMatchObject([
      { action: 'customer.linked', actor_id: admin.id, details: { account: owner.id } },
      { action: 'customer.linked', actor_id: admin.id, details: { organization: orgId } },
    ])
  })

  test.each([
    ['no owner', {}],
    ['two owners', { accountId: unknownId, orgId: unknownId }],
    ['an id of unknown form', { accountId: 'ada' }],
    ['an unknown owner', { orgId: unknownId }],
  ])('400 input_invalid — %s', async (_, body) => {
    const answer = await service.call('PUT', `${path}/customers/cus_nobody/owner`, { token: admin.token, body })
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
    expect(await service.sql(`select from customer where id = 'cus_nobody'`)).toEqual([])
  })
})

describe('prices', () => {
  test('204 — maps and unmaps a price; its subscriptions gain and lose the plan immediately', async () => {
    const person = await service.person()
    await subscribe(service, { customer: 'cus_mapped', accountId: person.id, price: 'price_new', status: 'active' })
    const place = `${path}/prices/price_new/plan`
    const planOf = async () => (await service.get('/api/v1/user/data', { token: person.token })).body
    const mapped = await service.call('PUT', place, { token: admin.token, body: { planId: 'pro' } })
    expect([mapped.status, mapped.body]).toEqual([204, undefined])
    expect(await planOf()).toMatchObject({ subscription: { plan_id: 'pro' } })
    expect((await service.call('DELETE', place, { token: admin.token })).status).toBe(204)
    expect(await planOf()).toMatchObject({ subscription: { plan_id: 'price_new' } })
    expect((await service.call('DELETE', place, { token: admin.token })).status).toBe(204)
    expect(await eventsOf('pro')).toMatchObject([
      { action: 'plan.changed', actor_id: admin.id, details: { mapped: ['price_new'] } },
      { action: 'plan.changed', actor_id: admin.id, details: { unmapped: 'price_new' } },
    ])
  })

  test('400 input_invalid — an unknown plan', async () => {
    const answer = await service.call('PUT', `${path}/prices/price_x/plan`, {
      token: admin.token,
      body: { planId: 'none' },
    })
    expect(answer.body).toMatchObject({ code: 'input_invalid', errors: [{ pointer: '/planId' }] })
  })
})

describe('the rank of a plan', () => {
  const rank = (planId: string, body: object) =>
    service.call('PUT', `/api/v1/admin/plans/${planId}/rank`, { token: admin.token, body })

  test('204 — the plan with the higher rank is shown from the next request on; no permission changes', async () => {
    await service.sql(`insert into plan (id, name) values ('silver', 'Silver'), ('gold', 'Gold')`)
    await service.sql(`insert into plan_price values ('price_silver', 'silver'), ('price_gold', 'gold')`)
    await service.sql(`insert into plan_grant values ('silver', 'metals', 'silver'), ('gold', 'metals', 'gold')`)
    const person = await service.person()
    for (const price of ['price_silver', 'price_gold'])
      await subscribe(service, { customer: 'cus_ranked', accountId: person.id, price, status: 'active' })
    const data = async () => (await service.get('/api/v1/user/data', { token: person.token })).body
    for (const [planId, value] of [
      ['silver', 7],
      ['gold', 8],
    ] as const) {
      expect((await rank(planId, { rank: value })).status).toBe(204)
      expect(await data()).toMatchObject({
        subscription: { plan_id: planId },
        permissions: { metals: ['gold', 'silver'] },
      })
    }
    expect(await eventsOf('gold')).toMatchObject([{ action: 'plan.changed', actor_id: admin.id, details: { rank: 8 } }])
    expect((await service.get('/api/v1/admin/plans', { token: admin.token })).body).toMatchObject({
      plans: expect.arrayContaining([expect.objectContaining({ id: 'silver', rank: 7 })]),
    })
  })

  test('404 plan_unknown, and 400 input_invalid for a rank that is not a whole number from 0 to a million', async () => {
    expect(problemOf(await rank('none', { rank: 1 }))).toEqual({ status: 404, code: 'plan_unknown' })
    for (const wrong of [-1, 1.5, 1_000_001, '1', null])
      expect(problemOf(await rank('pro', { rank: wrong })), String(wrong)).toEqual({
        status: 400,
        code: 'input_invalid',
      })
  })
})

describe('subscriptions of a user', () => {
  const read = (id: string) => service.get(`/api/v1/admin/users/${id}/subscriptions`, { token: admin.token })

  test('200 — lists the user’s own, the one that user data show first, in the processor’s words, then those of organizations', async () => {
    const person = await service.person()
    const orgId = await organization('Weavers')
    await service.sql('insert into membership (organization_id, account_id) values ($1, $2)', [orgId, person.id])
    const defaultPlan = { id: 'free', name: 'Free' }
    expect((await read(person.id)).body).toEqual({ subscriptions: [], defaultPlan })
    await subscribe(service, { customer: 'cus_org', orgId, price: 'price_pro', status: 'past_due' })
    const ofOrganization = {
      id: expect.stringMatching(/^sub_cus_org/),
      status: 'past_due',
      isInForce: true,
      plan: { id: 'pro', name: 'Pro' },
      priceIds: ['price_pro'],
      customerId: 'cus_org',
      processor: 'stripe',
      isConfirmed: true,
      organization: { id: orgId, name: 'Weavers' },
      createdAt: at,
      asOf: at,
    }
    expect((await read(person.id)).body).toEqual({ subscriptions: [ofOrganization], defaultPlan })
    await claimed('cus_own', person.id)
    await subscribe(service, { customer: 'cus_own', price: 'price_pro', status: 'canceled' })
    await service.sql(
      `update subscription set current_period_end = '2027-01-15T08:00:00Z', cancel_at_period_end = true,
              trial_end = '2026-12-15T08:00:00Z', quantities = '{5}'
       where customer_id = 'cus_own'`,
    )
    await subscribe(service, { customer: 'cus_own', price: 'price_odd', status: 'a_new_word', product: 'Odd' })
    const own = { customerId: 'cus_own', processor: 'stripe', isConfirmed: false, createdAt: at, asOf: at }
    const id = expect.stringMatching(/^sub_cus_own/)
    expect((await read(person.id)).body).toEqual({
      subscriptions: [
        {
          ...own,
          id,
          status: 'canceled',
          isInForce: false,
          plan: { id: 'pro', name: 'Pro' },
          priceIds: ['price_pro'],
          currentPeriodEnd: '2027-01-15T08:00:00Z',
          cancelAtPeriodEnd: true,
          trialEnd: '2026-12-15T08:00:00Z',
          quantity: 5,
        },
        { ...own, id, status: 'a_new_word', isInForce: false, priceIds: ['price_odd'], productName: 'Odd' },
        ofOrganization,
      ],
    })
  })

  test('404 user_unknown', async () => {
    expect(problemOf(await read(unknownId))).toEqual({ status: 404, code: 'user_unknown' })
  })
})

describe('access to billing', () => {
  const calls: [method: string, place: string, body?: object][] = [
    ['GET', path],
    ['GET', `/api/v1/admin/users/${unknownId}/subscriptions`],
    ['POST', `${path}/sync`],
    ['POST', `${path}/customers/cus_1/confirm`, { accountId: unknownId }],
    ['PUT', `${path}/customers/cus_1/owner`, { accountId: unknownId }],
    ['PUT', `${path}/prices/price_1/plan`, { planId: 'pro' }],
    ['DELETE', `${path}/prices/price_1/plan`],
    ['PUT', '/api/v1/admin/plans/pro/rank', { rank: 1 }],
  ]

  test.each(calls)(
    '%s %s: 401 without a token, 403 for an organization owner, who manages its billing',
    async (method, place, body) => {
      const owner = await service.person()
      await service.sql(`insert into membership (organization_id, account_id, role_id) values ($1, $2, 'owner')`, [
        await organization('Own'),
        owner.id,
      ])
      const call = (token?: string) => service.call(method, place, { ...(token && { token }), ...(body && { body }) })
      expect(problemOf(await call())).toEqual({ status: 401, code: 'token_missing' })
      expect(problemOf(await call(owner.token))).toEqual({ status: 403, code: 'permission_missing' })
    },
  )

  test.each(calls.slice(2))(
    '%s %s: 401 step_up_required if the sign-in is older than 15 minutes',
    async (method, place, body) => {
      const { id, token } = await service.person({ role: 'admin' })
      await service.sql(`update session set proved_at = now() - interval '16 minutes' where account_id = $1`, [id])
      const answer = await service.call(method, place, { token, ...(body && { body }) })
      expect(problemOf(answer)).toEqual({ status: 401, code: 'step_up_required' })
    },
  )
})
