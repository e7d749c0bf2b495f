import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SimulatedEvent } from '../../../simulators/stripe/state.ts'
import { unknownId } from '../../support/openapi.ts'
import type { Person } from '../../support/service.ts'
import { type Billed, startBilled } from '../../support/stripe.ts'

let billed: Billed
let admin: Person
beforeAll(async () => {
  billed = await startBilled({ env: { MUSTER_METRICS_TOKEN: metricsToken } })
  admin = await billed.service.person({ role: 'admin' })
})
const metricsToken = 'a-token-of-the-monitoring'
afterAll(() => billed.stop())

async function ownerOf(customerId: string): Promise<string | null | undefined> {
  const [row] = await billed.service.sql<{ owner: string | null }>(
    'select coalesce(account_id, organization_id)::text as owner from customer where id = $1',
    [customerId],
  )
  return row?.owner
}

async function link(customerId: string, accountId: string): Promise<number> {
  const call = { token: admin.token, body: { accountId } }
  return (await billed.service.call('PUT', `/api/v1/admin/billing/customers/${customerId}/owner`, call)).status
}

async function waiting(): Promise<readonly { readonly id: string }[]> {
  const { body } = await billed.service.get('/api/v1/admin/billing', { token: admin.token })
  return Object(body).waiting.customers
}

async function organization(name: string): Promise<string> {
  const [row] = await billed.service.sql<{ id: string }>('insert into organization (name) values ($1) returning id', [
    name,
  ])
  return row?.id ?? ''
}

function checkout(customerId: string, reference: string, metadata = {}): SimulatedEvent {
  return billed.stripe.state.emit('checkout.session.completed', {
    customer: customerId,
    subscription: null,
    client_reference_id: reference,
    metadata,
  })
}

describe('a customer is linked', () => {
  test('by metadata of the customer, of the subscription, and of the checkout', async () => {
    const { service, stripe, deliver } = billed
    const [{ id }, orgId] = [await service.person(), await organization('Engines')]
    const byCustomer = stripe.state.addCustomer({ metadata: { muster_org_id: orgId } })
    await deliver(stripe.state.events.at(-1))
    expect(await ownerOf(byCustomer.id)).toBe(orgId)
    const bySubscription = stripe.state.addCustomer()
    stripe.state.subscribe(bySubscription.id, { metadata: { muster_account_id: id } })
    await deliver(stripe.state.events.at(-1))
    expect(await ownerOf(bySubscription.id)).toBe(id)
    const byCheckout = stripe.state.addCustomer()
    await deliver(checkout(byCheckout.id, 'nobody', { muster_account_id: id }))
    expect(await ownerOf(byCheckout.id)).toBe(id)
  })

  test("by a reference to an organization, to a user, or to an issuer's subject", async () => {
    const { service, stripe, deliver } = billed
    const [first, second, orgId] = [await service.person(), await service.person(), await organization('Looms')]
    await service.sql(
      `insert into identity (issuer, subject, account_id) values ('https://idp.test', 'auth0|42', $1)`,
      [second.id],
    )
    for (const [reference, owner] of [
      [orgId, orgId],
      [first.id, first.id],
      ['auth0|42', second.id],
    ] as const) {
      const customer = stripe.state.addCustomer()
      await deliver(checkout(customer.id, reference))
      expect(await ownerOf(customer.id)).toBe(owner)
    }
  })

  test('to no owner if two issuers use the same subject for different users', async () => {
    const { service, stripe, deliver } = billed
    for (const issuer of ['https://one.test', 'https://two.test'])
      await service.sql(`insert into identity (issuer, subject, account_id) values ($1, 'same', $2)`, [
        issuer,
        (await service.person()).id,
      ])
    const customer = stripe.state.addCustomer()
    await deliver(checkout(customer.id, 'same'))
    expect(await ownerOf(customer.id)).toBeNull()
  })

  test('permanently by an operator, with an audit event; and only to an existing owner', async () => {
    const { service, stripe, deliver, advanceSeconds } = billed
    const [first, second] = [await service.person(), await service.person()]
    const customer = stripe.state.addCustomer({ metadata: { muster_account_id: first.id } })
    await deliver(stripe.state.events.at(-1))
    expect(await link(customer.id, second.id)).toBe(204)
    advanceSeconds(60)
    await deliver(stripe.state.changeCustomer(customer.id, { muster_account_id: first.id }))
    expect(await ownerOf(customer.id)).toBe(second.id)
    expect(await link(customer.id, unknownId)).toBe(400)
    expect(await ownerOf(customer.id)).toBe(second.id)
    expect(
      await service.sql(`select details from audit_event where action = 'customer.linked' and target_id = $1`, [
        customer.id,
      ]),
    ).toEqual([{ details: { account: second.id } }])
  })
})

test('a payer’s reference cannot replace the customer of another user with a cheaper one', async () => {
  const { service, stripe, deliver } = billed
  const victim = await service.person()
  const own = stripe.state.addCustomer({ metadata: { muster_account_id: victim.id } })
  await deliver(stripe.state.events.at(-1))
  const intruder = stripe.state.addCustomer()
  await deliver(checkout(intruder.id, victim.id))
  expect(await ownerOf(intruder.id)).toBeNull()
  expect(await ownerOf(own.id)).toBe(victim.id)
})

test('a user may have several customers by metadata, and gets the best of all their subscriptions', async () => {
  const { service, stripe, deliver } = billed
  const { id, token } = await service.person()
  const from = stripe.state.events.length
  const old = stripe.state.addCustomer({ metadata: { muster_account_id: id } })
  stripe.state.subscribe(old.id, { status: 'canceled' })
  const current = stripe.state.addCustomer({ metadata: { muster_account_id: id } })
  stripe.state.subscribe(current.id, { status: 'active' })
  for (const event of stripe.state.events.slice(from)) await deliver(event)
  expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({
    subscription: { status: 'active', billing_customer_id: current.id },
  })
})

test('a customer without an owner is listed with its purchases, is counted, and appears immediately when linked', async () => {
  const { service, stripe, deliver } = billed
  const { id, token } = await service.person()
  const customer = stripe.state.addCustomer({ metadata: { muster_account_id: 'somebody-else' } })
  const { id: subscriptionId } = stripe.state.subscribe(customer.id, { status: 'trialing' })
  for (const event of stripe.state.events.slice(-2)) await deliver(event)
  expect(await waiting()).toContainEqual({
    id: customer.id,
    processor: 'stripe',
    claim: { kind: 'account', value: 'somebody-else' },
    subscriptions: [{ id: subscriptionId, status: 'trialing', priceIds: ['price_basic'] }],
  })
  const metrics = await service.get('/metrics', { token: metricsToken })
  expect(metrics.text).toMatch(/muster_billing_waiting_customers [1-9]/)
  expect(await link(customer.id, id)).toBe(204)
  expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({
    subscription: { status: 'trialing' },
  })
  expect((await waiting()).map((one) => one.id)).not.toContain(customer.id)
})

test('an unreadable owner is in the answer, in the log and in the list of waiting customers, and never drops the event', async () => {
  const { service, stripe, deliver } = billed
  const { id, token } = await service.person()
  for (const owner of ['two words', `-----BEGIN KEY-----\n${'secret'.repeat(400)}`, 7, { id }, [id], true]) {
    const customer = stripe.state.addCustomer()
    stripe.state.subscribe(customer.id, { metadata: Object({ muster_account_id: owner, muster_org_id: null }) })
    const { status, body } = await deliver(stripe.state.events.at(-1))
    expect({ status, body }).toMatchObject({ status: 200, body: { received: true, outcome: 'applied' } })
    const { unreadableOwner } = Object(body)
    expect(unreadableOwner).toMatch(/^muster_account_id: /)
    expect(unreadableOwner.length).toBeLessThan(60)
    const claim = { kind: 'unreadable', value: unreadableOwner }
    expect(await waiting()).toContainEqual(expect.objectContaining({ id: customer.id, claim }))
    expect(await service.logged()).toContain(JSON.stringify(unreadableOwner))
    stripe.state.changeCustomer(customer.id, { muster_account_id: id })
    await deliver(stripe.state.events.at(-1))
    await deliver(stripe.state.emit('customer.updated', { id: customer.id, metadata: { muster_account_id: owner } }))
    expect(await ownerOf(customer.id)).toBe(id)
  }
  expect(await service.logged()).not.toContain('secretsecret')
  expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({ subscription: { status: 'active' } })
})

test('null and the empty text beside an owner count as absent', async () => {
  const { service, stripe, deliver } = billed
  const [{ id }, orgId] = [await service.person(), await organization('Absent')]
  for (const [metadata, owner] of [
    [{ muster_account_id: id, muster_org_id: '' }, id],
    [{ muster_account_id: id, muster_org_id: null }, id],
    [{ muster_account_id: '', muster_org_id: orgId }, orgId],
    [{ muster_account_id: 7, muster_org_id: orgId }, orgId],
    [{ muster_account_id: id, muster_org_id: 7 }, id],
  ] as const) {
    const customer = stripe.state.addCustomer()
    stripe.state.subscribe(customer.id, { metadata: Object(metadata) })
    expect((await deliver(stripe.state.events.at(-1))).body).toMatchObject({ outcome: 'applied' })
    expect(await ownerOf(customer.id), JSON.stringify(metadata)).toBe(owner)
  }
})

test('claims give the same result in any order, each delivered twice', async () => {
  const { service, stripe, advanceSeconds, deliverAll } = billed
  const people = [(await service.person()).id, (await service.person()).id]
  const [first = '', second = ''] = people
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), async (order) => {
      const from = stripe.state.events.length
      const customer = stripe.state.addCustomer({ metadata: {} })
      checkout(customer.id, first)
      advanceSeconds(1)
      stripe.state.changeCustomer(customer.id, { muster_account_id: first })
      stripe.state.subscribe(customer.id, { metadata: { muster_account_id: first } })
      advanceSeconds(1)
      stripe.state.changeCustomer(customer.id, { muster_account_id: second })
      advanceSeconds(1)
      checkout(customer.id, first, { muster_account_id: first })
      const events = stripe.state.events.slice(from)
      const shuffled = order.map((index) => events[index])
      expect(await deliverAll([...shuffled, ...shuffled], { parallel: 3 })).toEqual([])
      expect(await ownerOf(customer.id)).toBe(second)
    }),
    { numRuns: 25 },
  )
})

test('a deleted customer is not used for the next purchase, and its subscriptions end', async () => {
  const { service, stripe, deliver } = billed
  const { id, token } = await service.person()
  const customer = stripe.state.addCustomer({ metadata: { muster_account_id: id } })
  const from = stripe.state.events.length - 1
  stripe.state.subscribe(customer.id, { status: 'active' })
  stripe.state.deleteCustomer(customer.id)
  for (const event of stripe.state.events.slice(from)) await deliver(event)
  expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({
    subscription: { status: 'canceled' },
  })
  const answer = await service.post('/api/v1/billing/portal', { token, body: { returnUrl: 'https://app.test/' } })
  expect(answer.body).toMatchObject({ code: 'customer_unknown' })
})
