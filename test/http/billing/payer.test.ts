import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribe } from '../../support/billing-rows.ts'
import { problemOf } from '../../support/problem.ts'
import type { Person, Service } from '../../support/service.ts'
import { type Billed, startBilled } from '../../support/stripe.ts'

let billed: Billed
let service: Service
beforeAll(async () => {
  billed = await startBilled()
  service = billed.service
  await service.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro')`)
  await service.sql(`insert into role (id, name, for_members)
    values ('treasurer', 'Treasurer', false), ('reporter', 'Reporter', true), ('reader', 'Reader', true)`)
  await service.sql(`insert into role_grant (role_id, resource, action)
    values ('treasurer', 'billing', 'manage'), ('reporter', 'reports', 'manage'), ('reader', 'billing', 'read')`)
})
afterAll(() => billed.stop())

const checkout = ({ token }: Person, { orgId, ...more }: { orgId?: string; additional?: boolean } = {}) =>
  service.post(`/api/v1/billing/checkout${orgId === undefined ? '' : `?orgId=${orgId}`}`, {
    token,
    body: { priceId: 'price_pro', successUrl: 'https://app.test/welcome', ...more },
  })
const portal = ({ token }: Person) =>
  service.post('/api/v1/billing/portal', { token, body: { returnUrl: 'https://app.test/account' } })

/** The customer of the last request to Stripe. */
const askedFor = () => billed.stripe.received.at(-1)?.form.get('customer') ?? undefined

async function organization({ requiresMfa }: { requiresMfa: boolean }): Promise<string> {
  const [row] = await service.sql<{ id: string }>(
    `insert into organization (name, requires_mfa) values ('Engines', $1) returning id`,
    [requiresMfa],
  )
  return row?.id ?? ''
}

async function member(orgId: string, role: string, ownRole = 'user'): Promise<Person> {
  const person = await service.person({ role: ownRole })
  await service.sql('insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)', [
    orgId,
    person.id,
    role,
  ])
  return person
}

describe('several customers of one user', () => {
  const subscribed = async (customer: string, { id: accountId }: Person, status: string) => {
    if (!billed.stripe.state.customers.has(customer)) billed.stripe.state.addCustomer({ id: customer })
    await subscribe(service, { customer, accountId, price: 'price_pro', status })
  }

  test('uses the one with an active subscription, even if another is newer', async () => {
    const person = await service.person()
    await subscribed('cus_paying', person, 'past_due')
    await subscribed('cus_former', person, 'canceled')
    expect((await checkout(person, { additional: true })).status).toBe(200)
    expect(askedFor()).toBe('cus_paying')
    expect((await portal(person)).status).toBe(200)
    expect(askedFor()).toBe('cus_paying')
  })

  test('uses the one with the newest active subscription', async () => {
    const person = await service.person()
    await subscribed('cus_a_first', person, 'active')
    await subscribed('cus_b_second', person, 'active')
    expect((await checkout(person, { additional: true })).status).toBe(200)
    expect(askedFor()).toBe('cus_b_second')
  })

  test('never uses a deleted one: the next checkout creates a customer', async () => {
    const { stripe, deliverAll } = billed
    const person = await service.person()
    const from = stripe.state.events.length
    const gone = stripe.state.addCustomer({ metadata: { muster_account_id: person.id } })
    stripe.state.deleteCustomer(gone.id)
    expect(await deliverAll(stripe.state.events.slice(from))).toEqual([])
    expect((await checkout(person)).status).toBe(200)
    expect(askedFor()).toBeUndefined()
    const calls = stripe.received.length
    expect(problemOf(await portal(person))).toEqual({ status: 404, code: 'customer_unknown' })
    expect(stripe.received).toHaveLength(calls)
  })
})

describe('an organization', () => {
  test('403 permission_missing: for a member who may only manage something else, or only read its billing', async () => {
    for (const requiresMfa of [false, true]) {
      const orgId = await organization({ requiresMfa })
      for (const role of ['reporter', 'reader'])
        expect(problemOf(await checkout(await member(orgId, role), { orgId })), role).toEqual({
          status: 403,
          code: 'permission_missing',
        })
    }
  })

  test('401 step_up_required: if it requires a second factor, which the member’s own purchases do not need', async () => {
    const orgId = await organization({ requiresMfa: true })
    const owner = await member(orgId, 'owner')
    expect(problemOf(await checkout(owner, { orgId }))).toEqual({ status: 401, code: 'step_up_required' })
    expect((await checkout(owner)).status).toBe(200)
  })

  test('counts billing:manage only from the role in the organization, not from the user or a plan', async () => {
    const orgId = await organization({ requiresMfa: false })
    await service.sql(`insert into plan (id, name) values ('paying', 'Paying')`)
    await service.sql(`insert into plan_price values ('price_paying', 'paying')`)
    await service.sql(`insert into plan_grant values ('paying', 'billing', 'manage')`)
    const treasurer = await member(orgId, 'reader', 'treasurer')
    await subscribe(service, {
      customer: 'cus_paying_plan',
      accountId: treasurer.id,
      price: 'price_paying',
      status: 'active',
    })
    expect(problemOf(await checkout(treasurer, { orgId }))).toEqual({ status: 403, code: 'permission_missing' })
    const owner = await member(orgId, 'owner')
    expect((await checkout(owner, { orgId })).status).toBe(200)
    expect(billed.stripe.received.at(-1)?.form.get('client_reference_id')).toBe(orgId)
  })

  test("still requires the organization's second factor, whatever the user's role grants", async () => {
    const orgId = await organization({ requiresMfa: true })
    const owner = await member(orgId, 'owner', 'treasurer')
    expect(problemOf(await checkout(owner, { orgId }))).toEqual({ status: 401, code: 'step_up_required' })
  })
})
