import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Claim } from '../../src/billing/events.ts'
import { readEvent as readPaddle } from '../../src/billing/processors/paddle/events.ts'
import { readEvent as readPolar } from '../../src/billing/processors/polar/events.ts'
import { readEvent as readStripe } from '../../src/billing/processors/stripe/events.ts'
import { exactText, headerOf, parseJson, readPairs, verifyHmac } from '../../src/billing/signature.ts'
import { Problem } from '../../src/platform/problems.ts'
import { Secret } from '../../src/platform/secret.ts'

// The meaning of each event type; the webhook tests send them over HTTP.

function codeOr<T>(work: () => T): T | string {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

const unreadable = 'webhook_unreadable'
const at = '2027-01-15T08:00:00.000Z'

describe('Stripe', () => {
  const subscription = {
    id: 'sub_1',
    customer: 'cus_1',
    status: 'active',
    created: 1_800_000_000,
    items: { data: [{ price: { id: 'price_1' } }, { price: { id: 'price_2' } }] },
  }
  const snapshot = {
    id: 'sub_1',
    customerId: 'cus_1',
    items: [{ priceId: 'price_1' }, { priceId: 'price_2' }],
    status: 'active',
    createdAt: at,
  }
  const read = (type: string, object: unknown) =>
    codeOr(() => readStripe({ id: 'evt_1', type, created: 1_800_000_000, data: { object } }))
  const head = (type: string) => ({ eventId: 'evt_1', type, at })

  test.each([
    ['created', 0],
    ['updated', 1],
    ['paused', 1],
    ['resumed', 1],
    ['trial_will_end', 1],
    ['pending_update_applied', 1],
    ['pending_update_expired', 1],
    ['deleted', 2],
  ])('customer.subscription.%s contains the subscription, with rank %i', (name, rank) => {
    const type = `customer.subscription.${name}`
    expect(read(type, subscription)).toEqual({ ...head(type), subscription: { snapshot, rank } })
  })

  test.each<[string, object, object]>([
    ['a customer as an object', { customer: { id: 'cus_2' } }, { customerId: 'cus_2' }],
    [
      'a plan instead of a price',
      { items: { data: [{ price: null, plan: { id: 'plan_1' } }] } },
      { items: [{ priceId: 'plan_1' }] },
    ],
    [
      'a price beside a plan',
      { items: { data: [{ price: { id: 'a' }, plan: { id: 'b' } }] } },
      { items: [{ priceId: 'a' }] },
    ],
    [
      'an item without either',
      { items: { data: [{}, { price: { id: 'a' } }] } },
      { items: [{ priceId: 'a' }], hasUnreadItems: true },
    ],
    [
      'a product with a name',
      { items: { data: [{ price: { id: 'a', product: { name: `Pro\0${'x'.repeat(300)}` } } }] } },
      { items: [{ priceId: 'a' }], productName: `Pro${'x'.repeat(197)}` },
    ],
    [
      'a product without a name',
      { items: { data: [{ price: { id: 'a', product: { name: '' } } }] } },
      { items: [{ priceId: 'a' }] },
    ],
    ['no items', { items: { data: [] } }, { items: [], hasUnreadItems: true }],
    ['items in another form', { items: 7 }, { items: [], hasUnreadItems: true }],
    ['only items in another form', { items: { data: [{}, 7, null] } }, { items: [], hasUnreadItems: true }],
    [
      'more items than the event contains',
      { items: { data: [{ price: { id: 'a' } }], has_more: true } },
      { items: [{ priceId: 'a' }], hasUnreadItems: true },
    ],
    [
      'quantities, of which only whole numbers from 0 count',
      { items: { data: [3, 0, -1, 1.5, '2', 2 ** 31].map((quantity) => ({ price: { id: 'a' }, quantity })) } },
      { items: [{ priceId: 'a', quantity: 3 }, { priceId: 'a', quantity: 0 }, ...Array(4).fill({ priceId: 'a' })] },
    ],
    [
      'a product as an id',
      { items: { data: [{ price: { id: 'a', product: 'prod_1' } }] } },
      { items: [{ priceId: 'a' }] },
    ],
  ])('a subscription with %s', (_, more, expected) => {
    const type = 'customer.subscription.updated'
    expect(read(type, { ...subscription, ...more })).toEqual({
      ...head(type),
      subscription: { snapshot: { ...snapshot, ...expected }, rank: 1 },
    })
  })

  test.each<[string, unknown, readonly Claim[]]>([
    ['an account', { muster_account_id: 'a' }, [{ kind: 'account', value: 'a', rank: 1 }]],
    ['an organization', { muster_org_id: 'o' }, [{ kind: 'organization', value: 'o', rank: 1 }]],
    ['both', { muster_account_id: 'a', muster_org_id: 'o' }, [{ kind: 'organization', value: 'o', rank: 1 }]],
    ['neither', {}, []],
    ['nothing', null, []],
    ['text', 'muster_account_id', []],
    [
      'an account beside null',
      { muster_account_id: 'a', muster_org_id: null },
      [{ kind: 'account', value: 'a', rank: 1 }],
    ],
    [
      'an organization beside the empty text',
      { muster_account_id: '', muster_org_id: 'o' },
      [{ kind: 'organization', value: 'o', rank: 1 }],
    ],
    [
      'an account beside an unreadable organization',
      { muster_account_id: 'a', muster_org_id: 7 },
      [
        { kind: 'unreadable', value: 'muster_org_id: "7"', rank: -1 },
        { kind: 'account', value: 'a', rank: 1 },
      ],
    ],
    [
      'an organization beside an unreadable account',
      { muster_account_id: {}, muster_org_id: 'o' },
      [{ kind: 'organization', value: 'o', rank: 1 }],
    ],
    [
      'a name with a space',
      { muster_account_id: 'a b' },
      [{ kind: 'unreadable', value: 'muster_account_id: "a b"', rank: -1 }],
    ],
    [
      'an object',
      { muster_account_id: { id: 'a' } },
      [{ kind: 'unreadable', value: 'muster_account_id: an object', rank: -1 }],
    ],
    ['a list', { muster_account_id: ['a'] }, [{ kind: 'unreadable', value: 'muster_account_id: a list', rank: -1 }]],
    [
      'a long text, of which only the beginning is kept',
      { muster_org_id: `-----BEGIN PRIVATE KEY-----\n${'x'.repeat(3_000)}` },
      [{ kind: 'unreadable', value: 'muster_org_id: "-----BEGIN PRIVATE KEY--"…', rank: -1 }],
    ],
  ])('its metadata names %s', (_, metadata, claims) => {
    const type = 'customer.subscription.updated'
    const found = read(type, { ...subscription, metadata })
    expect(found).toEqual({
      ...head(type),
      subscription: { snapshot, rank: 1 },
      ...(claims.length > 0 && { customer: { id: 'cus_1', claims } }),
    })
    expect(read('customer.updated', { id: 'cus_1', metadata })).toEqual({
      ...head('customer.updated'),
      customer: { id: 'cus_1', claims: claims.map((claim) => ({ ...claim, rank: claim.rank === 1 ? 2 : claim.rank })) },
    })
  })

  test('customers that are created, updated and deleted', () => {
    for (const type of ['customer.created', 'customer.updated'])
      expect(read(type, { id: 'cus_1' })).toEqual({ ...head(type), customer: { id: 'cus_1', claims: [] } })
    expect(read('customer.deleted', { id: 'cus_1', metadata: { muster_account_id: 'a' } })).toEqual({
      ...head('customer.deleted'),
      customer: { id: 'cus_1', claims: [], isDeleted: true },
    })
  })

  test.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['a customer', { customer: 'cus_1', subscription: null }, { customer: { id: 'cus_1', claims: [] } }],
    ['a subscription alone', { subscription: { id: 'sub_1' } }, { hint: { subscriptionId: 'sub_1' } }],
    [
      'a reference and metadata',
      { customer: { id: 'cus_1' }, client_reference_id: 'ada', metadata: { muster_account_id: 'a' } },
      {
        customer: {
          id: 'cus_1',
          claims: [
            { kind: 'any', value: 'ada', rank: 0 },
            { kind: 'account', value: 'a', rank: 1 },
          ],
        },
      },
    ],
    ['no reference', { customer: 'cus_1', client_reference_id: null }, { customer: { id: 'cus_1', claims: [] } }],
    ['an empty reference', { customer: 'cus_1', client_reference_id: '' }, { customer: { id: 'cus_1', claims: [] } }],
    [
      'a reference that is not a word',
      { customer: 'cus_1', client_reference_id: 'a b' },
      { customer: { id: 'cus_1', claims: [{ kind: 'unreadable', value: 'client_reference_id: "a b"', rank: -1 }] } },
    ],
  ])('a completed checkout with %s', (_, object, parts) => {
    expect(read('checkout.session.completed', object)).toEqual({ ...head('checkout.session.completed'), ...parts })
  })

  test('an invoice names its subscription and the expected statuses', () => {
    const failed = ['past_due', 'unpaid', 'incomplete', 'incomplete_expired', 'canceled', 'paused']
    for (const [type, expected] of [
      ['invoice.paid', ['active', 'trialing']],
      ['invoice.payment_failed', failed],
    ] as const) {
      const hint = { subscriptionId: 'sub_1', expected }
      expect(read(type, { subscription: 'sub_1' })).toEqual({ ...head(type), hint })
      const parent = { subscription_details: { subscription: 'sub_1' } }
      expect(read(type, { parent, subscription: 'sub_2' })).toEqual({ ...head(type), hint })
      for (const none of [{}, { parent: null }, { parent: {} }, { parent: { subscription_details: null } }])
        expect(read(type, none)).toEqual(head(type))
    }
  })

  test('an event of another type has no parts', () => {
    expect(read('charge.succeeded', { id: 'ch_1' })).toEqual(head('charge.succeeded'))
  })

  test('rejects an event or an object that lacks a required member as unreadable', () => {
    const event = { id: 'evt_1', type: 'x', created: 0, data: { object: {} } }
    for (const wrong of [
      null,
      { ...event, id: '' },
      { ...event, type: 'a b' },
      { ...event, created: -1 },
      { ...event, created: 1.5 },
      { ...event, data: {} },
    ])
      expect(
        codeOr(() => readStripe(wrong)),
        JSON.stringify(wrong),
      ).toBe(unreadable)
    for (const more of [{ id: 7 }, { customer: null }, { status: '' }, { created: -1 }])
      expect(read('customer.subscription.updated', { ...subscription, ...more }), JSON.stringify(more)).toBe(unreadable)
    for (const type of ['customer.updated', 'customer.deleted']) expect(read(type, {})).toBe(unreadable)
    expect(read('checkout.session.completed', { customer: 7 })).toBe(unreadable)
    expect(read('invoice.paid', { subscription: 7 })).toBe(unreadable)
    expect(read('invoice.paid', { parent: 7 })).toBe(unreadable)
  })
})

describe('Paddle', () => {
  const subscription = {
    id: 'sub_1',
    status: 'active',
    customer_id: 'ctm_1',
    created_at: at,
    items: [{ price: { id: 'pri_1' }, product: { name: 'Pro' } }, { price: { id: 'pri_2' } }],
  }
  const snapshot = {
    id: 'sub_1',
    customerId: 'ctm_1',
    items: [{ priceId: 'pri_1' }, { priceId: 'pri_2' }],
    productName: 'Pro',
    status: 'active',
    createdAt: at,
  }
  const read = (type: string, data: unknown) =>
    codeOr(() => readPaddle({ event_id: 'evt_1', event_type: type, occurred_at: at, data }))
  const head = (type: string) => ({ eventId: 'evt_1', type, at })

  test.each([
    ['created', 0],
    ['updated', 1],
    ['activated', 1],
    ['canceled', 2],
  ])('subscription.%s has rank %i', (name, rank) => {
    const type = `subscription.${name}`
    const customer = { id: 'ctm_1', claims: [] }
    expect(read(type, subscription)).toEqual({ ...head(type), subscription: { snapshot, rank }, customer })
  })

  test('purchase data are only a reference; customer data come from the merchant', () => {
    const custom_data = { muster_account_id: 'a' }
    const claim = { kind: 'account', value: 'a' }
    expect(read('subscription.updated', { ...subscription, custom_data })).toMatchObject({
      customer: { claims: [{ ...claim, rank: 0 }] },
    })
    for (const type of ['customer.created', 'customer.updated', 'customer.imported'])
      expect(read(type, { id: 'ctm_1', custom_data })).toEqual({
        ...head(type),
        customer: { id: 'ctm_1', claims: [{ ...claim, rank: 2 }] },
      })
    expect(read('customer.updated', { id: 'ctm_1', custom_data: null })).toMatchObject({ customer: { claims: [] } })
  })

  test('drops NUL from a name and cuts it to 200 characters; an empty name is no name', () => {
    const nameOf = (product: unknown) => {
      const found = read('subscription.updated', { ...subscription, items: [{ price: { id: 'p' }, product }] })
      return typeof found === 'string' ? found : found.subscription?.snapshot.productName
    }
    expect(nameOf({ name: `P\0${'x'.repeat(300)}` })).toBe(`P${'x'.repeat(199)}`)
    expect([nameOf(null), nameOf({ name: '\0' }), nameOf({ name: '' })]).toEqual([undefined, undefined, undefined])
  })

  test('other types have no parts; a missing member makes an event unreadable', () => {
    for (const type of ['transaction.paid', 'customer.merged', 'my.subscription.created', 'customer.updated.x'])
      expect(read(type, {})).toEqual(head(type))
    for (const more of [{ id: '' }, { status: 7 }, { customer_id: null }, { created_at: 'now' }])
      expect(read('subscription.updated', { ...subscription, ...more }), JSON.stringify(more)).toBe(unreadable)
    expect(read('customer.updated', {})).toBe(unreadable)
    for (const occurred_at of ['x', `${at}x`, `x${at}`, '2027-01-15', undefined])
      expect(codeOr(() => readPaddle({ event_id: 'e', event_type: 't', occurred_at, data: {} }))).toBe(unreadable)
  })
})

describe('Polar', () => {
  const subscription = { id: 'sub_1', status: 'active', customer_id: 'c_1', product_id: 'p_1', created_at: at }
  const snapshot = { id: 'sub_1', customerId: 'c_1', items: [{ priceId: 'p_1' }], status: 'active', createdAt: at }
  const read = (type: string, data: unknown) => codeOr(() => readPolar('evt_1', { type, timestamp: at, data }))
  const head = (type: string) => ({ eventId: 'evt_1', type, at })

  test.each([
    ['created', 0],
    ['updated', 1],
    ['canceled', 1],
    ['revoked', 2],
  ])('subscription.%s has rank %i', (name, rank) => {
    const type = `subscription.${name}`
    const customer = { id: 'c_1', claims: [] }
    expect(read(type, subscription)).toEqual({ ...head(type), subscription: { snapshot, rank }, customer })
  })

  test('an external id is a reference; metadata of the purchase or the customer come from the merchant', () => {
    const metadata = { muster_org_id: 'o' }
    const claim = { kind: 'organization', value: 'o' }
    const customer = { id: 'c_1', external_id: 'ada', metadata }
    expect(read('subscription.updated', { ...subscription, customer, metadata })).toMatchObject({
      customer: {
        id: 'c_1',
        claims: [
          { kind: 'any', value: 'ada', rank: 0 },
          { ...claim, rank: 2 },
          { ...claim, rank: 1 },
        ],
      },
    })
    for (const type of ['customer.created', 'customer.updated', 'customer.deleted'])
      expect(read(type, customer)).toEqual({
        ...head(type),
        customer: {
          id: 'c_1',
          claims: [
            { kind: 'any', value: 'ada', rank: 0 },
            { ...claim, rank: 2 },
          ],
          isDeleted: type === 'customer.deleted',
        },
      })
    for (const external_id of [null, ''])
      expect(read('customer.updated', { id: 'c_1', external_id })).toMatchObject({ customer: { claims: [] } })
    expect(
      read('customer.updated', { id: 'c_1', external_id: 'a b', metadata: { ...metadata, muster_account_id: null } }),
    ).toMatchObject({
      customer: {
        claims: [
          { kind: 'unreadable', value: 'external_id: "a b"', rank: -1 },
          { ...claim, rank: 2 },
        ],
      },
    })
  })

  test('drops NUL from a name and cuts it to 200 characters', () => {
    const named = (name: string) => read('subscription.updated', { ...subscription, product: { name } })
    expect(named(`P\0${'x'.repeat(300)}`)).toMatchObject({
      subscription: { snapshot: { productName: `P${'x'.repeat(199)}` } },
    })
    expect(named('\0')).toMatchObject({ subscription: { snapshot } })
    expect(named('')).toMatchObject({ subscription: { snapshot } })
  })

  test('reads an end of the period in any time zone; another form, an impossible date or a year without four digits is absent', () => {
    const endOf = (current_period_end: unknown) => {
      const found = read('subscription.updated', { ...subscription, current_period_end })
      return typeof found === 'string' ? found : found.subscription?.snapshot.currentPeriodEnd
    }
    expect(endOf('2027-02-01T01:00:00.123456+02:00')).toBe('2027-01-31T23:00:00.123Z')
    for (const wrong of [
      null,
      1_800_000_000,
      'soon',
      '2027-02-01',
      '2027-13-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-12:00',
      '0001-01-01T00:00:00+12:00',
    ])
      expect(endOf(wrong), String(wrong)).toBeUndefined()
  })

  test('other types have no parts; a missing member or delivery id makes an event unreadable', () => {
    for (const type of [
      'order.paid',
      'customer.state_changed',
      'my.subscription.created',
      'customer.updated.x',
      'my.customer.updated',
    ])
      expect(read(type, {})).toEqual(head(type))
    for (const more of [{ id: '' }, { status: 7 }, { customer_id: null }, { created_at: 'now' }])
      expect(read('subscription.updated', { ...subscription, ...more }), JSON.stringify(more)).toBe(unreadable)
    expect(read('customer.updated', {})).toBe(unreadable)
    expect(codeOr(() => readPolar('', { type: 'x', timestamp: at, data: {} }))).toBe(unreadable)
    expect(codeOr(() => readPolar('e', { type: 'x', timestamp: 'now', data: {} }))).toBe(unreadable)
  })
})

describe('signatures', () => {
  const now = 1_800_000_000
  const content = 'content'
  const by = (secret: string, encoding: 'hex' | 'base64' = 'hex') =>
    createHmac('sha256', secret).update(content).digest(encoding)
  const verify = (more: object = {}, secrets: string | undefined = 'one') =>
    codeOr(() =>
      verifyHmac(
        { content, encoding: 'hex', signatures: [by('one')], at: String(now), ...more },
        secrets === undefined ? undefined : new Secret(secrets),
        now * 1_000 + 999,
      ),
    )

  test.each<[string, object, string | undefined, unknown]>([
    ['the secret’s signature', {}, 'one', undefined],
    ['one of several', { signatures: ['x', by('one')] }, 'one', undefined],
    ['one of two secrets', {}, 'two, one', undefined],
    ['in base64', { encoding: 'base64', signatures: [by('one', 'base64')] }, 'one', undefined],
    ['another secret’s signature', {}, 'two', 'webhook_unsigned'],
    ['none', { signatures: [] }, 'one', 'webhook_unsigned'],
    ['part of a signature', { signatures: [by('one').slice(0, 10)] }, 'one', 'webhook_unsigned'],
    ['an empty signature', { signatures: [''] }, 'one', 'webhook_unsigned'],
    ['a signature of other content', { content: 'another' }, 'one', 'webhook_unsigned'],
    ['without a time', { at: '' }, 'one', 'webhook_unsigned'],
    ['a time that is not a number', { at: `${now}x` }, 'one', 'webhook_unsigned'],
    ['a time with something before it', { at: `x${now}` }, 'one', 'webhook_unsigned'],
    ['300 s old', { at: String(now - 300) }, 'one', undefined],
    ['301 s old', { at: String(now - 301) }, 'one', 'webhook_outdated'],
    ['300 s ahead', { at: String(now + 300) }, 'one', undefined],
    ['301 s ahead', { at: String(now + 301) }, 'one', 'webhook_outdated'],
  ])('%s', (_, more, secrets, outcome) => {
    expect(verify(more, secrets)).toBe(outcome)
  })

  test('without a secret every event is unsigned', () => {
    const signed = { content, encoding: 'hex', signatures: [by('')], at: String(now) } as const
    expect(codeOr(() => verifyHmac(signed, undefined, now * 1_000))).toBe('webhook_unsigned')
  })

  test('accepts a header once, reads pairs by name, and keeps bytes and JSON exact', () => {
    expect(headerOf({ a: 'x' }, 'a')).toBe('x')
    for (const a of [['x', 'y'], undefined]) expect(codeOr(() => headerOf({ a }, 'a'))).toBe('webhook_unsigned')
    const pairs = readPairs('t=1,v1=a,v1=b,v1=,v0=c=d', ',')
    expect([pairs('t'), pairs('v1'), pairs('v0'), pairs('x')]).toEqual([['1'], ['a', 'b'], ['c'], []])
    expect(readPairs('ts=1;h1=a,b', ';')('h1')).toEqual(['a,b'])
    expect(exactText(Buffer.from('\ufeffä'))).toBe('\ufeffä')
    expect(codeOr(() => exactText(Buffer.from([0x61, 0xff])))).toBe('webhook_unsigned')
    expect([parseJson('{"a":1}'), codeOr(() => parseJson('{'))]).toEqual([{ a: 1 }, 'body_malformed'])
  })
})
