import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { type Person, type Service, startService } from '../../support/service.ts'
import { type Billed, billedForTest, startBilled } from '../../support/stripe.ts'

let billed: Billed
let service: Service
beforeAll(async () => {
  billed = await startBilled()
  service = billed.service
  await service.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro'), ('price_gone', 'pro')`)
})
afterAll(() => billed.stop())

const addresses = {
  successUrl: 'https://app.test/welcome?s={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://app.test/plans',
}
const order = { priceId: 'price_pro', ...addresses }
type Order = Readonly<Record<string, unknown>> & { readonly orgId?: string }
const checkout = (person: Pick<Person, 'token'>, order: Order) => buy('checkout', person, order)
const portal = (person: Pick<Person, 'token'>, order: Order) => buy('portal', person, order)
const buy = (page: string, { token }: Pick<Person, 'token'>, { orgId, ...body }: Order) =>
  service.post(`/api/v1/billing/${page}${orgId === undefined ? '' : `?orgId=${orgId}`}`, { token, body })

/** The last request to Stripe. */
function asked(): Record<string, string> {
  return Object.fromEntries(billed.stripe.received.at(-1)?.form ?? [])
}

async function member(role: string): Promise<{ person: Person; orgId: string }> {
  const person = await service.person()
  const [row] = await service.sql<{ id: string }>(`insert into organization (name) values ('Engines') returning id`)
  const orgId = row?.id ?? ''
  await service.sql('insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)', [
    orgId,
    person.id,
    role,
  ])
  return { person, orgId }
}

test('400 input_invalid — a page sends a buyer back only to exact origins in MUSTER_RETURN_ORIGINS', async () => {
  const strict = await billedForTest({ env: { MUSTER_RETURN_ORIGINS: 'https://app.test' } })
  const { token } = await strict.service.person()
  const calls = strict.stripe.received.length
  for (const successUrl of [
    'https://app.test.evil.example/welcome',
    'https://evil.example/?https://app.test',
    'https://app.test@evil.example/',
    'https://app.test:8443/',
    'https://sub.app.test/',
  ]) {
    const body = { ...order, successUrl, cancelUrl: successUrl }
    const answer = await strict.service.post('/api/v1/billing/checkout', { token, body })
    const detail = 'Buyers may not be sent back to this origin.'
    expect(problemOf(answer), successUrl).toMatchObject({ status: 400, code: 'input_invalid' })
    expect(answer.body, successUrl).toMatchObject({
      errors: [
        { pointer: '/successUrl', detail },
        { pointer: '/cancelUrl', detail },
      ],
    })
    const gone = await strict.service.post('/api/v1/billing/portal', { token, body: { returnUrl: successUrl } })
    expect(gone.body, successUrl).toMatchObject({ errors: [{ pointer: '/returnUrl', detail }] })
  }
  expect(strict.stripe.received).toHaveLength(calls)
  // An allowed origin gets as far as the price, which is unknown here.
  const allowed = await strict.service.post('/api/v1/billing/checkout', { token, body: order })
  expect(problemOf(allowed).code).toBe('price_unknown')
})

describe('200', () => {
  test('names the user to Stripe at the first checkout, so that the purchase is linked to them', async () => {
    const person = await service.person()
    const { status, body } = await checkout(person, order)
    expect({ status, body }).toEqual({
      status: 200,
      body: { url: expect.stringMatching(/^https:\/\/checkout\./), kind: 'checkout' },
    })
    expect(asked()).toEqual({
      mode: 'subscription',
      'line_items[0][price]': 'price_pro',
      'line_items[0][quantity]': '1',
      client_reference_id: person.id,
      customer_email: person.email,
      'metadata[muster_account_id]': person.id,
      'subscription_data[metadata][muster_account_id]': person.id,
      success_url: addresses.successUrl,
      cancel_url: addresses.cancelUrl,
    })
  })

  test('reuses the customer for the next checkout and the portal', async () => {
    const person = await service.person()
    const { stripe, deliver } = billed
    const metadata = { muster_account_id: person.id }
    const from = stripe.state.events.length
    stripe.state.addCustomer({ metadata })
    const current = stripe.state.addCustomer({ metadata })
    stripe.state.subscribe(current.id, { status: 'active' })
    for (const event of stripe.state.events.slice(from)) await deliver(event)
    expect((await checkout(person, { ...order, quantity: 3 })).status).toBe(200)
    expect(asked()).toMatchObject({ customer: current.id, 'line_items[0][quantity]': '3' })
    expect(asked()).not.toHaveProperty('customer_email')
    const { body } = await portal(person, { returnUrl: 'https://app.test/account' })
    expect(body).toEqual({ url: expect.stringMatching(/^https:\/\/billing\./) })
    expect(asked()).toEqual({ customer: current.id, return_url: 'https://app.test/account' })
  })

  test("links an owner's purchase to the organization, and does not send the bill to the owner", async () => {
    const { person, orgId } = await member('owner')
    expect((await checkout(person, { ...order, orgId })).status).toBe(200)
    expect(asked()).toMatchObject({ client_reference_id: orgId, 'subscription_data[metadata][muster_org_id]': orgId })
    expect(asked()).not.toHaveProperty('customer_email')
  })
})

test('a customer named only by its payer has its plan, and is not used for checkout and portal until it is confirmed', async () => {
  const { person, orgId } = await member('owner')
  const { stripe, deliver } = billed
  const from = stripe.state.events.length
  // An attacker pays with a payment link whose address contains the id of the organization.
  const intruder = stripe.state.addCustomer()
  const { id: subscription } = stripe.state.subscribe(intruder.id, { status: 'active', priceIds: ['price_pro'] })
  stripe.state.emit('checkout.session.completed', {
    customer: intruder.id,
    subscription,
    client_reference_id: orgId,
    metadata: {},
  })
  for (const event of stripe.state.events.slice(from)) await deliver(event)
  const data = await service.get(`/api/v1/user/data?orgId=${orgId}`, { token: person.token })
  expect(data.body).toMatchObject({ orgSubscription: { plan_id: 'pro', status: 'active' } })

  const page = { orgId, returnUrl: 'https://app.test/account' }
  expect(problemOf(await portal(person, page))).toEqual({ status: 404, code: 'customer_unknown' })
  expect((await checkout(person, { ...order, orgId })).status).toBe(200)
  expect(asked()).not.toHaveProperty('customer')

  const { token } = await service.person({ role: 'admin' })
  const confirm = async (body: object) =>
    (await service.post(`/api/v1/admin/billing/customers/${intruder.id}/confirm`, { token, body })).status
  expect(await confirm({ accountId: person.id })).toBe(409)
  expect(problemOf(await portal(person, page)).code).toBe('customer_unknown')
  expect(await confirm({ orgId })).toBe(204)
  expect((await portal(person, page)).status).toBe(200)
  expect(asked()).toMatchObject({ customer: intruder.id })
  const noted = `select details from audit_event where action = 'customer.confirmed' and target_id = $1`
  expect(await service.sql(noted, [intruder.id])).toEqual([{ details: { organization: orgId } }])
})

describe('400', () => {
  test('input_invalid: members that are missing, unknown, or not web addresses', async () => {
    const person = await service.person()
    for (const body of [
      {},
      { ...order, priceId: '' },
      { ...order, successUrl: 'javascript:alert(1)' },
      { ...order, quantity: 0 },
      { ...order, coupon: 'FREE' },
    ])
      expect(problemOf(await checkout(person, body)).code).toBe('input_invalid')
    expect(problemOf(await portal(person, { returnUrl: '/account' })).code).toBe('input_invalid')
  })

  test('price_unknown: a price without a plan, or one that Stripe no longer sells', async () => {
    const person = await service.person()
    const before = billed.stripe.received.length
    expect(problemOf(await checkout(person, { ...order, priceId: 'price_internal' }))).toEqual({
      status: 400,
      code: 'price_unknown',
    })
    expect(billed.stripe.received.length).toBe(before)
    expect(problemOf(await checkout(person, { ...order, priceId: 'price_gone' }))).toEqual({
      status: 400,
      code: 'price_unknown',
    })
  })
})

test('401: without a token', async () => {
  expect(problemOf(await service.post('/api/v1/billing/checkout', { body: order })).status).toBe(401)
  expect(problemOf(await service.post('/api/v1/billing/portal', { body: {} })).status).toBe(401)
})

test('403: a member who may not manage the organization’s billing', async () => {
  const { person, orgId } = await member('member')
  for (const answer of [
    await checkout(person, { ...order, orgId }),
    await portal(person, { returnUrl: 'https://app.test/', orgId }),
  ])
    expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_missing' })
})

describe('404', () => {
  test("organization_unknown: another user's organization, even for a user whose own role may manage billing", async () => {
    const { orgId } = await member('owner')
    await service.sql(`insert into role (id, name) values ('treasurer', 'Treasurer') on conflict do nothing`)
    await service.sql(`insert into role_grant values ('treasurer', 'billing', 'manage') on conflict do nothing`)
    for (const stranger of [await service.person(), await service.person({ role: 'treasurer' })])
      expect(problemOf(await checkout(stranger, { ...order, orgId }))).toEqual({
        status: 404,
        code: 'organization_unknown',
      })
  })

  test('customer_unknown: the portal of a user who never bought anything', async () => {
    const answer = await portal(await service.person(), { returnUrl: 'https://app.test/' })
    expect(problemOf(answer)).toEqual({ status: 404, code: 'customer_unknown' })
  })

  test('route_unknown: no checkout without a Stripe key', async () => {
    const webhookOnly = await billedForTest({ isWebhookOnly: true })
    expect(problemOf(await webhookOnly.service.post('/api/v1/billing/checkout', { body: order })).code).toBe(
      'route_unknown',
    )
  })
})

test('502 and 503: Stripe rejects the key, does not answer, or is rate limiting', async () => {
  const person = await service.person()
  const failed = (status: number) => ({ status, body: { error: { type: 'api_error', message: 'no' } } })
  for (const [faults, expected] of [
    [[failed(401)], { status: 502, code: 'processor_refused' }],
    [[failed(429), failed(429)], { status: 503, code: 'processor_unavailable' }],
    [['reset', 'reset'], { status: 503, code: 'processor_unavailable' }],
  ] as const) {
    billed.stripe.control.nextFaults = [...faults]
    expect(problemOf(await checkout(person, order))).toEqual(expected)
    billed.stripe.control.nextFaults = []
  }
})

test('fails to start for a base address with a path, and for secrets with spaces', async () => {
  await expect(startService({ env: { MUSTER_STRIPE_URL: 'http://localhost:1/v1' } })).rejects.toThrow(
    /MUSTER_STRIPE_URL/,
  )
  await expect(startService({ env: { STRIPE_SECRET_KEY: 'sk test' } })).rejects.toThrow(/STRIPE_SECRET_KEY/)
  await expect(startService({ env: { STRIPE_WEBHOOK_SECRET: 'whsec_1,,whsec_2' } })).rejects.toThrow(
    /STRIPE_WEBHOOK_SECRET/,
  )
})
