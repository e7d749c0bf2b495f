import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { holdRows } from '../../../support/blocked.ts'
import { type Person, type Service, startService } from '../../../support/service.ts'
import {
  isSigned,
  nodeForTest,
  passWebhookTime,
  receiverEnv,
  receiverForTest,
  registerEndpoint,
  webhooksPath,
} from '../../../support/webhook-receiver.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService({ env: receiverEnv })
  admin = await service.person({ role: 'admin' })
})
afterAll(() => service.stop())
beforeEach(async () => {
  for (const table of ['webhook_endpoint', 'webhook_event', 'webhook_total']) await service.sql(`delete from ${table}`)
})

const register = (url: string, events: readonly string[] = ['organization.created']) =>
  registerEndpoint(service, admin.token, { url, events })
const post = (path: string, body?: object) =>
  service.post(`${webhooksPath}/${path}`, { token: admin.token, ...(body && { body }) })
const change = () => service.sql(`insert into organization (name) values ('Engines') returning id`)
const deliveriesOf = (id: string) =>
  service.sql(
    `select state, tries, status, fault, round(extract(epoch from next_at - now()))::int as seconds
     from webhook_delivery where endpoint_id = $1 order by created_at, id`,
    [id],
  )
const endpointsNow = async () => Object((await service.get(webhooksPath, { token: admin.token })).body).webhooks

describe('a webhook', () => {
  test('has the headers of Standard Webhooks, and a signature that the reference library verifies', async () => {
    const receiver = await receiverForTest()
    const { secret } = await register(receiver.url)
    const [org] = await change()
    await (await nodeForTest(service)).deliver()
    expect(receiver.received).toHaveLength(1)
    const [one] = receiver.received
    if (!one) throw new Error('nothing was received')
    expect(one.event).toEqual({
      type: 'organization.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      data: { id: Object(org).id, name: 'Engines', requiresMfa: false, createdAt: expect.any(String) },
    })
    expect(one.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Muster\//),
      'webhook-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
    expect(isSigned(one, secret)).toBe(true)
    expect(isSigned({ ...one, text: one.text.replace('Engines', 'Engine5') }, secret)).toBe(false)
    expect(isSigned({ ...one, headers: { ...one.headers, 'webhook-id': 'other' } }, secret)).toBe(false)
    expect(isSigned(one, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false)
  })

  test('names the built-in issuer among the identities of a user as the `iss` of its tokens, and signs that text', async () => {
    const receiver = await receiverForTest()
    const { secret } = await register(receiver.url, ['user.created'])
    const { id } = await service.person()
    await (await nodeForTest(service)).deliver()
    const [one] = receiver.received
    expect(one?.event.data).toMatchObject({ id, identities: [{ issuer: 'http://muster.test', subject: id }] })
    expect(one && isSigned(one, secret)).toBe(true)
  })

  test('is sent once if the receiver accepts it, and the response is recorded', async () => {
    const receiver = await receiverForTest()
    const { id } = await register(receiver.url)
    await change()
    const node = await nodeForTest(service)
    await node.deliver()
    await passWebhookTime(service, 400_000)
    await node.deliver()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', tries: 1, status: 204, fault: null }])
    expect(await service.sql('select outcome, tries::int from webhook_total')).toEqual([
      { outcome: 'delivered', tries: 1 },
    ])
  })

  test('is not written by a change that is rolled back', async () => {
    const receiver = await receiverForTest()
    await register(receiver.url)
    await service.database
      .transaction(async (rows) => {
        await rows.query({ name: 'test_org', text: `insert into organization (name) values ('Never')` }, [])
        expect(await rows.query({ name: 'test_events', text: 'select from webhook_event' }, [])).toHaveLength(1)
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    await (await nodeForTest(service)).deliver()
    expect(await service.sql('select from webhook_event')).toEqual([])
    expect(receiver.received).toEqual([])
  })

  test('has signatures of both secrets during a rotation, and then only of the new one', async () => {
    const receiver = await receiverForTest()
    const { id, secret } = await register(receiver.url)
    const rotated = await post(`${id}/rotate`, { overlapSeconds: 3_600 })
    const next = Object(rotated.body).secret
    const node = await nodeForTest(service)
    await change()
    await node.deliver()
    await passWebhookTime(service, 3_601)
    await change()
    await node.deliver()
    expect(receiver.received.map((one) => [isSigned(one, secret), isSigned(one, next)])).toEqual([
      [true, true],
      [false, true],
    ])
    await post(`${id}/rotate`, { overlapSeconds: 0 })
    await change()
    await node.deliver()
    expect(receiver.received.map((one) => isSigned(one, next))).toEqual([true, true, false])
  })
})

describe('an endpoint that rejects a webhook', () => {
  test('gets it again ten times within 76 hours, with the same id; the last failure is final', async () => {
    const receiver = await receiverForTest()
    const { id, secret } = await register(receiver.url)
    await change()
    const node = await nodeForTest(service)
    const pauses: number[] = []
    for (let n = 0; n < 12; n += 1) {
      receiver.replies.push(500)
      await node.deliver()
      // Not disabled here: another test covers the three days.
      await service.sql('update webhook_endpoint set failing_since = now()')
      const [{ state, seconds } = { state: '', seconds: 0 }] = (await deliveriesOf(id)) as {
        state: string
        seconds: number
      }[]
      if (state !== 'pending') break
      pauses.push(seconds)
      await node.deliver()
      await service.sql('update webhook_delivery set next_at = now()')
    }
    const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    expect(pauses).toHaveLength(9)
    for (const [n, pause] of schedule.entries()) {
      expect(pauses[n]).toBeGreaterThanOrEqual(pause - 2)
      expect(pauses[n]).toBeLessThanOrEqual(pause * 1.2)
    }
    expect(receiver.received).toHaveLength(10)
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1)
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', tries: 10, status: 500 }])
    expect(await service.sql('select outcome, tries::int from webhook_total order by outcome')).toEqual([
      { outcome: 'failed', tries: 1 },
      { outcome: 'retried', tries: 9 },
    ])
  })

  test('that asks for time with Retry-After gets up to a day, and never less than the schedule', async () => {
    const receiver = await receiverForTest()
    const { id } = await register(receiver.url)
    await change()
    const node = await nodeForTest(service)
    const pauses: number[] = []
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
    for (const after of ['900', '1', inAnHour, '9999999', 'soon']) {
      receiver.replies.push({ status: 503, headers: { 'retry-after': after } })
      await node.deliver()
      pauses.push(...((await deliveriesOf(id)) as { seconds: number }[]).map(({ seconds }) => seconds))
      await service.sql('update webhook_delivery set next_at = now()')
    }
    const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = pauses
    expect(Math.abs(first - 900)).toBeLessThan(5)
    expect(second).toBeGreaterThanOrEqual(298)
    expect(Math.abs(third - 3_600)).toBeLessThan(30)
    expect(Math.abs(fourth - 86_400)).toBeLessThan(5)
    expect(fifth).toBeGreaterThanOrEqual(17_990)
  })

  test('that does not respond times out; a redirect is not followed; an endless response is not read', async () => {
    const other = await receiverForTest()
    const receiver = await receiverForTest()
    const { id } = await register(receiver.url)
    for (let n = 0; n < 3; n += 1) await change()
    receiver.replies.push(
      'silence',
      { status: 307, headers: { location: other.url } },
      {
        status: 500,
        body: 'x'.repeat(5_000_000),
      },
    )
    await (await nodeForTest(service, { timeout: 1_000 })).deliver()
    const faults = (await deliveriesOf(id)) as { status: number | null; fault: string | null }[]
    expect(faults.map(({ status, fault }) => status ?? fault).sort()).toEqual([307, 500, 'TIMEOUT'])
    expect(other.received).toEqual([])
  })

  test('is disabled by 410 Gone: nothing is sent any more, and the audit log, the list and the log show it', async () => {
    const receiver = await receiverForTest()
    const { id } = await register(receiver.url)
    await change()
    receiver.replies.push(410)
    const node = await nodeForTest(service)
    await node.deliver()
    await change()
    await passWebhookTime(service, 400_000)
    await node.deliver()
    expect(receiver.received).toHaveLength(1)
    expect(await endpointsNow()).toMatchObject([{ id, status: 'disabled', disabledBecause: 'gone' }])
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', fault: 'DISABLED' }])
    expect(await eventsOf(id)).toContainEqual({
      action: 'webhook_endpoint.disabled',
      details: { why: 'gone' },
      actor_id: null,
    })
    expect(await service.logged()).toContain('webhook endpoint disabled')
  })

  test('is disabled after three days; a success starts them again', async () => {
    const receiver = await receiverForTest()
    const { id } = await register(receiver.url)
    const node = await nodeForTest(service)
    const fail = async (days: number) => {
      await passWebhookTime(service, days * 86_400)
      await change()
      await service.sql('update webhook_delivery set next_at = now()')
      receiver.replies.push(...Array.from({ length: 9 }, () => 500))
      await node.deliver()
      receiver.replies.length = 0
      return (await endpointsNow())[0].status
    }
    expect([await fail(0), await fail(2.9)]).toEqual(['failing', 'failing'])
    await passWebhookTime(service, 400_000)
    await node.deliver()
    expect((await endpointsNow())[0]).not.toHaveProperty('failingSince')
    expect([await fail(1), await fail(2.9), await fail(0.2)]).toEqual(['failing', 'failing', 'disabled'])
    expect(await eventsOf(id)).toContainEqual({
      action: 'webhook_endpoint.disabled',
      details: { why: 'failing' },
      actor_id: null,
    })
    await service.call('PATCH', `${webhooksPath}/${id}`, { token: admin.token, body: { isEnabled: true } })
    expect((await endpointsNow())[0]).toMatchObject({ status: 'enabled' })
  })
})

const eventsOf = (id: string) =>
  service.sql(
    `select action, details, actor_id from audit_event where target_id = $1 and target_kind = 'webhook_endpoint'`,
    [id],
  )

describe('several nodes', () => {
  test('deliver each event once between them', async () => {
    const receiver = await receiverForTest()
    await register(receiver.url)
    await service.sql(`insert into organization (name) select 'Org ' || n from generate_series(1, 60) n`)
    const nodes = await Promise.all([nodeForTest(service), nodeForTest(service), nodeForTest(service)])
    await Promise.all(nodes.map((node) => node.deliver()))
    expect(receiver.received).toHaveLength(60)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(60)
  })

  test('send the deliveries of a killed node after the reservation ends, with the same id, and not before', async () => {
    const receiver = await receiverForTest()
    const { id } = await register(receiver.url)
    await change()
    receiver.replies.push('silence')
    // It reserves the delivery and never records a result.
    const killed = await nodeForTest(service, { timeout: 600_000 })
    await killed.start()
    const other = await nodeForTest(service)
    await expect.poll(() => receiver.received.length).toBe(1)
    await other.deliver()
    expect(receiver.received).toHaveLength(1)
    await passWebhookTime(service, 61)
    await other.deliver()
    expect(receiver.received).toHaveLength(2)
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', tries: 2 }])
  })

  test('an endpoint that does not respond delays no other one', async () => {
    const slow = await receiverForTest()
    const fast = await receiverForTest()
    await register(slow.url)
    await register(fast.url)
    slow.replies.push(...Array.from({ length: 20 }, () => 'silence' as const))
    await service.sql(`insert into organization (name) select 'Org ' || n from generate_series(1, 20) n`)
    const node = await nodeForTest(service, { timeout: 60_000 })
    await node.start()
    await expect.poll(() => fast.received.length).toBe(20)
    // Four in parallel.
    expect(slow.received).toHaveLength(4)
  })
})

describe('replay', () => {
  test('sends one delivery again, even a successful one: same id and content, and all attempts again', async () => {
    const receiver = await receiverForTest()
    const { id } = await register(receiver.url)
    await change()
    const node = await nodeForTest(service)
    await node.deliver()
    const { body } = await service.get(`${webhooksPath}/${id}/deliveries`, { token: admin.token })
    const [delivery] = Object(body).deliveries
    expect(await post(`${id}/deliveries/${delivery.id}/replay`)).toMatchObject({ status: 202, body: { deliveries: 1 } })
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'pending', tries: 0, status: null }])
    await node.deliver()
    const [first, second] = receiver.received
    expect(second).toMatchObject({ id: first?.id, text: first?.text })
  })

  test('sends everything that failed since a time again, and nothing else', async () => {
    const receiver = await receiverForTest()
    const { id } = await register(receiver.url)
    for (let n = 0; n < 4; n += 1) await change()
    const node = await nodeForTest(service)
    receiver.replies.push(500, 500, 500)
    await node.deliver()
    await service.sql(`update webhook_delivery set state = 'failed' where state = 'pending'`)
    await service.sql(`
      update webhook_delivery set created_at = now() - interval '2 days'
      where id = (select id from webhook_delivery where state = 'failed' limit 1)`)
    const since = new Date(Date.now() - 86_400_000).toISOString()
    expect(await post(`${id}/replay`, { since })).toMatchObject({ status: 202, body: { deliveries: 2 } })
    await node.deliver()
    expect(receiver.received).toHaveLength(6)
  })

  test('the test event is sent only to this endpoint, whatever its types are', async () => {
    const receiver = await receiverForTest()
    const other = await receiverForTest()
    const { id, secret } = await register(receiver.url)
    await register(other.url)
    expect(await post(`${id}/test`)).toMatchObject({ status: 202, body: { deliveries: 1 } })
    await (await nodeForTest(service)).deliver()
    expect(receiver.received.map(({ event }) => event)).toEqual([
      { type: 'webhook.test', timestamp: expect.any(String), data: {} },
    ])
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true)
    expect(other.received).toEqual([])
  })
})

test.each([
  ['fails for the first time', 500, null],
  ['succeeds again', 204, '1 hour'],
])('removing an endpoint while an attempt %s ends both without a deadlock', async (_, status, failingFor) => {
  const receiver = await receiverForTest()
  receiver.replies.push({ status })
  const { id } = await register(receiver.url)
  await service.sql('update webhook_endpoint set failing_since = now() - $2::interval where id = $1', [id, failingFor])
  await change()
  const node = await nodeForTest(service)
  // What a removal does first.
  const removal = await holdRows(service.fresh, [['select from webhook_endpoint where id = $1 for update', [id]]])
  await node.start()
  const ended = node.settled()
  await removal.commitOnce(ended, ['delete from webhook_endpoint where id = $1', [id]])
  await ended
  expect([receiver.received.length, await deliveriesOf(id)]).toEqual([1, []])
  expect(await service.logged()).not.toContain('sending webhooks failed')
})
