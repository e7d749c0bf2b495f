import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sign } from '../../../simulators/stripe/deliver.ts'
import { testApplicationName } from '../../support/database.ts'
import { problemOf } from '../../support/problem.ts'
import { type Answer, type Service, startService, testInProcess } from '../../support/service.ts'
import { type Billed, billedForTest, startBilled, stored, webhookSecret } from '../../support/stripe.ts'

let billed: Billed
let service: Service
beforeAll(async () => {
  billed = await startBilled()
  service = billed.service
  await service.sql(`insert into plan (id, name) values ('pro', 'Pro'), ('team', 'Team')`)
  await service.sql(
    `insert into plan_price values ('price_pro_month', 'pro'), ('price_pro_year', 'pro'), ('price_team', 'team')`,
  )
  await service.sql(`insert into plan_grant values ('pro', 'reports', 'export')`)
})
afterAll(() => billed.stop())

interface Post {
  readonly body?: string | Buffer
  readonly secret?: string
  readonly ageSeconds?: number
  readonly signature?: string
  readonly type?: string
}

function post(
  event: unknown,
  { secret = webhookSecret, ageSeconds = 0, ...more }: Post = {},
  to = service,
): Promise<Answer> {
  const text = JSON.stringify(event)
  const signature = more.signature ?? sign(text, secret, Math.floor(to.clock.now() / 1_000) - ageSeconds)
  return to.post('/webhooks/stripe', {
    rawBody: more.body ?? text,
    headers: { 'content-type': more.type ?? 'application/json; charset=utf-8', 'stripe-signature': signature },
  })
}

/** A user with a subscription, linked by the customer's metadata. */
async function payer(change: { status?: string; priceIds?: readonly string[] }) {
  const { stripe, deliver } = billed
  const person = await service.person()
  const customer = stripe.state.addCustomer({ metadata: { muster_account_id: person.id } })
  await deliver(stripe.state.events.at(-1))
  const { id } = stripe.state.subscribe(customer.id, change)
  return { person, customer, subscriptionId: id, event: stripe.state.events.at(-1) }
}

describe('200', () => {
  test('the next response has the new plan, its name and its grants, whichever of its prices is paid', async () => {
    for (const price of ['price_pro_month', 'price_pro_year']) {
      const { person, customer, event } = await payer({ status: 'trialing', priceIds: [price] })
      const before = await service.get('/api/v1/user/data', { token: person.token }) // which stays valid
      expect(before.body).toMatchObject({ subscription: { plan_id: 'free' } })
      expect((await post(event)).body).toEqual({ received: true, outcome: 'applied' })
      expect((await service.get('/api/v1/user/data', { token: person.token })).body).toMatchObject({
        subscription: { plan_id: 'pro', plan_name: 'Pro', status: 'trialing', billing_customer_id: customer.id },
        permissions: { reports: ['export'] },
      })
    }
  })

  test('another node on the same database shows it as well', async () => {
    const other = await startService({ on: service.fresh })
    const { person, event, subscriptionId } = await payer({ priceIds: ['price_pro_month'] })
    const ask = () => other.get('/api/v1/user/data', { token: person.token })
    expect((await ask()).body).toMatchObject({ subscription: { plan_id: 'free' } })
    await post(event)
    await expect.poll(async () => (await ask()).body).toMatchObject({ subscription: { plan_id: 'pro' } })
    await post(billed.stripe.state.change(subscriptionId, { priceIds: ['price_team'] }))
    await expect.poll(async () => (await ask()).body).toMatchObject({ subscription: { plan_id: 'team' } })
    await other.stop()
  })

  testInProcess(
    'an unmapped price keeps its subscription, shown by Stripe’s names, and grants nothing until it is mapped',
    async () => {
      const { person, event } = await payer({ priceIds: ['price_surprise'] })
      expect((await post(event)).body).toMatchObject({ outcome: 'applied' })
      const ask = async () => (await service.get('/api/v1/user/data', { token: person.token })).body
      expect(await ask()).toMatchObject({
        subscription: { plan_id: 'price_surprise', plan_name: 'Product of price_surprise', status: 'active' },
        permissions: { provider_keys: ['validate'] },
      })
      expect(await service.logged()).toMatch(/"priceId":"price_surprise"/)
      expect(await service.parts.monitoring.metrics.registry.metrics()).toMatch(/muster_billing_unmapped_prices [1-9]/)
      await service.sql(`insert into plan_price values ('price_surprise', 'pro')`)
      expect(await ask()).toMatchObject({ subscription: { plan_id: 'pro' }, permissions: { reports: ['export'] } })
    },
  )

  test('applies the event even if Stripe cannot return the name of an unmapped price', async () => {
    const { event, subscriptionId } = await payer({ priceIds: ['price_unnamed'] })
    billed.stripe.control.nextFaults = ['reset', 'reset']
    expect((await post(event)).body).toMatchObject({ outcome: 'applied' })
    expect(await stored(service, subscriptionId)).toMatchObject({ price_ids: ['price_unnamed'], product_name: null })
    billed.stripe.control.nextFaults = []
  })

  test('stores an unknown status unchanged', async () => {
    const { event, subscriptionId } = await payer({ status: 'hibernating', priceIds: ['price_team'] })
    expect((await post(event)).body).toMatchObject({ outcome: 'applied' })
    expect(await stored(service, subscriptionId)).toMatchObject({ status: 'hibernating' })
  })

  testInProcess('repeating an event changes nothing, even a hundred times in parallel', async () => {
    const { event, subscriptionId } = await payer({ priceIds: ['price_pro_month'] })
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(event)))
    const outcomes = answers.map(({ status, body }) => [status, Object(body).outcome].join(' '))
    expect(outcomes.filter((outcome) => outcome === '200 applied')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === '200 repeated')).toHaveLength(99)
    expect(await service.sql('select from billing_event where subscription_id = $1', [subscriptionId])).toHaveLength(1)
    expect(await service.sql('select from subscription where id = $1', [subscriptionId])).toHaveLength(1)
  })

  test('concurrent copies count once', async () => {
    const { event, subscriptionId } = await payer({ priceIds: ['price_pro_month'] })
    const blocker = await service.database.connect()
    await blocker.query('begin')
    const name = `'billing ' || (hashtextextended($1::text, 0) & 1023)`
    await blocker.query(`select lock_name(${name})`, [subscriptionId])
    const answers = Promise.all(Array.from({ length: 4 }, () => post(event)))
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await blocker.query(waiting)).rowCount).toBeGreaterThanOrEqual(2)
    await blocker.query('commit')
    await blocker.end()
    const outcomes = (await answers).map(({ status, body }) => [status, Object(body).outcome].join(' '))
    expect(outcomes.sort()).toEqual(['200 applied', '200 repeated', '200 repeated', '200 repeated'])
  })

  test('acknowledges an event older than the stored one and changes nothing', async () => {
    const { event, subscriptionId } = await payer({ priceIds: ['price_pro_month'] })
    const deleted = billed.stripe.state.cancel(subscriptionId)
    expect((await post(deleted)).body).toMatchObject({ outcome: 'applied' })
    expect((await post(event)).body).toMatchObject({ outcome: 'older' })
    expect(await stored(service, subscriptionId)).toMatchObject({ status: 'canceled' })
  })

  testInProcess('acknowledges and counts an event of an unused type', async () => {
    const event = billed.stripe.state.emit('radar.early_fraud_warning.created', { id: 'issfr_1' })
    expect((await post(event)).body).toEqual({ received: true, outcome: 'ignored' })
    expect(await service.parts.monitoring.metrics.registry.metrics()).toContain(
      'muster_billing_events_total{type="radar.early_fraud_warning.created",outcome="ignored"} 1',
    )
  })

  test('understands an old version of Stripe’s API, with plans instead of prices and an expanded customer', async () => {
    const event = billed.stripe.state.emit('customer.subscription.updated', {
      id: 'sub_old',
      customer: { id: 'cus_old', object: 'customer' },
      created: 1_600_000_000,
      status: 'active',
      items: { data: [{ id: 'si_1', plan: { id: 'price_team', product: 'prod_1' } }] },
    })
    expect((await post(event)).body).toMatchObject({ outcome: 'applied' })
    expect(await stored(service, 'sub_old')).toMatchObject({ customer_id: 'cus_old', price_ids: ['price_team'] })
  })

  test('accepts a body above 16 KiB', async () => {
    const { event } = await payer({ priceIds: ['price_team'] })
    expect((await post({ ...event, padding: 'x'.repeat(200_000) })).body).toMatchObject({ outcome: 'applied' })
  })

  test('accepts both the old and the new secret during a replacement', async () => {
    const rotating = await billedForTest({ env: { STRIPE_WEBHOOK_SECRET: 'whsec_old, whsec_new' } })
    const event = billed.stripe.state.emit('radar.early_fraud_warning.created', {})
    for (const secret of ['whsec_old', 'whsec_new'])
      expect((await post(event, { secret }, rotating.service)).status).toBe(200)
    expect(problemOf(await post(event, { secret: webhookSecret }, rotating.service)).code).toBe('webhook_unsigned')
  })
})

describe('hints in an invoice or a checkout', () => {
  test('a paid invoice of an unknown subscription adds it, from both places where Stripe names it', async () => {
    const { stripe } = billed
    for (const invoice of [
      (id: string) => ({ subscription: id }),
      (id: string) => ({ parent: { type: 'subscription_details', subscription_details: { subscription: id } } }),
    ]) {
      const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, { priceIds: ['price_team'] })
      expect((await post(stripe.state.emit('invoice.paid', invoice(id)))).body).toMatchObject({ outcome: 'applied' })
      expect(await stored(service, id)).toMatchObject({ status: 'active', price_ids: ['price_team'] })
    }
  })

  test('a failed payment calls Stripe only if the stored status does not match', async () => {
    const { stripe } = billed
    const { event, subscriptionId } = await payer({ priceIds: ['price_team'] })
    await post(event)
    const before = stripe.received.length
    stripe.state.change(subscriptionId, { status: 'past_due' }) // whose event is late
    const failed = () => stripe.state.emit('invoice.payment_failed', { subscription: subscriptionId })
    expect((await post(failed())).body).toMatchObject({ outcome: 'applied' })
    expect(await stored(service, subscriptionId)).toMatchObject({ status: 'past_due' })
    expect((await post(failed())).body).toMatchObject({ outcome: 'noted' })
    expect(stripe.received.length).toBe(before + 1)
  })

  test('records an invoice without a subscription, and one with a subscription unknown to Stripe', async () => {
    const { stripe } = billed
    expect((await post(stripe.state.emit('invoice.paid', { id: 'in_1' }))).body).toMatchObject({ outcome: 'ignored' })
    const gone = stripe.state.emit('invoice.paid', { subscription: 'sub_gone' })
    expect((await post(gone)).body).toMatchObject({ outcome: 'noted' })
  })

  test('a completed checkout links its customer by reference and adds the subscription', async () => {
    const { stripe } = billed
    const { id: accountId, token } = await service.person()
    const customer = stripe.state.addCustomer()
    const { id } = stripe.state.subscribe(customer.id, { priceIds: ['price_pro_year'] })
    const session = { customer: customer.id, subscription: id, client_reference_id: accountId, metadata: {} }
    expect((await post(stripe.state.emit('checkout.session.completed', session))).body).toMatchObject({
      outcome: 'applied',
    })
    expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({
      subscription: { plan_id: 'pro', billing_customer_id: customer.id },
    })
  })
})

describe('400', () => {
  test('webhook_unsigned: a signature that is missing, of another secret, of another body, or unreadable', async () => {
    const { event, subscriptionId } = await payer({ priceIds: ['price_team'] })
    const text = JSON.stringify(event)
    const now = Math.floor(service.clock.now() / 1_000)
    const refused = [
      await service.post('/webhooks/stripe', { rawBody: text, headers: { 'content-type': 'application/json' } }),
      await post(event, { secret: 'whsec_stolen' }),
      await post(event, { body: JSON.stringify(event, undefined, 2) }), // parsed and written again
      await post(event, { body: `${text} ` }),
      await post(event, { body: `\uFEFF${text}` }),
      await post(
        { ...event, name: '\uFFFD' },
        { body: Buffer.concat([Buffer.from(`${text.slice(0, -1)},"name":"`), Buffer.of(0xff), Buffer.from('"}')]) },
      ),
      await post(event, { signature: `t=${now}` }),
      await post(event, { signature: `t=${now},v1=` }),
      await post(event, { signature: `v1=${'0'.repeat(64)}` }),
      await post(event, { signature: sign(text, webhookSecret, now).replace('v1=', 'v0=') }),
      await post(event, { signature: sign(text, webhookSecret, now - 400).replace(/t=\d+/, `t=${now}`) }),
      await post(event, { signature: '' }),
    ]
    for (const answer of refused) expect(problemOf(answer)).toEqual({ status: 400, code: 'webhook_unsigned' })
    expect(await stored(service, subscriptionId)).toBeUndefined()
  })

  test('webhook_outdated: a genuine signature that differs by more than 300 s, before or after', async () => {
    const { event, subscriptionId } = await payer({ priceIds: ['price_team'] })
    expect(problemOf(await post(event, { ageSeconds: 310 }))).toEqual({ status: 400, code: 'webhook_outdated' })
    expect(problemOf(await post(event, { ageSeconds: -4_000 }))).toEqual({ status: 400, code: 'webhook_outdated' })
    expect(await stored(service, subscriptionId)).toBeUndefined()
    expect((await post(event, { ageSeconds: 290 })).status).toBe(200)
    expect((await post(event, { ageSeconds: -290 })).status).toBe(200)
  })

  test('webhook_unreadable: signed, but without a required member; it is not recorded, so its repetition counts', async () => {
    const { stripe } = billed
    const events = [
      {},
      [],
      { id: 'evt_1', type: 'customer.updated', created: 'yesterday', data: { object: {} } },
      {
        object: 'v2.core.event',
        id: 'evt_1',
        type: 'v1.billing.meter.error_report_triggered',
        created: '2026-01-01T00:00:00Z',
      },
      stripe.state.emit('customer.subscription.updated', {
        id: 'sub_1',
        customer: null,
        status: 'active',
        created: 1,
      }),
      stripe.state.emit('customer.subscription.updated', {
        id: 'sub_1',
        customer: 'cus_1',
        status: 'active',
        created: -1,
        items: { data: [] },
      }),
      stripe.state.emit('customer.subscription.updated', {
        id: 'sub_\u0000',
        customer: 'cus_1',
        status: 'active',
        created: 1,
        items: { data: [{ price: { id: 'price_1' } }] },
      }),
    ]
    for (const event of events)
      expect(problemOf(await post(event)), JSON.stringify(event)).toEqual({ status: 400, code: 'webhook_unreadable' })
    for (const event of stripe.state.events.slice(-3))
      expect(await service.sql('select from billing_event where id = $1', [event.id])).toEqual([])
  })

  test.each([
    ['not JSON', '{"id":'],
    ['nested too deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('body_malformed: signed bytes that are %s', async (_, body) => {
    const now = Math.floor(service.clock.now() / 1_000)
    const answer = await post(undefined, { body, signature: sign(body, webhookSecret, now) })
    expect(problemOf(answer)).toEqual({ status: 400, code: 'body_malformed' })
    expect(problemOf(await post(undefined, { body, signature: sign('{}', webhookSecret, now) }))).toEqual({
      status: 400,
      code: 'webhook_unsigned',
    })
  })

  test('input_invalid: a query parameter', async () => {
    const answer = await service.post('/webhooks/stripe?x=1', { body: {} })
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  })
})

test('404: the route does not exist without a Stripe secret', async () => {
  const without = await startService()
  expect(problemOf(await post({}, {}, without))).toEqual({ status: 404, code: 'route_unknown' })
  await without.stop()
})

test('413: a body above 256 KiB', async () => {
  const answer = await post({ padding: 'x'.repeat(262_144) })
  expect(problemOf(answer)).toEqual({ status: 413, code: 'body_too_large' })
})

test('415: another type of body', async () => {
  for (const type of ['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded'])
    expect(problemOf(await post({}, { type }))).toEqual({ status: 415, code: 'content_type_unsupported' })
})

describe('5xx, so that Stripe sends the event again', () => {
  test('503: the database is locked during an event; nothing is half-written, and the redelivery completes it', async () => {
    const { event, subscriptionId } = await payer({ priceIds: ['price_team'] })
    const blocker = await service.database.connect()
    await blocker.query('begin')
    await blocker.query('lock table billing_event in share mode') // the last statement of the transaction waits
    expect(problemOf(await post(event))).toEqual({ status: 503, code: 'database_unavailable' })
    await blocker.query('rollback')
    await blocker.end()
    expect(await stored(service, subscriptionId)).toBeUndefined()
    expect((await post(event)).body).toMatchObject({ outcome: 'applied' })
    expect(await stored(service, subscriptionId)).toMatchObject({ status: 'active' })
  })

  test('503: connections die during an event; nothing is lost after redelivery', async () => {
    const { stripe } = billed
    const from = stripe.state.events.length
    const ids = Array.from({ length: 20 }, (_, index) => {
      const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, {
        id: `sub_cut_${index}`,
        priceIds: ['price_team'],
      })
      stripe.state.change(id, { status: 'past_due' })
      return id
    })
    const events = stripe.state.events.slice(from)
    const killer = await service.database.connect()
    let isOver = false
    async function kill(): Promise<void> {
      while (!isOver) {
        await killer.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and usename = current_user and application_name <> $1
             and pid <> pg_backend_pid()`,
          [testApplicationName],
        )
        await pause(15)
      }
    }
    const killing = kill()
    const first = await Promise.all(events.map((event) => post(event)))
    isOver = true
    await killing
    await killer.end()
    expect(new Set(first.map(({ status }) => status))).toContain(503)
    for (const { status } of first) expect([200, 503]).toContain(status)
    // As Stripe does: until it is accepted. The pool may still contain dead connections.
    for (const event of events) await expect.poll(async () => (await post(event)).status).toBe(200)
    for (const id of ids) expect(await stored(service, id)).toMatchObject({ status: 'past_due' })
    expect(await service.sql(`select from billing_event where subscription_id like 'sub_cut_%'`)).toHaveLength(40)
  })

  test('502: Stripe rejects the key; the log has type and code, and never the key', async () => {
    const wrong = await billedForTest({ env: { STRIPE_SECRET_KEY: 'sk_test_wrong_and_secret' } })
    const { stripe } = wrong
    const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, {})
    const answer = await post(stripe.state.emit('invoice.paid', { subscription: id }), {}, wrong.service)
    expect(problemOf(answer)).toEqual({ status: 502, code: 'processor_refused' })
    const logged = await wrong.service.logged()
    expect(logged).toContain('StripeAuthenticationError')
    expect(logged).not.toContain('sk_test_wrong_and_secret')
    expect(logged).not.toContain(webhookSecret)
  })
})
