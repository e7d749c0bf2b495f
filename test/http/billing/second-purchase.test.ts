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
  await service.sql(`insert into plan (id, name, rank) values ('pro', 'Pro', 1), ('team', 'Team', 2)`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro'), ('price_team', 'team')`)
})
afterAll(() => billed.stop())

const addresses = { successUrl: 'https://app.test/welcome', cancelUrl: 'https://app.test/plans' }
const checkout = (
  { token }: Person,
  { orgId, ...more }: { readonly orgId?: string; readonly [member: string]: unknown } = {},
) =>
  service.post(`/api/v1/billing/checkout${orgId === undefined ? '' : `?orgId=${orgId}`}`, {
    token,
    body: { priceId: 'price_team', ...addresses, ...more },
  })

/** What was sent to Stripe by the call. */
async function sentBy(call: () => Promise<unknown>): Promise<{ path: string; form: Record<string, string> }[]> {
  const from = billed.stripe.received.length
  await call()
  return billed.stripe.received.slice(from).map(({ path, form }) => ({ path, form: Object.fromEntries(form) }))
}

interface Purchase {
  readonly priceIds?: readonly string[]
  readonly status?: string
  readonly quantity?: number
  readonly orgId?: string
}

async function payer({ priceIds = ['price_pro'], status = 'active', quantity = 1, orgId }: Purchase = {}) {
  const person = await service.person()
  const { state } = billed.stripe
  const from = state.events.length
  const metadata = orgId === undefined ? { muster_account_id: person.id } : { muster_org_id: orgId }
  const customer = state.addCustomer({ metadata })
  const { id } = state.subscribe(customer.id, { priceIds, status, itemMembers: { quantity } })
  expect(await billed.deliverAll(state.events.slice(from))).toEqual([])
  return { person, customerId: customer.id, id }
}

const changePage = { url: expect.stringMatching(/^https:\/\/billing\./), kind: 'change' }
const checkoutPage = { url: expect.stringMatching(/^https:\/\/checkout\./), kind: 'checkout' }
const changeForm = (customer: string, subscription: string, quantity: string, price = 'price_team') => ({
  customer,
  return_url: addresses.cancelUrl,
  'flow_data[type]': 'subscription_update_confirm',
  'flow_data[subscription_update_confirm][subscription]': subscription,
  'flow_data[subscription_update_confirm][items][0][id]': `si_${subscription}_0`,
  'flow_data[subscription_update_confirm][items][0][price]': price,
  'flow_data[subscription_update_confirm][items][0][quantity]': quantity,
  'flow_data[after_completion][type]': 'redirect',
  'flow_data[after_completion][redirect][return_url]': addresses.successUrl,
})

describe('a checkout by a payer who has a plan', () => {
  test('200 — is the page that changes the subscription to the price, and keeps its quantity unless another is named', async () => {
    for (const status of ['active', 'trialing', 'past_due']) {
      const { person, customerId, id } = await payer({ status, quantity: 7 })
      for (const [more, quantity] of [
        [{}, '7'],
        [{ quantity: 3 }, '3'],
      ] as const) {
        let body: unknown
        const sent = await sentBy(async () => {
          body = (await checkout(person, more)).body
        })
        expect(body).toEqual(changePage)
        expect(sent).toEqual([
          { path: `/v1/subscriptions/${id}`, form: {} },
          { path: '/v1/billing_portal/sessions', form: changeForm(customerId, id, quantity) },
        ])
      }
    }
  })

  test('200 — changes the quantity of the same price', async () => {
    const { person, customerId, id } = await payer({ quantity: 7 })
    const sent = await sentBy(async () => {
      expect((await checkout(person, { priceId: 'price_pro', quantity: 8 })).body).toEqual(changePage)
    })
    expect(sent.at(-1)?.form).toEqual(changeForm(customerId, id, '8', 'price_pro'))
  })

  test('200 — changes the subscription of the organization, not that of the member who buys', async () => {
    const [row] = await service.sql<{ id: string }>(`insert into organization (name) values ('Engines') returning id`)
    const orgId = row?.id ?? ''
    const ofOrganization = await payer({ orgId })
    const { person } = await payer()
    await service.sql(`insert into membership (organization_id, account_id, role_id) values ($1, $2, 'owner')`, [
      orgId,
      person.id,
    ])
    const sent = await sentBy(async () => expect((await checkout(person, { orgId })).body).toEqual(changePage))
    expect(sent.at(-1)?.form).toMatchObject({ customer: ofOrganization.customerId })
  })

  test('200 — with additional: true, sells another subscription to the same customer', async () => {
    const { person, customerId } = await payer()
    const sent = await sentBy(async () => {
      expect((await checkout(person, { additional: true })).body).toEqual(checkoutPage)
    })
    expect(sent).toMatchObject([
      { path: '/v1/checkout/sessions', form: { customer: customerId, mode: 'subscription' } },
    ])
  })

  test.each([
    ['has ended', 'canceled', ['price_pro']],
    ['was never paid', 'incomplete', ['price_pro']],
    ['has no plan', 'active', ['price_seats']],
  ])('200 — sells one if the subscription %s', async (_, status, priceIds) => {
    const { person } = await payer({ status, priceIds })
    expect((await checkout(person)).body).toEqual(checkoutPage)
  })

  test('200 — sells one if the subscription has ended at Stripe and the event has not arrived', async () => {
    const { person, id } = await payer()
    billed.stripe.state.cancel(id)
    expect((await checkout(person)).body).toEqual(checkoutPage)
  })

  test('409 subscription_exists — the same price again, or a subscription with several prices; nothing is sold', async () => {
    const { person } = await payer()
    const several = await payer({ priceIds: ['price_pro', 'price_seats'] })
    for (const call of [() => checkout(person, { priceId: 'price_pro' }), () => checkout(several.person)]) {
      const sent = await sentBy(async () => {
        expect(problemOf(await call())).toEqual({ status: 409, code: 'subscription_exists' })
      })
      expect(sent.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/v1\/subscriptions\//)])
    }
  })

  test('409 subscription_exists — the settings of the portal do not offer the change', async () => {
    const { person, id } = await payer()
    const settings = { status: 400, body: { error: { type: 'invalid_request_error', message: 'not enabled' } } }
    billed.stripe.control.nextFaults = [{ status: 200, body: billed.stripe.state.subscriptionObject(id) }, settings]
    const answer = await checkout(person)
    expect(problemOf(answer)).toEqual({ status: 409, code: 'subscription_exists' })
    expect(answer.body).toMatchObject({ detail: 'The settings of Stripe’s portal do not offer this change.' })
    expect(JSON.stringify(answer.body)).not.toContain('not enabled')
  })

  test('409 subscription_exists — the subscription is at another payment processor, which is not asked', async () => {
    const person = await service.person()
    await subscribe(service, { customer: 'ctm_1', accountId: person.id, price: 'price_pro', status: 'active' })
    await service.sql(`update customer set processor = 'paddle' where id = 'ctm_1'`)
    const sent = await sentBy(async () => {
      expect(problemOf(await checkout(person))).toEqual({ status: 409, code: 'subscription_exists' })
    })
    expect(sent).toEqual([])
    expect((await checkout(person, { additional: true })).body).toEqual(checkoutPage)
  })
})

describe('two clicks', () => {
  const urlOf = ({ body }: { body: unknown }) => Object(body).url

  test('open the same page, at the same time or within a minute, for a purchase and for a change', async () => {
    for (const person of [await service.person(), (await payer()).person]) {
      const both = await Promise.all([checkout(person), checkout(person)])
      const urls = [...both, await checkout(person)].map(urlOf)
      expect(urls[0]).toMatch(/^https:/)
      expect(new Set(urls).size).toBe(1)
    }
  })

  test('for another price, another quantity, or by another user open another page', async () => {
    const [person, another] = [await service.person(), await service.person()]
    const answers = [
      await checkout(person),
      await checkout(person, { priceId: 'price_pro' }),
      await checkout(person, { quantity: 2 }),
      await checkout(person, { additional: true }),
      await checkout(another),
    ]
    expect(new Set(answers.map(urlOf)).size).toBe(answers.length)
  })

  test('more than a minute apart open two pages', async () => {
    const person = await service.person()
    const first = urlOf(await checkout(person))
    service.clock.advanceSeconds(61)
    const { token } = { token: await service.tokenFor(person.id) }
    const second = urlOf(await checkout({ ...person, token }))
    expect(second).toMatch(/^https:/)
    expect(second).not.toBe(first)
  })
})
