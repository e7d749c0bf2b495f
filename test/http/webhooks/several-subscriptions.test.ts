import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SimulatedEvent } from '../../../simulators/stripe/state.ts'
import type { Person } from '../../support/service.ts'
import { type Billed, startBilled } from '../../support/stripe.ts'

let billed: Billed
let member: Person
let administrator: Person
let orgId: string
beforeAll(async () => {
  billed = await startBilled({ env: { MUSTER_READS_PER_MINUTE: '100000000' } })
  const { service } = billed
  await service.sql(`insert into plan (id, name, rank) values ('pro', 'Pro', 1), ('team', 'Team', 2)`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro'), ('price_team', 'team')`)
  await service.sql(`insert into plan_grant values ('pro', 'reports', 'pro'), ('team', 'reports', 'team')`)
  member = await service.person()
  administrator = await service.person({ role: 'admin' })
  const [row] = await service.sql<{ id: string }>(
    `with made as (insert into organization (name) values ('Engines') returning id)
     insert into membership (organization_id, account_id) select id, $1 from made returning organization_id as id`,
    [member.id],
  )
  orgId = row?.id ?? ''
})
afterAll(() => billed.stop())
beforeEach(forgetPurchases)

async function forgetPurchases(): Promise<void> {
  for (const table of ['subscription', 'customer', 'billing_event']) await billed.service.sql(`delete from ${table}`)
}

interface Row {
  readonly subscriptions: readonly Sold[]
  readonly shown: Sold
  readonly granted: readonly string[]
}

interface Sold {
  readonly prices: readonly string[]
  readonly status: string
}

const table = rowsOf(readFileSync(new URL('../../../docs/billing.md', import.meta.url), 'utf8'))

/** The rows of the table of cases. */
function rowsOf(page: string): Row[] {
  const [, text = ''] = page.split('| subscriptions | shown | granted |\n|---|---|---|\n')
  const [lines = ''] = text.split('\n\n')
  return lines.split('\n').map((line) => {
    const [, subscriptions = '', shown = '', granted = ''] = line.split('|')
    const [first] = soldIn(shown)
    if (!first) throw new Error(`no subscription is shown in ${line}`)
    return { subscriptions: soldIn(subscriptions), shown: first, granted: quotedIn(granted) }
  })
}

function soldIn(cell: string): Sold[] {
  return quotedIn(cell).map((text) => {
    const [plans = '', status = ''] = text.split(' ')
    return { prices: plans.split('+').map((plan) => `price_${plan}`), status }
  })
}

function quotedIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
}

const titleOf = ({ subscriptions }: Row) =>
  subscriptions.map(({ prices, status }) => `${prices.join(' and ')} ${status}`).join(', then ')

type Owner = 'user' | 'organization'

/** The order of events does not depend on the owner, so one owner has all orders. */
const ordersOf: Readonly<Record<Owner, (items: readonly number[]) => number[][]>> = {
  user: permutations,
  organization: (items) => [[...items], items.toReversed()],
}

/** The events of a purchase, which names its owner: created, then changed to its last status. */
function purchase({ prices, status }: Sold, owner: Owner): SimulatedEvent[] {
  const { state } = billed.stripe
  const metadata = owner === 'user' ? { muster_account_id: member.id } : { muster_org_id: orgId }
  const { id } = state.subscribe(state.addCustomer().id, { status: 'incomplete', priceIds: prices, metadata })
  const events = state.events.slice(-1)
  billed.advanceSeconds(60)
  events.push(status === 'canceled' ? state.cancel(id) : state.change(id, { status }))
  billed.advanceSeconds(60)
  return events
}

async function readData() {
  const { body } = await billed.service.get('/api/v1/user/data?details=true', { token: member.token })
  return Object(body)
}

const planOf = ({ prices }: Sold) => {
  const plans = prices.map((price) => price.replace('price_', ''))
  return plans.find((plan) => plan === 'team') ?? plans.find((plan) => plan === 'pro') ?? prices[0]
}

async function expectRow({ shown, granted, subscriptions }: Row, owner: Owner): Promise<void> {
  const data = await readData()
  const { plan_id, status } = owner === 'user' ? data.subscription : data.orgSubscription
  expect({ plan_id, status }).toEqual({ plan_id: planOf(shown), status: shown.status })
  expect(data.permissions.reports ?? []).toEqual([...granted].sort())
  expect(data.subscriptions).toHaveLength(subscriptions.length)
  expect(data.subscriptions[0]).toMatchObject({ status, ...(owner === 'organization' && { orgId }) })
  if (owner === 'user') expect(data).not.toHaveProperty('orgSubscription')
  else expect(data.subscription).toEqual({ plan_id: 'free', plan_name: 'Free', status: 'active' })
}

describe.each<Owner>(['user', 'organization'])(
  'the table of cases in docs/billing.md, for the subscriptions of a %s',
  (owner) => {
    test.each(table.map((row) => [titleOf(row), row] as const))(
      owner === 'user'
        ? '%s: one is shown and all in force grant, in every order of arrival'
        : '%s: one is shown and all in force grant, in order of arrival and in reverse',
      async (_, row) => {
        const indexes = row.subscriptions.flatMap((sold) => [sold, sold]).map((_sold, index) => index)
        for (const order of ordersOf[owner](indexes)) {
          await forgetPurchases()
          const events = row.subscriptions.flatMap((sold) => purchase(sold, owner))
          expect(await billed.deliverAll(order.map((index) => events[index]))).toEqual([])
          await expectRow(row, owner)
        }
      },
    )
  },
)

test('the table has at least twenty cases, which cover every status in force and several items', () => {
  expect(table.length).toBeGreaterThanOrEqual(20)
  const sold = table.flatMap(({ subscriptions }) => subscriptions)
  expect(sold.map(({ status }) => status)).toEqual(expect.arrayContaining(['active', 'trialing', 'past_due']))
  expect(sold.some(({ prices }) => prices.length > 1)).toBe(true)
})

test.each(table.map((row) => [titleOf(row), row] as const))(
  'administrators see the same one first: %s',
  async (_, row) => {
    const { service, deliverAll } = billed
    expect(await deliverAll(row.subscriptions.flatMap((sold) => purchase(sold, 'user')))).toEqual([])
    const { token } = administrator
    const isInForce = ['active', 'trialing', 'past_due'].includes(row.shown.status)
    const list = Object((await service.get(`/api/v1/admin/users/${member.id}/subscriptions`, { token })).body)
    expect(list.subscriptions[0]).toMatchObject({
      status: row.shown.status,
      priceIds: expect.arrayContaining([...row.shown.prices]),
    })
    const users = Object((await service.get(`/api/v1/admin/users?q=${member.email}`, { token })).body)
    expect(users.users[0].plan).toBe(isInForce ? planOf(row.shown) : undefined)
  },
)

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}
