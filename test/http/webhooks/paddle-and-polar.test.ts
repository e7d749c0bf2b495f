import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { type Answer, type Service, startService } from '../../support/service.ts'

const secrets = { paddle: 'pdl_ntfset_test_1, pdl_ntfset_test_2', polar: 'polar_whs_test_1, polar_whs_test_2' }

let service: Service
beforeAll(async () => {
  service = await startService({
    env: { PADDLE_WEBHOOK_SECRET: secrets.paddle, POLAR_WEBHOOK_SECRET: secrets.polar },
  })
  await service.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
  await service.sql(`insert into plan_price values ('pri_pro', 'pro'), ('prod_pro', 'pro')`)
})
afterAll(() => service.stop())

interface Sent {
  readonly id: string
  readonly type: string
  readonly at: string
  readonly data: unknown
}

/** How one processor writes and signs events. */
interface Kind {
  readonly name: 'paddle' | 'polar'
  readonly secret: string
  readonly second: string
  readonly ended: string
  readonly price: string
  body(sent: Sent): string
  headers(body: string, id: string, at: number, secret: string): Record<string, string>
  subscription(of: { id: string; customer: string; status: string; price: string; owner?: object }): unknown
  customer(id: string, owner: object): unknown
  /** Members of a subscription: 3 of them in the period from `start` to `end`, which ends then, after a trial. */
  renewal(start: string, end: string, trialEnd: string): object
}

const hmac = (content: string, secret: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(content).digest(encoding)

const kinds: readonly Kind[] = [
  {
    name: 'paddle',
    secret: 'pdl_ntfset_test_1',
    second: 'pdl_ntfset_test_2',
    ended: 'subscription.canceled',
    price: 'pri_pro',
    body: ({ id, type, at, data }) =>
      JSON.stringify({ event_id: id, event_type: type, occurred_at: at, notification_id: 'ntf_1', data }),
    headers: (body, _id, at, secret) => ({ 'paddle-signature': `ts=${at};h1=${hmac(`${at}:${body}`, secret, 'hex')}` }),
    subscription: ({ id, customer, status, price, owner = {} }) => ({
      id,
      status,
      customer_id: customer,
      created_at: '2026-05-01T12:00:00.123456Z',
      items: [{ status: 'active', price: { id: price }, product: { id: 'pro_1', name: 'Paddle product' } }],
      custom_data: owner,
    }),
    customer: (id, owner) => ({ id, email: 'ada@example.com', custom_data: owner }),
    renewal: (start, end, trialEnd) => ({
      items: [
        {
          price: { id: 'pri_pro' },
          quantity: 3,
          trial_dates: { starts_at: '2027-01-01T00:00:00Z', ends_at: trialEnd },
        },
      ],
      current_billing_period: { starts_at: start, ends_at: end },
      scheduled_change: { action: 'cancel', effective_at: end, resume_at: null },
    }),
  },
  {
    name: 'polar',
    secret: 'polar_whs_test_1',
    second: 'polar_whs_test_2',
    ended: 'subscription.revoked',
    price: 'prod_pro',
    body: ({ type, at, data }) => JSON.stringify({ type, timestamp: at, data }),
    headers: (body, id, at, secret) => ({
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': `v1a,other v1,${hmac(`${id}.${at}.${body}`, secret, 'base64')}`,
    }),
    subscription: ({ id, customer, status, price, owner = {} }) => ({
      id,
      status,
      customer_id: customer,
      product_id: price,
      created_at: '2026-05-01T12:00:00.123456Z',
      product: { id: price, name: 'Polar product' },
      customer: { id: customer, external_id: null, metadata: {} },
      metadata: owner,
    }),
    customer: (id, owner) => ({ id, email: 'ada@example.com', external_id: null, metadata: owner }),
    renewal: (start, end, trialEnd) => ({
      seats: 3,
      current_period_start: start,
      current_period_end: end,
      cancel_at_period_end: true,
      trial_end: trialEnd,
    }),
  },
]

let made = 0
const fresh = (prefix: string) => {
  made += 1
  return `${prefix}_${made}`
}

function post(
  kind: Kind,
  sent: Sent,
  more: { secret?: string; ageSeconds?: number; change?: string } = {},
): Promise<Answer> {
  const body = kind.body(sent)
  const at = Math.floor(service.clock.now() / 1_000) - (more.ageSeconds ?? 0)
  const headers = kind.headers(body, sent.id, at, more.secret ?? kind.secret)
  return service.post(`/webhooks/${kind.name}`, {
    rawBody: `${body}${more.change ?? ''}`,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

describe.each(kinds)('$name', (kind) => {
  const event = (type: string, data: unknown, at = '2026-05-01T12:00:00Z'): Sent => ({
    id: fresh('evt'),
    type,
    at,
    data,
  })
  const subscription = (of: { id?: string; customer?: string; status?: string; price?: string; owner?: object }) =>
    kind.subscription({ id: fresh('sub'), customer: fresh('ctm'), status: 'active', price: kind.price, ...of })

  test('200: a paying customer gets the plan, by the metadata of the customer', async () => {
    const { id, token } = await service.person()
    const customer = fresh('ctm')
    await post(kind, event('customer.updated', kind.customer(customer, { muster_account_id: id })))
    const answer = await post(kind, event('subscription.updated', subscription({ customer, status: 'trialing' })))
    expect(answer.body).toEqual({ received: true, outcome: 'applied' })
    expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({
      subscription: { plan_id: 'pro', plan_name: 'Pro', status: 'trialing', billing_customer_id: customer },
    })
  })

  test('200: a customer that an operator linked before its first event gets the processor of the event', async () => {
    const { id, token } = await service.person()
    const customer = fresh('ctm')
    const { token: adminToken } = await service.person({ role: 'admin' })
    const linked = await service.call('PUT', `/api/v1/admin/billing/customers/${customer}/owner`, {
      token: adminToken,
      body: { accountId: id },
    })
    expect(linked.status).toBe(204)
    await post(kind, event('subscription.created', subscription({ customer })))
    expect(await service.sql('select processor from customer where id = $1', [customer])).toEqual([
      { processor: kind.name },
    ])
    expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({ subscription: { plan_id: 'pro' } })
  })

  test('200: four events of a subscription, microseconds apart, give the correct result in all 24 orders, each delivered twice', async () => {
    for (const order of permutations([0, 1, 2, 3])) {
      const id = fresh('sub')
      const customer = fresh('ctm')
      const at = (status: string, type: string, micros: string) =>
        event(type, subscription({ id, customer, status }), `2026-05-01T12:00:00.${micros}Z`)
      const events = [
        at('trialing', 'subscription.created', '000001'),
        at('active', 'subscription.updated', '000002'),
        at('past_due', 'subscription.updated', '000003'),
        at('canceled', kind.ended, '000003'),
      ]
      const ordered = order.flatMap((index) => events.slice(index, index + 1))
      for (const sent of [...ordered, ...ordered]) expect((await post(kind, sent)).status).toBe(200)
      expect(await service.sql('select status from subscription where id = $1', [id])).toEqual([{ status: 'canceled' }])
      const log = await service.sql('select from billing_event where subscription_id = $1', [id])
      expect(log).toHaveLength(4)
    }
  })

  test('200: period, cancellation, trial and quantity are in user data, and absent if they are not reported or impossible', async () => {
    const { id: accountId, token } = await service.person()
    const customer = fresh('ctm')
    await post(
      kind,
      event('customer.updated', kind.customer(customer, { muster_account_id: accountId, muster_org_id: null })),
    )
    const id = fresh('sub')
    const read = async () => {
      const { body } = await service.get('/api/v1/user/data?details=true', { token })
      const [{ productName: _, ...first }] = Object(body).subscriptions
      return first
    }
    const [start, end, trialEnd] = [
      '2027-01-01T00:00:00.000001Z',
      '2027-02-01T00:00:00Z',
      '2027-01-08T00:00:00Z',
    ] as const
    const send = (more: object, at: string) =>
      post(kind, event('subscription.updated', { ...Object(subscription({ id, customer })), ...more }, at))
    await send(kind.renewal(start, end, trialEnd), '2026-05-01T12:00:02Z')
    const plan = { id, plan: { id: 'pro', name: 'Pro' }, status: 'active' }
    const all = {
      ...plan,
      currentPeriodEnd: '2027-02-01T00:00:00.000Z',
      cancelAtPeriodEnd: true,
      trialEnd: '2027-01-08T00:00:00.000Z',
      quantity: 3,
    }
    expect(await read()).toEqual(all)
    await send(kind.renewal(start, '2027-01-15T00:00:00Z', trialEnd), '2026-05-01T12:00:01Z')
    expect(await read()).toEqual(all)
    const { currentPeriodEnd: _, ...withoutPeriod } = all
    await send(kind.renewal(end, start, trialEnd), '2026-05-01T12:00:03Z')
    expect(await read()).toEqual(withoutPeriod)
    await send({}, '2026-05-01T12:00:04Z')
    expect(await read()).toEqual(plan)
  })

  test('200: an owner in another form is in the answer, and the customer waits', async () => {
    const customer = fresh('ctm')
    const sent = event('customer.updated', kind.customer(customer, { muster_account_id: { id: 7 }, muster_org_id: '' }))
    expect((await post(kind, sent)).body).toMatchObject({ unreadableOwner: 'muster_account_id: an object' })
    expect((await post(kind, event('subscription.created', subscription({ customer })))).body).toMatchObject({
      outcome: 'applied',
    })
    const admin = await service.person({ role: 'admin' })
    const { body } = await service.get('/api/v1/admin/billing', { token: admin.token })
    const claim = { kind: 'unreadable', value: 'muster_account_id: an object' }
    expect(Object(body).waiting.customers).toContainEqual(expect.objectContaining({ id: customer, claim }))
  })

  test('200: a price without a plan is shown by its product’s name', async () => {
    const { id, token } = await service.person()
    const customer = fresh('ctm')
    await post(kind, event('customer.created', kind.customer(customer, { muster_account_id: id })))
    await post(kind, event('subscription.created', subscription({ customer, price: `unmapped_${kind.name}` })))
    expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({
      subscription: { plan_id: `unmapped_${kind.name}`, plan_name: expect.stringMatching(/product$/) },
    })
  })

  test('200: the second secret, a repetition, and an event of an unused type', async () => {
    const sent = event('subscription.updated', subscription({}))
    expect((await post(kind, sent, { secret: kind.second })).body).toMatchObject({ outcome: 'applied' })
    expect((await post(kind, sent)).body).toMatchObject({ outcome: 'repeated' })
    expect((await post(kind, event('payout.paid', {}))).body).toMatchObject({ outcome: 'ignored' })
  })

  test('400 webhook_unsigned: another secret, another body, no signature', async () => {
    const sent = event('subscription.updated', subscription({}))
    const refused = [
      await post(kind, sent, { secret: 'guessed' }),
      await post(kind, sent, { change: ' ' }),
      await service.post(`/webhooks/${kind.name}`, {
        rawBody: kind.body(sent),
        headers: { 'content-type': 'application/json' },
      }),
    ]
    for (const answer of refused) expect(problemOf(answer)).toEqual({ status: 400, code: 'webhook_unsigned' })
  })

  test('400 webhook_outdated: a genuine signature that is too old or in the future', async () => {
    const sent = event('subscription.updated', subscription({}))
    for (const ageSeconds of [310, -310])
      expect(problemOf(await post(kind, sent, { ageSeconds }))).toEqual({ status: 400, code: 'webhook_outdated' })
  })

  test('400 webhook_unreadable: signed, but without a required member', async () => {
    for (const sent of [
      event('subscription.updated', {}),
      event('customer.updated', null),
      event('subscription.updated', subscription({}), 'now'),
    ])
      expect(problemOf(await post(kind, sent))).toEqual({ status: 400, code: 'webhook_unreadable' })
  })
})

test('data of a Paddle purchase, which the payer can write, never replace another customer', async () => {
  const [paddle] = kinds
  if (!paddle) throw new Error('no Paddle')
  const { id } = await service.person()
  const own = fresh('ctm')
  const sent = (type: string, data: unknown) => ({ id: fresh('evt'), type, at: '2026-05-01T12:00:00Z', data })
  await post(paddle, sent('customer.updated', paddle.customer(own, { muster_account_id: id })))
  const intruder = fresh('ctm')
  const owner = { muster_account_id: id }
  await post(
    paddle,
    sent(
      'subscription.created',
      paddle.subscription({ id: fresh('sub'), customer: intruder, status: 'active', price: 'pri_pro', owner }),
    ),
  )
  expect(await service.sql('select id from customer where account_id = $1', [id])).toEqual([{ id: own }])
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}
