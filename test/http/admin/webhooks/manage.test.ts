import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { holdRows, longLockWaits } from '../../../support/blocked.ts'
import { freshDatabase } from '../../../support/database.ts'
import { operations } from '../../../support/openapi.ts'
import { problemOf } from '../../../support/problem.ts'
import {
  type Answer,
  type Person,
  type Service,
  serviceForTest,
  startService,
  testInProcess,
} from '../../../support/service.ts'
import { nodeForTest, receiverEnv, receiverForTest, webhooksPath } from '../../../support/webhook-receiver.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService({ env: receiverEnv })
  admin = await service.person({ role: 'admin' })
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.sql('delete from webhook_endpoint')
  await service.sql('delete from webhook_event')
})

const url = 'https://product.example.com/muster?token=canary-in-the-address'
const unknown = '0197b2a4-6d02-7b1e-9a40-3c5d1e0f7a11'
const create = (body: object = { url, events: ['user.created'] }, { token }: Person = admin) =>
  service.post(webhooksPath, { token, body })
const call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, { token }: Person = admin) =>
  service.call(method, `${webhooksPath}/${path}`, { token, ...(body && { body }) })
const list = async () => Object((await service.get(webhooksPath, { token: admin.token })).body).webhooks
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)

test('201 — shows the secret once, and lists the endpoint with only the host of its address', async () => {
  const { status, body } = await create({ url, description: 'The product', events: ['user.created', 'user.deleted'] })
  const { secret, ...record } = body as { secret: string }
  expect([status, secret]).toEqual([201, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)])
  expect(record).toEqual({
    id: expect.any(String),
    url,
    description: 'The product',
    events: ['user.created', 'user.deleted'],
    status: 'enabled',
    createdAt: at,
  })
  const { url: _, ...unlisted } = Object(record)
  const answer = await service.get(webhooksPath, { token: admin.token })
  expect(answer.body).toEqual({ webhooks: [{ ...unlisted, host: 'product.example.com' }] })
  for (const canary of ['canary-in-the-address', '/muster']) expect(answer.text).not.toContain(canary)
})

test('400 — the address must be https without user and fragment, and not a literal of a private network; events must be listed types, each once', async () => {
  const strict = await serviceForTest({ on: service.fresh })
  for (const bad of [
    'ftp://example.com/',
    'http://example.com/',
    'http://localhost:3000/',
    'https://user:pw@example.com/',
    'https://user@example.com/',
    'https://example.com/#x',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.8/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.8]/',
    'https://[fd00::8]/',
    'https://0x7f000001/',
    'https://2130706433/',
    'not an address',
    '/muster',
  ]) {
    const answer = await strict.post(webhooksPath, { token: admin.token, body: { url: bad, events: ['user.created'] } })
    expect([bad, problemOf(answer).code, Object(answer.body).errors?.[0]?.pointer]).toEqual([
      bad,
      'input_invalid',
      '/url',
    ])
  }
  for (const events of [[], ['user.exploded'], ['webhook.test'], ['user.created', 'user.created'], 'user.created'])
    expect([events, problemOf(await create({ url, events })).code]).toEqual([events, 'input_invalid'])
  for (const body of [{ url }, { events: ['user.created'] }, { url, events: ['user.created'], secret: 'mine' }])
    expect(problemOf(await create(body)).code).toBe('input_invalid')
  // Allowed only by the development setting.
  expect((await create({ url: 'http://localhost:3000/', events: ['user.created'] })).status).toBe(201)
  expect(problemOf(await create({ url: 'http://example.com/', events: ['user.created'] })).code).toBe('input_invalid')
})

test('200 — a change keeps omitted members; disabling and enabling works; pending deliveries are cancelled', async () => {
  const { id } = Object((await create()).body)
  const changed = await call('PATCH', id, { events: ['user.deleted'], description: 'Two' })
  expect(changed).toMatchObject({ status: 200, body: { url, events: ['user.deleted'], description: 'Two' } })
  await call('POST', `${id}/test`)
  const disabled = await call('PATCH', id, { isEnabled: false })
  expect(disabled.body).toEqual({
    ...Object(changed.body),
    status: 'disabled',
    disabledAt: at,
    disabledBecause: 'administrator',
  })
  expect(await service.sql('select state, fault from webhook_delivery')).toEqual([
    { state: 'failed', fault: 'DISABLED' },
  ])
  expect((await call('PATCH', id, { isEnabled: true })).body).toEqual(changed.body)
  expect((await call('PATCH', id, { url: 'https://other.example.com/' })).body).toMatchObject({
    url: 'https://other.example.com/',
  })
  for (const body of [{}, { isEnabled: 'no' }, { url: 'http://other.example.com/' }, { events: [] }])
    expect([body, problemOf(await call('PATCH', id, body)).code]).toEqual([body, 'input_invalid'])
})

test('204 — removes the endpoint and its deliveries', async () => {
  const { id } = Object((await create()).body)
  await call('POST', `${id}/test`)
  expect((await call('DELETE', id)).status).toBe(204)
  expect(await list()).toEqual([])
  expect(await service.sql('select from webhook_delivery')).toEqual([])
})

test('404 — an unknown endpoint, or a delivery of another endpoint', async () => {
  const { id } = Object((await create()).body)
  const other = Object((await create()).body)
  await call('POST', `${other.id}/test`)
  const [delivery] = await service.sql<{ id: string }>('select id from webhook_delivery')
  const answers: readonly Answer[] = await Promise.all([
    call('PATCH', unknown, { isEnabled: false }),
    call('POST', `${unknown}/rotate`, {}),
    call('DELETE', unknown),
    call('POST', `${unknown}/test`),
    call('POST', `${unknown}/replay`, { since: '2026-01-01T00:00:00Z' }),
    call('POST', `${unknown}/deliveries/${delivery?.id}/replay`),
    service.get(`${webhooksPath}/${unknown}/deliveries`, { token: admin.token }),
  ])
  for (const answer of answers) expect(problemOf(answer)).toEqual({ status: 404, code: 'webhook_endpoint_unknown' })
  for (const which of [delivery?.id, unknown])
    expect(problemOf(await call('POST', `${id}/deliveries/${which}/replay`))).toEqual({
      status: 404,
      code: 'webhook_delivery_unknown',
    })
})

test('409 — nothing is sent to a disabled endpoint', async () => {
  const { id } = Object((await create()).body)
  await call('POST', `${id}/test`)
  await call('PATCH', id, { isEnabled: false })
  const [delivery] = await service.sql<{ id: string }>('select id from webhook_delivery')
  for (const answer of [
    await call('POST', `${id}/test`),
    await call('POST', `${id}/replay`, { since: '2026-01-01T00:00:00Z' }),
    await call('POST', `${id}/deliveries/${delivery?.id}/replay`),
  ])
    expect(problemOf(answer)).toEqual({ status: 409, code: 'webhook_endpoint_disabled' })
})

testInProcess('409 — at most 20 endpoints, even when several are registered in parallel', async () => {
  const fresh = await freshDatabase({ limits: { ...longLockWaits, connectionsMax: 8 } })
  onTestFinished(() => fresh.drop())
  const alone = await serviceForTest({ on: fresh, env: receiverEnv })
  const { id, token } = await alone.person({ role: 'admin' })
  await alone.sql(`
    insert into webhook_endpoint (id, url, events, secret)
    select gen_random_uuid(), 'https://a.example.com/', '{user.created}', '' from generate_series(1, 18)`)
  // Each one that has counted waits for the user that its row refers to.
  const account = await holdRows(fresh, [['select from account where id = $1 for update', [id]]])
  const body = { url, events: ['user.created'] }
  const created = Promise.all([1, 2, 3, 4].map(() => alone.post(webhooksPath, { token, body })))
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => alone.sql(waiting)).toHaveLength(4)
  await account.commitOnce(created)
  const more = await created
  expect(more.filter(({ status }) => status === 201)).toHaveLength(2)
  const [full] = more.filter(({ status }) => status !== 201)
  expect(full && problemOf(full)).toEqual({ status: 409, code: 'webhook_endpoints_full' })
})

test('400 — an overlap of more than seven days, or a replay time that does not exist', async () => {
  const { id } = Object((await create()).body)
  for (const overlapSeconds of [-1, 604_801, 1.5])
    expect(problemOf(await call('POST', `${id}/rotate`, { overlapSeconds })).code).toBe('input_invalid')
  for (const since of [
    'yesterday',
    '2026-02-31T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-02-01',
    '2026-02-01T00:00:00',
  ])
    expect([since, problemOf(await call('POST', `${id}/replay`, { since })).code]).toEqual([since, 'input_invalid'])
  expect(await call('POST', `${id}/replay`, { since: '2026-01-31T00:00:00Z' })).toMatchObject({
    body: { deliveries: 0 },
  })
})

test('201 — rotation returns a new secret once, and the previous one signs until its end', async () => {
  const { id, secret } = Object((await create()).body)
  const { status, body } = await call('POST', `${id}/rotate`, { overlapSeconds: 3_600 })
  expect([status, Object(body).secret === secret]).toEqual([201, false])
  const [endpoint] = await list()
  expect(endpoint).not.toHaveProperty('secret')
  const seconds = (Date.parse(endpoint.previousSecretUntil) - Date.now()) / 1_000
  expect(Math.abs(seconds - 3_600)).toBeLessThan(60)
  await call('POST', `${id}/rotate`, { overlapSeconds: 0 })
  expect((await list())[0]).not.toHaveProperty('previousSecretUntil')
})

test('403 — without webhooks:manage; with it, an endpoint cannot get events that its creator may not read', async () => {
  const { id } = Object((await create()).body)
  const user = await service.person()
  for (const answer of [
    await service.get(webhooksPath, { token: user.token }),
    await create(undefined, user),
    await call('PATCH', id, { isEnabled: false }, user),
    await call('DELETE', id, undefined, user),
    await call('POST', `${id}/rotate`, {}, user),
    await call('POST', `${id}/test`, undefined, user),
    await call('POST', `${id}/replay`, { since: '2026-01-01T00:00:00Z' }, user),
    await service.get(`${webhooksPath}/${id}/deliveries`, { token: user.token }),
    await call('POST', `${id}/deliveries/${unknown}/replay`, undefined, user),
  ])
    expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_missing' })
  await service.sql(`insert into role (id, name) values ('hooker', 'Integrator')`)
  await service.sql(
    `insert into role_grant values ('hooker', 'webhooks', 'manage'), ('hooker', 'organizations', 'list')`,
  )
  const integrator = await service.person({ role: 'hooker' })
  const of = (event: string) => create({ url, events: ['organization.created', event] }, integrator)
  expect((await of('organization.deleted')).status).toBe(201)
  expect(await of('user.created')).toMatchObject({ status: 403, body: { missing: { users: ['read'] } } })
  expect(await of('subscription.changed')).toMatchObject({ status: 403, body: { missing: { user_data: ['read'] } } })
  // Neither by changing the events, nor by a new address for its events.
  const own = Object((await of('organization.deleted')).body)
  expect(problemOf(await call('PATCH', own.id, { events: ['user.deleted'] }, integrator)).code).toBe(
    'permission_exceeds',
  )
  expect(problemOf(await call('PATCH', id, { url: 'https://mine.example.com/' }, integrator)).code).toBe(
    'permission_exceeds',
  )
})

describe("an endpoint whose events the caller's own role may not read", () => {
  const calls: Readonly<Record<string, (id: string, by: Person, deliveryId: string) => Promise<Answer>>> = {
    change: (id, by) => call('PATCH', id, { description: 'Mine' }, by),
    disable: (id, by) => call('PATCH', id, { isEnabled: false }, by),
    rotate: (id, by) => call('POST', `${id}/rotate`, {}, by),
    test: (id, by) => call('POST', `${id}/test`, undefined, by),
    replay: (id, by) => call('POST', `${id}/replay`, { since: '2026-01-01T00:00:00Z' }, by),
    'replay one delivery of': (id, by, deliveryId) =>
      call('POST', `${id}/deliveries/${deliveryId}/replay`, undefined, by),
    'list the deliveries of': (id, { token }) => service.get(`${webhooksPath}/${id}/deliveries`, { token }),
    remove: (id, by) => call('DELETE', id, undefined, by),
  }

  /** May manage webhooks and read organizations, but no users. */
  async function integrator(): Promise<Person> {
    await service.sql(`insert into role (id, name) values ('integrator', 'Integrator') on conflict do nothing`)
    await service.sql(
      `insert into role_grant values ('integrator', 'webhooks', 'manage'), ('integrator', 'organizations', 'list') on conflict do nothing`,
    )
    return service.person({ role: 'integrator' })
  }

  async function endpointWithDelivery(events: readonly string[]) {
    const { id } = Object((await create({ url, events })).body)
    await call('POST', `${id}/test`)
    const [delivery] = await service.sql<{ id: string }>(
      `update webhook_delivery set state = 'failed' where endpoint_id = $1 returning id`,
      [id],
    )
    return { id, deliveryId: String(delivery?.id) }
  }

  test('covers every operation of the service', () => {
    const ofOne = operations.filter(({ path }) => path.includes('{webhookId}'))
    // Two of the calls are one operation.
    expect(ofOne).toHaveLength(Object.keys(calls).length - 1)
  })

  test.each(Object.entries(calls))('403 permission_exceeds to %s it, and nothing changes', async (_, run) => {
    const [by, { id, deliveryId }] = [
      await integrator(),
      await endpointWithDelivery(['organization.created', 'user.created']),
    ]
    const state = () =>
      service.sql(`select to_jsonb(e) as endpoint, (select jsonb_agg(d order by d.id) from webhook_delivery d) as deliveries
                   from webhook_endpoint e`)
    const before = await state()
    const answer = await run(id, by, deliveryId)
    expect(answer).toMatchObject({
      status: 403,
      body: {
        code: 'permission_exceeds',
        detail: 'Your own role does not grant reading the events of this endpoint.',
        missing: { users: ['read'] },
      },
    })
    for (const canary of ['whsec_', 'canary-in-the-address', 'product.example.com', 'key'])
      expect(answer.text).not.toContain(canary)
    expect(await state()).toEqual(before)
  })

  test.each(Object.entries(calls))('allows to %s an endpoint whose events the role may read', async (_, run) => {
    const [by, { id, deliveryId }] = [await integrator(), await endpointWithDelivery(['organization.created'])]
    expect((await run(id, by, deliveryId)).status).toBeLessThan(300)
  })
})

test('401 step_up_required — an old session can neither change nor read anything', async () => {
  const old = await service.person({ role: 'admin' })
  await service.sql(`update session set proved_at = now() - interval '16 minutes' where account_id = $1`, [old.id])
  expect(problemOf(await create(undefined, old)).code).toBe('step_up_required')
  expect(problemOf(await service.get(webhooksPath, { token: old.token })).code).toBe('step_up_required')
})

test('every change writes an audit event with the host, but without the rest of the address or a secret', async () => {
  const { id } = Object((await create()).body)
  await call('PATCH', id, { url: 'https://other.example.com/canary-path', isEnabled: true })
  await call('POST', `${id}/rotate`, { overlapSeconds: 60 })
  await call('POST', `${id}/test`)
  await call('POST', `${id}/replay`, { since: '2026-01-01T00:00:00Z' })
  await call('DELETE', id)
  const events = await service.sql(
    `select action, details, actor_id as actor from audit_event where target_kind = 'webhook_endpoint' and target_id = $1 order by at, id`,
    [id],
  )
  const actor = admin.id
  expect(events).toEqual([
    { action: 'webhook_endpoint.created', actor, details: { host: 'product.example.com', events: ['user.created'] } },
    { action: 'webhook_endpoint.changed', actor, details: { host: 'other.example.com', isEnabled: true } },
    { action: 'webhook_endpoint.rotated', actor, details: { overlapSeconds: 60 } },
    { action: 'webhook_endpoint.tested', actor, details: {} },
    { action: 'webhook_endpoint.replayed', actor, details: { deliveries: 0 } },
    { action: 'webhook_endpoint.removed', actor, details: {} },
  ])
})

test('a secret is in no log line, audit event or row: it is encrypted', async () => {
  const receiver = await receiverForTest()
  const { id, secret } = Object((await create({ url: `${receiver.url}?token=canary`, events: ['user.created'] })).body)
  const next = Object((await call('POST', `${id}/rotate`, {})).body).secret
  const node = await nodeForTest(service)
  receiver.replies.push({ status: 500, body: 'canary-in-the-answer' }, 410)
  await call('POST', `${id}/test`)
  await node.deliver()
  await service.sql('update webhook_delivery set next_at = now()')
  await node.deliver()
  expect(receiver.received).toHaveLength(2)
  const texts = [
    await service.logged(),
    JSON.stringify(await service.sql('select * from audit_event')),
    JSON.stringify(
      await service.sql(`select encode(secret, 'escape'), encode(previous_secret, 'escape') from webhook_endpoint`),
    ),
    JSON.stringify(await service.sql('select * from webhook_delivery d join webhook_event e on e.id = d.event_id')),
  ]
  const key = (text: string) => text.slice('whsec_'.length)
  for (const text of texts)
    for (const canary of [key(secret), key(next), 'whsec_', 'token=canary', 'canary-in-the-answer'])
      expect(text).not.toContain(canary)
})

test('lists deliveries in pages, newest first, in both directions, by state; a cursor works only for its list', async () => {
  const { id } = Object((await create()).body)
  const other = Object((await create()).body)
  for (let n = 0; n < 5; n += 1) await call('POST', `${id}/test`)
  await service.sql(`update webhook_delivery set state = 'failed', status = 500, tried_at = now()
                     where id in (select id from webhook_delivery order by id limit 2)`)
  const read = async (path: string) => {
    const { status, body, headers } = await service.get(path, { token: admin.token })
    expect(status).toBe(200)
    const link = (rel: string) => new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(headers.link ?? ''))?.[1]
    return { deliveries: Object(body).deliveries, next: link('next'), prev: link('prev') }
  }
  const path = `${webhooksPath}/${id}/deliveries`
  const whole = await read(path)
  expect(whole.deliveries).toHaveLength(5)
  expect(whole.deliveries[0]).toEqual({
    id: expect.any(String),
    eventId: expect.any(String),
    type: 'webhook.test',
    subject: id,
    state: 'pending',
    tries: 0,
    createdAt: at,
    nextAt: at,
  })
  expect(whole.deliveries[4]).toMatchObject({ state: 'failed', status: 500, triedAt: at })
  expect(whole.deliveries[4]).not.toHaveProperty('nextAt')
  const first = await read(`${path}?limit=2`)
  const second = await read(first.next ?? '')
  const third = await read(second.next ?? '')
  expect([...first.deliveries, ...second.deliveries, ...third.deliveries]).toEqual(whole.deliveries)
  expect([first.prev, third.next]).toEqual([undefined, undefined])
  // A delivery added meanwhile moves no other one to another page.
  await call('POST', `${id}/test`)
  expect((await read(third.prev ?? '')).deliveries).toEqual(second.deliveries)
  expect((await read(second.prev ?? '')).deliveries).toEqual(first.deliveries)
  expect((await read(`${path}?state=failed`)).deliveries).toEqual(whole.deliveries.slice(3))
  expect((await read(`${webhooksPath}/${other.id}/deliveries`)).deliveries).toEqual([])
  const cursor = new URL(`http://x${first.next}`).searchParams.get('cursor')
  for (const elsewhere of [
    `${path}?state=failed&cursor=${cursor}`,
    `${webhooksPath}/${other.id}/deliveries?cursor=${cursor}`,
  ])
    expect(problemOf(await service.get(elsewhere, { token: admin.token })).code).toBe('cursor_invalid')
  expect(problemOf(await service.get(`${path}?state=lost`, { token: admin.token })).code).toBe('input_invalid')
})

test('has no webhook operations without an encryption key', async () => {
  const env = { MUSTER_BUILT_IN_ISSUER: 'false', MUSTER_ENCRYPTION_KEY: '' }
  const bare = await serviceForTest({ env })
  expect((await bare.get(webhooksPath)).status).toBe(404)
})

test('the metrics count attempts by outcome and endpoints by state, and report the age and delay of pending webhooks', async () => {
  const token = 'a-token-of-the-monitoring'
  const own = await serviceForTest({ env: { ...receiverEnv, MUSTER_METRICS_TOKEN: token } })
  const root = await own.person({ role: 'admin' })
  const receiver = await receiverForTest()
  const made = await own.post(webhooksPath, {
    token: root.token,
    body: { url: receiver.url, events: ['user.created'] },
  })
  const read = async () =>
    Object.fromEntries(
      [...(await own.get('/metrics', { token })).text.matchAll(/^muster_webhook_(\S+) (\S+)$/gm)].map(
        ([, name, value]) => [name, Math.round(Number(value))],
      ),
    )
  const none = { 'tries{outcome="delivered"}': 0, 'tries{outcome="retried"}': 0, 'tries{outcome="failed"}': 0 }
  const states = (more: object) => ({
    'endpoints{state="enabled"}': 0,
    'endpoints{state="failing"}': 0,
    'endpoints{state="disabled"}': 0,
    'endpoints{state="stopped"}': 0,
    ...more,
  })
  expect(await read()).toEqual({
    ...none,
    ...states({ 'endpoints{state="enabled"}': 1 }),
    oldest_seconds: 0,
    late_seconds: 0,
  })
  await own.post(`${webhooksPath}/${Object(made.body).id}/test`, { token: root.token })
  await own.sql(
    `update webhook_delivery set created_at = now() - interval '50 seconds', next_at = now() - interval '20 seconds'`,
  )
  expect(await read()).toMatchObject({ oldest_seconds: 50, late_seconds: 20 })
  const node = await nodeForTest(own)
  receiver.replies.push(500)
  await node.deliver()
  expect(await read()).toMatchObject({
    'tries{outcome="retried"}': 1,
    ...states({ 'endpoints{state="failing"}': 1 }),
    late_seconds: 0,
  })
  await own.sql('update webhook_delivery set next_at = now()')
  receiver.replies.push(410)
  await node.deliver()
  expect(await read()).toMatchObject({ ...states({ 'endpoints{state="stopped"}': 1 }), oldest_seconds: 0 })
})
