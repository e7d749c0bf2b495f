import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { subscribe } from '../../../support/billing-rows.ts'
import { startIssuer, type TestIssuer } from '../../../support/issuer.ts'
import { openapi } from '../../../support/openapi.ts'
import { reusedDatabase } from '../../../support/reused-database.ts'
import { type Person, type Service, startService } from '../../../support/service.ts'
import { receiverEnv, registerEndpoint, webhooksPath } from '../../../support/webhook-receiver.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(openapi, 'openapi.json')
/** Whether the data are those that openapi.json describes for the type. */
function isDescribed(type: string, data: object): boolean {
  const $ref = `openapi.json#/webhooks/${type}/post/requestBody/content/application~1json/schema`
  return ajv.validate({ $ref }, { type, timestamp: new Date().toISOString(), data })
}

const events = Object.keys(openapi.webhooks).filter((type) => type !== 'webhook.test')

let service: Service
let admin: Person
let issuer: TestIssuer
let other: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
  other = await startIssuer()
  const rules = { algorithms: ['ES256'], audience: 'muster-api', claims: { session: 'sid' }, trustsEmail: true }
  const registry = [issuer, other].map(({ name }) => ({ issuer: name, ...rules }))
  service = await startService({ env: { ...receiverEnv, MUSTER_ISSUERS: JSON.stringify(registry) } })
  admin = await service.person({ role: 'admin' })
  await registerEndpoint(service, admin.token, { url: 'https://product.example.com/muster', events })
})
afterAll(async () => {
  await service.stop()
  await Promise.all([issuer.stop(), other.stop()])
})
beforeEach(async () => {
  await service.sql('delete from webhook_event')
})

interface Written {
  readonly type: string
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The events since the last call, by type. Each matches its schema and is for the endpoint. */
async function written(): Promise<readonly Written[]> {
  const found = await service.sql<Written & { deliveries: number }>(`
    select e.type, e.subject, e.data, (select count(*)::int from webhook_delivery d where d.event_id = e.id) as deliveries
    from webhook_event e order by e.type, e.subject`)
  await service.sql('delete from webhook_event')
  for (const { type, data, deliveries } of found) {
    expect([type, deliveries]).toEqual([type, 1])
    expect([type, data, isDescribed(type, data)]).toEqual([type, data, true])
  }
  return found.map(({ type, subject, data }) => ({ type, subject, data }))
}

const userPath = (id: string) => `/api/v1/admin/users/${id}`
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)

test("an administrator's changes to a user (role, disable, enable, delete) each send the current state", async () => {
  const person = await service.person({ email: 'ada@events.example' })
  await service.sql('delete from webhook_event')
  const user = {
    id: person.id,
    email: person.email,
    emailProved: true,
    role: 'user',
    status: 'active',
    createdAt: at,
    identities: [{ issuer: 'urn:muster:issuer', subject: person.id }],
  }
  const event = (type: string, data: object) => ({ type, subject: person.id, data })
  const { headers } = await service.get(userPath(person.id), { token: admin.token })
  const ifMatch = { 'if-match': String(headers.etag) }
  await service.call('PUT', `${userPath(person.id)}/role`, {
    token: admin.token,
    headers: ifMatch,
    body: { role: 'admin' },
  })
  expect(await written()).toEqual([event('user.updated', { ...user, role: 'admin' })])
  const change = async (name: string) =>
    service.post(`${userPath(person.id)}/${name}`, { token: admin.token, headers: { 'if-match': '*' } })
  await change('disable')
  expect(await written()).toEqual([event('user.disabled', { ...user, role: 'admin', status: 'disabled' })])
  await change('enable')
  expect(await written()).toEqual([event('user.enabled', { ...user, role: 'admin' })])
  const erased = await service.call('DELETE', userPath(person.id), { token: admin.token, headers: { 'if-match': '*' } })
  expect(erased.status).toBe(202)
  expect(await written()).toEqual([event('user.disabled', { ...user, role: 'admin', status: 'erasing' })])
  await service.sql('delete from account where id = $1', [person.id])
  expect(await written()).toEqual([event('user.deleted', { id: person.id })])
})

test('sends events for a new user, another email and its verification, but not for a sign-in, a language or a step of the epoch', async () => {
  const person = await service.person()
  expect(await written()).toMatchObject([{ type: 'user.created', subject: person.id, data: { role: 'user' } }])
  await service.sql(`update account set email = 'other@events.example' where id = $1`, [person.id])
  expect(await written()).toMatchObject([
    { type: 'user.updated', data: { email: 'other@events.example', emailProved: false } },
  ])
  await service.sql(`update account set email_proved_at = now(), email_proved_by = 'operator' where id = $1`, [
    person.id,
  ])
  expect(await written()).toMatchObject([{ type: 'user.updated', data: { emailProved: true } }])
  await service.tokenFor(person.id)
  await service.sql(
    `update account set language = 'de', security_epoch = security_epoch + 1, first_session = 'x' where id = $1`,
    [person.id],
  )
  expect(await written()).toEqual([])
})

test('a new user has one event with all identities, however it is created', async () => {
  const person = await service.person()
  const identities = [{ issuer: 'urn:muster:issuer', subject: person.id }]
  expect(await written()).toMatchObject([{ type: 'user.created', subject: person.id, data: { identities } }])
  const subject = crypto.randomUUID()
  await service.get('/api/v1/user/data', { token: await issuer.mint({ sub: subject, sid: 's' }) })
  expect(await written()).toMatchObject([
    { type: 'user.created', data: { identities: [{ issuer: issuer.name, subject }] } },
  ])
})

test('linking an identity to a user sends user.updated with all identities; a further token of it sends nothing', async () => {
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
  const call = async (at: TestIssuer, sub: string) =>
    service.get('/api/v1/user/data', {
      token: await at.mint({ sub, sid: 's', email: `${first}@events.example`, email_verified: true }),
    })
  await call(issuer, first)
  await service.sql('delete from webhook_event')
  await call(other, second)
  const identities = [
    { issuer: issuer.name, subject: first },
    { issuer: other.name, subject: second },
  ]
  const [event, ...more] = await written()
  expect(more).toEqual([])
  expect(event).toMatchObject({ type: 'user.updated', data: { email: `${first}@events.example` } })
  expect(event?.data.identities).toHaveLength(2)
  expect(event?.data.identities).toEqual(expect.arrayContaining(identities))
  await call(other, second)
  expect(await written()).toEqual([])
  await service.sql('delete from identity where issuer = $1 and subject = $2', [other.name, second])
  expect(await written()).toMatchObject([
    { type: 'user.updated', data: { identities: [{ issuer: issuer.name, subject: first }] } },
  ])
  await service.sql('delete from account where email = $1', [`${first}@events.example`])
  expect(await written()).toMatchObject([{ type: 'user.deleted' }])
})

test('several changes of a user in one transaction have increasing times, so the newest event is the last state', async () => {
  const { id } = await service.person()
  await service.sql('delete from webhook_event')
  await service.database.transaction(async (rows) => {
    for (const role of ['admin', 'user', 'admin'])
      await rows.query({ name: 'test_role', text: 'update account set role_id = $2 where id = $1' }, [id, role])
  })
  const found = await service.sql<{ role: string }>(`select data ->> 'role' as role from webhook_event order by at`)
  expect(found.map(({ role }) => role)).toEqual(['admin', 'user', 'admin'])
  const [times] = await service.sql<{ count: number }>('select count(distinct at)::int as count from webhook_event')
  expect(times?.count).toBe(3)
})

test('deleting a user removes the email from earlier events and leaves only the deletion', async () => {
  const person = await service.person({ email: 'gone@events.example' })
  await service.sql(`update account set role_id = 'admin' where id = $1`, [person.id])
  await service.sql('delete from account where id = $1', [person.id])
  const rows = await service.sql('select type, data from webhook_event')
  expect(rows).toEqual([{ type: 'user.deleted', data: { id: person.id } }])
})

test('sends each change of organizations and members once; deleting an organization sends no event per member', async () => {
  const owner = await service.person({ role: 'admin' })
  const other = await service.person()
  await service.sql('delete from webhook_event')
  const made = await service.post('/api/v1/orgs', { token: owner.token, body: { name: 'Engines' } })
  const orgId = Object(made.body).id
  const organization = { id: orgId, name: 'Engines', requiresMfa: false, createdAt: at }
  expect(await written()).toEqual([
    { type: 'organization.created', subject: orgId, data: organization },
    { type: 'organization.member_added', subject: orgId, data: { orgId, userId: owner.id, role: 'owner' } },
  ])
  await service.sql('insert into membership (organization_id, account_id) values ($1, $2)', [orgId, other.id])
  expect(await written()).toMatchObject([
    { type: 'organization.member_added', data: { userId: other.id, role: 'member' } },
  ])
  const member = `/api/v1/orgs/${orgId}/members/${other.id}`
  await service.call('PUT', `${member}/role`, { token: owner.token, body: { role: 'owner' } })
  expect(await written()).toEqual([
    { type: 'organization.member_changed', subject: orgId, data: { orgId, userId: other.id, role: 'owner' } },
  ])
  await service.call('DELETE', member, { token: owner.token })
  expect(await written()).toEqual([
    { type: 'organization.member_removed', subject: orgId, data: { orgId, userId: other.id } },
  ])
  await service.sql('update organization set requires_mfa = true where id = $1', [orgId])
  await service.sql('update organization set requires_mfa = true where id = $1', [orgId])
  expect(await written()).toEqual([
    { type: 'organization.updated', subject: orgId, data: { ...organization, requiresMfa: true } },
  ])
  await service.sql('delete from organization where id = $1', [orgId])
  expect(await written()).toEqual([{ type: 'organization.deleted', subject: orgId, data: { id: orgId } }])
})

test('deleting a member removes them from the organization, which remains', async () => {
  const person = await service.person()
  const [org] = await service.sql<{ id: string }>(`insert into organization (name) values ('Stays') returning id`)
  await service.sql('insert into membership (organization_id, account_id) values ($1, $2)', [org?.id, person.id])
  await service.sql('delete from webhook_event')
  await service.sql('delete from account where id = $1', [person.id])
  expect(await written()).toEqual([
    { type: 'organization.member_removed', subject: org?.id, data: { orgId: org?.id, userId: person.id } },
    { type: 'user.deleted', subject: person.id, data: { id: person.id } },
  ])
})

test('sends an event when a subscription starts or its status, price or owner changes, with the plan of user data; a repeated event sends none', async () => {
  const person = await service.person()
  await service.sql(`insert into plan (id, name) values ('gold', 'Gold')`)
  await service.sql(`insert into plan_price values ('price_gold', 'gold')`)
  await service.sql('delete from webhook_event')
  await subscribe(service, { customer: 'cus_events', accountId: person.id, price: 'price_gold', status: 'active' })
  const [row] = await service.sql<{ id: string }>(`select id from subscription where customer_id = 'cus_events'`)
  const subscription = { id: row?.id, userId: person.id, status: 'active', planId: 'gold', createdAt: at }
  const event = (data: object) => [{ type: 'subscription.changed', subject: row?.id, data }]
  expect(await written()).toEqual(event(subscription))
  await service.sql(`update subscription set status = 'past_due', seen_at = now() where customer_id = 'cus_events'`)
  expect(await written()).toEqual(event({ ...subscription, status: 'past_due' }))
  await service.sql(`update subscription set seen_at = now(), revision = revision + 1 where customer_id = 'cus_events'`)
  expect(await written()).toEqual([])
  await service.sql(`update subscription set price_ids = '{price_other}' where customer_id = 'cus_events'`)
  expect(await written()).toEqual(event({ ...subscription, status: 'past_due', planId: 'price_other' }))
  const [org] = await service.sql<{ id: string }>(`insert into organization (name) values ('Payer') returning id`)
  await service.sql('delete from webhook_event')
  await service.sql(`update customer set account_id = null, organization_id = $1 where id = 'cus_events'`, [org?.id])
  const { userId: _, ...unowned } = { ...subscription, status: 'past_due', planId: 'price_other' }
  expect(await written()).toEqual(event({ ...unowned, orgId: org?.id }))
})

test('an endpoint gets only its types, and other events are not written', async () => {
  await service.sql('delete from webhook_endpoint')
  await service.sql(`insert into organization (name) values ('Nobody asked')`)
  expect(await service.sql('select from webhook_event')).toEqual([])
  const one = await registerEndpoint(service, admin.token, { url: 'https://a.example.com/', events: ['user.created'] })
  const two = await registerEndpoint(service, admin.token, {
    url: 'https://b.example.com/',
    events: ['user.created', 'organization.created'],
  })
  await service.person()
  await service.sql(`insert into organization (name) values ('Asked by one')`)
  const found = await service.sql(`
    select e.type, array_agg(d.endpoint_id::text order by d.endpoint_id) as endpoints
    from webhook_delivery d join webhook_event e on e.id = d.event_id group by e.id order by e.type`)
  expect(found).toEqual([
    { type: 'organization.created', endpoints: [two.id] },
    { type: 'user.created', endpoints: [one.id, two.id].sort() },
  ])
  await service.call('PATCH', `${webhooksPath}/${two.id}`, { token: admin.token, body: { isEnabled: false } })
  await service.sql('delete from webhook_event')
  await service.sql(`insert into organization (name) values ('Disabled')`)
  expect(await service.sql('select from webhook_event')).toEqual([])
})

test('a million changed rows cost one more statement: each trigger is for statements, not for rows', async () => {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  const rows = await fresh.sql<{ name: string; of_rows: boolean }>(
    `select t.tgname as name, (t.tgtype & 1) > 0 as of_rows
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname like 'webhook_%' order by 1`,
  )
  expect(rows.filter(({ of_rows }) => of_rows)).toEqual([])
  expect(rows.map(({ name }) => name)).toEqual([
    'account_webhook_deleted',
    'account_webhook_inserted',
    'account_webhook_updated',
    'customer_webhook_updated',
    'identity_webhook_deleted',
    'identity_webhook_inserted',
    'invitation_webhook_deleted',
    'invitation_webhook_inserted',
    'invitation_webhook_updated',
    'membership_webhook_deleted',
    'membership_webhook_inserted',
    'membership_webhook_updated',
    'organization_webhook_deleted',
    'organization_webhook_inserted',
    'organization_webhook_updated',
    'subscription_webhook_inserted',
    'subscription_webhook_updated',
    'webhook_event_inserted',
  ])
})

test('removing an endpoint concurrently fails no change', async () => {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  const id = '0b2f6c1e-5d02-4b1e-9a40-3c5d1e0f7a11'
  await fresh.sql(
    `insert into webhook_endpoint (id, url, events, secret) values ($1, 'https://a.example.com/', '{organization.created}', '')`,
    [id],
  )
  const remover = await fresh.database.connect()
  onTestFinished(() => remover.end())
  await remover.query('begin')
  await remover.query('delete from webhook_endpoint')
  const changed = fresh.sql(`insert into organization (name) values ('Meanwhile') returning name`)
  await expect
    .poll(async () => (await fresh.sql(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)).length)
    .toBe(1)
  await remover.query('commit')
  expect(await changed).toEqual([{ name: 'Meanwhile' }])
  expect(await fresh.sql('select from webhook_delivery')).toEqual([])
})
