import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribe } from '../../../support/billing-rows.ts'
import { holdRows } from '../../../support/blocked.ts'
import { makeDataDir } from '../../../support/data-dir.ts'
import { startIssuer, type TestIssuer } from '../../../support/issuer.ts'
import { eraseDueAccounts } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Person, type Service, serviceForTest, startService } from '../../../support/service.ts'

let service: Service
let admin: Person
let issuer: TestIssuer
let dataDir: Awaited<ReturnType<typeof makeDataDir>>

beforeAll(async () => {
  dataDir = await makeDataDir()
  issuer = await startIssuer()
  const entry = { issuer: issuer.name, algorithms: ['ES256'], audience: 'muster-api', trustsEmail: true }
  service = await startService({
    env: { MUSTER_DATA_DIR: dataDir.path, MUSTER_ISSUERS: JSON.stringify([{ ...entry, claims: { session: 'sid' } }]) },
  })
  admin = await service.person({ role: 'admin' })
})
afterAll(async () => {
  await service.stop()
  await issuer.stop()
  await dataDir.remove()
})

const pathOf = (id: string) => `/api/v1/admin/users/${id}`

function erase(id: string, body?: object, { token = admin.token, on = service, ifMatch = '*' } = {}) {
  return on.call('DELETE', pathOf(id), { token, headers: { 'if-match': ifMatch }, ...(body && { body }) })
}

async function exists(id: string): Promise<boolean> {
  return (await service.sql('select from account where id = $1', [id])).length === 1
}

async function organization(members: Readonly<Record<string, string>>): Promise<string> {
  const [org] = await service.sql<{ id: string }>(`insert into organization (name) values ('Engines') returning id`)
  for (const [id, role] of Object.entries(members))
    await service.sql('insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)', [
      org?.id,
      id,
      role,
    ])
  return String(org?.id)
}

/** Moves the end of the grace period to now. */
const makeDue = (id: string) => service.sql('update account set erases_at = now() where id = $1', [id])

describe('requesting the deletion of a user', () => {
  test('202 — disabled on every node immediately, hidden from lists and shown as erasing; the sessions end', async () => {
    const other = await serviceForTest({ on: service.fresh, env: { MUSTER_DATA_DIR: dataDir.path } })
    const person = await service.person()
    const orgId = await organization({ [person.id]: 'member', [admin.id]: 'owner' })
    for (const node of [service, other])
      expect((await node.get('/api/v1/user/data', { token: person.token })).status).toBe(200)
    const answer = await erase(person.id)
    expect(answer).toMatchObject({ status: 202, body: { erasesAt: expect.any(String) } })
    const { erasesAt } = answer.body as { erasesAt: string }
    expect(Math.round((Date.parse(erasesAt) - Date.now()) / 86_400_000)).toBe(14)
    expect(problemOf(await service.get('/api/v1/user/data', { token: person.token }))).toEqual({
      status: 401,
      code: 'account_disabled',
    })
    await expect.poll(async () => (await other.get('/api/v1/user/data', { token: person.token })).status).toBe(401)
    expect((await service.get(pathOf(person.id), { token: admin.token })).body).toMatchObject({
      status: 'erasing',
      erasesAt: expect.stringContaining(erasesAt.slice(0, 19)),
    })
    const listed = async (query: string) =>
      (await service.get(`/api/v1/admin/users/fetch?${query}`, { token: admin.token })).text.includes(person.id)
    const queries = [
      '',
      'limit=1000',
      `limit=1000&email=${person.email}`,
      `limit=9&orgId=${orgId}`,
      'status=disabled',
      'status=active',
    ]
    for (const query of queries) expect([query, await listed(query)]).toEqual([query, false])
    for (const query of ['status=erasing', `limit=9&status=erasing&email=${person.email}`])
      expect([query, await listed(query)]).toEqual([query, true])
    const members = await service.get(`/api/v1/orgs/${orgId}/members`, { token: admin.token })
    expect(members.text).not.toContain(person.id)
  })

  test('202 — repeating it returns the same time, and enabling restores the account', async () => {
    const { id } = await service.person()
    const first = await erase(id)
    expect(await erase(id)).toMatchObject({ status: 202, body: first.body })
    const enabled = await service.post(`${pathOf(id)}/enable`, { token: admin.token, headers: { 'if-match': '*' } })
    expect(enabled).toMatchObject({ status: 200, body: { status: 'active' } })
    expect(enabled.body).not.toHaveProperty('erasesAt')
    const events = await service.sql('select action, actor_id from audit_event where target_id = $1 order by at, id', [
      id,
    ])
    expect(events).toEqual([
      { action: 'account.erase_requested', actor_id: admin.id },
      { action: 'account.enabled', actor_id: admin.id },
    ])
  })

  test('202 and 412 — one of two concurrent requests with the same ETag succeeds', async () => {
    const { id } = await service.person()
    const ifMatch = String((await service.get(pathOf(id), { token: admin.token })).headers.etag)
    // Both have passed the gate before the administration lock is released.
    const held = await holdRows(service.fresh, [[`select lock_name('administration')`, []]])
    const erasures = Promise.all([1, 2, 3].map(() => erase(id, undefined, { ifMatch })))
    await held.commitOnce(erasures)
    const answers = await erasures
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 412, 412])
  })

  test('400, 403, 404, 428 — invalid body, no permission, a role that grants more, unknown user, no If-Match', async () => {
    const { id, token } = await service.person()
    expect(problemOf(await erase(id, { immediately: 'yes' }))).toEqual({ status: 400, code: 'input_invalid' })
    expect(problemOf(await erase(id, { at: 'once' }))).toEqual({ status: 400, code: 'input_invalid' })
    expect(problemOf(await erase('1'))).toEqual({ status: 400, code: 'input_invalid' })
    expect(problemOf(await erase(admin.id, {}, { token }))).toEqual({ status: 403, code: 'permission_missing' })
    expect(problemOf(await erase(randomUUID()))).toEqual({ status: 404, code: 'user_unknown' })
    const stateless = await service.call('DELETE', pathOf(id), { token: admin.token })
    expect(problemOf(stateless)).toEqual({ status: 428, code: 'precondition_required' })
    await service.sql(`insert into role (id, name) values ('eraser', 'Eraser') on conflict do nothing`)
    await service.sql(`insert into role_grant values ('eraser', 'users', 'erase') on conflict do nothing`)
    const eraser = await service.person({ role: 'eraser' })
    expect(problemOf(await erase(admin.id, {}, eraser))).toEqual({ status: 403, code: 'permission_exceeds' })
    expect(await exists(id)).toBe(true)
  })

  test('409 last_administrator — two administrators who delete each other concurrently leave one', async () => {
    const alone = await serviceForTest({ env: { MUSTER_DATA_DIR: dataDir.path } })
    const [one, two] = [await alone.person({ role: 'admin' }), await alone.person({ role: 'admin' })]
    const answers = await Promise.all([
      erase(two.id, { immediately: true }, { token: one.token, on: alone }),
      erase(one.id, { immediately: true }, { token: two.token, on: alone }),
    ])
    expect(answers.map(({ status }) => status).sort()).not.toEqual([202, 202])
    const last = answers[0]?.status === 202 ? one : two
    const self = await erase(last.id, { immediately: true }, { token: last.token, on: alone })
    expect(problemOf(self)).toEqual({ status: 409, code: 'last_administrator' })
  })

  test('409 last_owner — the only owner of an organization with other members', async () => {
    const [owner, member] = [await service.person(), await service.person()]
    const orgId = await organization({ [owner.id]: 'owner', [member.id]: 'member' })
    expect(problemOf(await erase(owner.id))).toEqual({ status: 409, code: 'last_owner' })
    await service.sql(`update membership set role_id = 'owner' where organization_id = $1`, [orgId])
    // A disabled owner does not count.
    await service.sql('update account set disabled_at = now() where id = $1', [member.id])
    expect(problemOf(await erase(owner.id))).toEqual({ status: 409, code: 'last_owner' })
    await service.sql('update account set disabled_at = null where id = $1', [member.id])
    expect((await erase(owner.id)).status).toBe(202)
    // The other owner is now the last one, although the first can still be restored.
    expect((await erase(member.id)).status).toBe(202)
    await makeDue(member.id)
    expect(await eraseDueAccounts(service)).toBe(1)
    // An organization whose other member can still be restored is kept.
    expect(await service.sql('select from organization where id = $1', [orgId])).toHaveLength(1)
  })

  test('409 last_owner — waits for a concurrent change of the organization’s members', async () => {
    const [owner, other, member] = [await service.person(), await service.person(), await service.person()]
    const orgId = await organization({ [owner.id]: 'owner', [other.id]: 'owner', [member.id]: 'member' })
    const held = await holdRows(service.fresh, [
      ['select from organization where id = $1 for no key update', [orgId]],
      [`update membership set role_id = 'member' where account_id = $1`, [other.id]],
    ])
    const erasing = erase(owner.id)
    await held.commitOnce(erasing)
    expect(problemOf(await erasing)).toEqual({ status: 409, code: 'last_owner' })
  })

  test('the audit log shows until when the account can be restored', async () => {
    const { id } = await service.person()
    const { body } = await erase(id)
    const [event] = await service.sql<{ details: object }>(
      `select details from audit_event where action = 'account.erase_requested' and target_id = $1`,
      [id],
    )
    expect(event?.details).toEqual(body)
  })

  test('409 subscription_active — with an active subscription, also of the user’s own organization', async () => {
    for (const status of ['active', 'past_due', 'paused']) {
      const { id } = await service.person()
      await subscribe(service, { customer: `cus_${status}`, accountId: id, price: 'price', status })
      expect(problemOf(await erase(id))).toEqual({ status: 409, code: 'subscription_active' })
      await service.sql(`update subscription set status = 'canceled' where customer_id = $1`, [`cus_${status}`])
      expect((await erase(id)).status).toBe(202)
    }
    const { id } = await service.person()
    const orgId = await organization({ [id]: 'owner' })
    await subscribe(service, { customer: 'cus_org', orgId, price: 'price', status: 'trialing' })
    expect(problemOf(await erase(id))).toEqual({ status: 409, code: 'subscription_active' })
  })
})

describe('deleting a user', () => {
  test('removes the user from every table, and the audit log keeps the events', async () => {
    const needle = `needle-${randomUUID()}`
    const person = await service.person({ email: `${needle}@example.com` })
    const { id } = person
    const subject = `subject-${needle}`
    const sole = await organization({ [id]: 'owner' })
    const shared = await organization({ [id]: 'owner', [admin.id]: 'owner' })
    await service.sql('insert into identity values ($1, $2, $3)', [issuer.name, subject, id])
    await service.sql(`insert into device (account_id, hash, label) values ($1, $2, $3)`, [
      id,
      Buffer.from(needle),
      needle,
    ])
    await service.sql(`insert into factor (account_id, friendly_name, secret) values ($1, $2, '')`, [id, needle])
    await service.sql(`update session set user_agent = $2, address = '192.0.2.77' where account_id = $1`, [id, needle])
    await service.sql(
      `insert into sign_up_invitation (hash, email, role_id, expires_at) values ($1, $2, 'user', now())`,
      [Buffer.from(needle), person.email],
    )
    await service.sql(
      `insert into customer (id, account_id, claim_kind, claim_value, claim_rank, claim_at) values ('cus_needle', $1, 'any', $2, 1, now())`,
      [id, subject],
    )
    await service.sql('insert into mail_request (email) values ($1)', [person.email.toUpperCase()])
    await service.sql(`insert into customer (id, organization_id) values ('cus_sole', $1)`, [sole])
    const event = `insert into audit_event (action, actor_id, target_kind, target_id, address, details)`
    await service.sql(
      `${event} values ('session.opened', $1::uuid, 'session', 's', '192.0.2.77', '{"amr": ["pwd"]}')`,
      [id],
    )
    await service.sql(
      `${event} values ('account.email_changed', null, 'account', $1::uuid::text, '192.0.2.77', jsonb_build_object('from', upper($2::text), 'kept', 1))`,
      [id, person.email],
    )
    await service.sql(`${event} values ('account.disabled', $2::uuid, 'account', $1::uuid::text, '192.0.2.99', '{}')`, [
      id,
      admin.id,
    ])
    expect(await tablesWith(needle)).toEqual(
      expect.arrayContaining([
        'account',
        'credential',
        'customer',
        'device',
        'factor',
        'identity',
        'sign_up_invitation',
      ]),
    )

    expect((await erase(id, { immediately: true })).status).toBe(202)
    expect(await exists(id)).toBe(false)
    expect(await tablesWith(needle)).toEqual([])
    expect(await tablesWith('192.0.2.77')).toEqual([])
    const organizations = await service.sql<{ id: string }>('select id from organization where id = any($1)', [
      [sole, shared],
    ])
    expect(organizations).toEqual([{ id: shared }])
    const events = await service.sql(
      `select action, address, details from audit_event where (actor_id = $1 or target_id = $1::uuid::text) order by action, at`,
      [id],
    )
    expect(events).toMatchObject([
      { action: 'account.disabled', address: '192.0.2.99' },
      { action: 'account.email_changed', address: null, details: { kept: 1 } },
      { action: 'account.erase_requested' },
      { action: 'account.erased' },
      { action: 'session.opened', address: null, details: { amr: ['pwd'] } },
    ])
    expect(problemOf(await service.get(pathOf(id), { token: admin.token }))).toEqual({
      status: 404,
      code: 'user_unknown',
    })
    expect((await service.get('/api/v1/user/data', { token: person.token })).body).toMatchObject({
      status: 403,
      code: 'account_unknown',
    })
    // The email is free again.
    expect((await service.person({ email: person.email })).id).not.toBe(id)
  })

  test('401 account_removed for a token issued before the deletion; a later token creates an empty account', async () => {
    const sub = randomUUID()
    const before = await issuer.mint({ sub, email: `${sub}@example.com`, sid: 's' })
    expect((await service.get('/api/v1/user/data', { token: before })).status).toBe(200)
    const [account] = await service.sql<{ account_id: string }>('select account_id from identity where subject = $1', [
      sub,
    ])
    const id = String(account?.account_id)
    expect((await erase(id, { immediately: true })).status).toBe(202)
    expect(problemOf(await service.get('/api/v1/user/data', { token: before }))).toEqual({
      status: 401,
      code: 'account_removed',
    })
    expect(await tablesWith(sub)).toEqual([])
    await service.sql(`update removed_identity set removed_at = removed_at - interval '2 minutes'`)
    const after = await issuer.mint({ sub, email: `${sub}@example.com`, sid: 's' })
    expect((await service.get('/api/v1/user/data', { token: after })).body).toMatchObject({ isFirstLogin: true })
  })

  test('a list in progress skips no other user', async () => {
    const alone = await serviceForTest({ env: { MUSTER_DATA_DIR: dataDir.path } })
    const chief = await alone.person({ role: 'admin' })
    const people = await Promise.all(Array.from({ length: 9 }, () => alone.person()))
    const seen: string[] = []
    let next: string | undefined = '/api/v1/admin/users/fetch?limit=2'
    let gone = [...people]
    while (next !== undefined) {
      const page = await alone.get(next, { token: chief.token })
      seen.push(...(page.body as { users: { id: string }[] }).users.map(({ id }) => id))
      next = /<([^>]+)>/.exec(String(page.headers.link ?? ''))?.[1]
      // Deletes the last user of a page, and one not listed yet, so both the cursor's position and a later row
      // disappear.
      const last = seen.at(-1)
      const victims = gone.filter(({ id }) => id === last)
      gone = gone.filter((person) => !victims.includes(person))
      for (const { id } of victims) await erase(id, { immediately: true }, { token: chief.token, on: alone })
    }
    expect(new Set(seen)).toEqual(new Set([chief.id, ...people.map(({ id }) => id)]))
    expect(seen).toHaveLength(10)
  })

  test('a new subscription blocks one account, and the others are deleted', async () => {
    const [held, other] = [await service.person(), await service.person()]
    for (const { id } of [held, other]) await erase(id)
    await subscribe(service, { customer: 'cus_late', accountId: held.id, price: 'price', status: 'active' })
    for (const { id } of [held, other]) await makeDue(id)
    expect(await eraseDueAccounts(service)).toBe(1)
    expect([await exists(held.id), await exists(other.id)]).toEqual([true, false])
  })

  test('a deletion during a token refresh ends the session without a server error', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await service.person()
      const signedIn = await service.post('/auth/sign-in', { body: { email: person.email, password: person.password } })
      const { refresh_token } = signedIn.body as { refresh_token: string }
      const [erased, ...refreshed] = await Promise.all([
        erase(person.id, { immediately: true }),
        ...[1, 2, 3].map(() => service.post('/auth/refresh', { body: { refresh_token } })),
      ])
      expect(erased.status).toBe(202)
      expect(refreshed.filter(({ status }) => status >= 500)).toEqual([])
      expect((await service.post('/auth/refresh', { body: { refresh_token } })).status).toBe(401)
    }
  })
})

/** The tables with this text in a text or JSON column. */
async function tablesWith(text: string): Promise<string[]> {
  const columns = await service.sql<{ relation: string; attribute: string }>(`
select c.relname as relation, a.attname as attribute
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  and a.atttypid::regtype::text in ('text', 'character varying', 'jsonb', 'json', 'text[]', 'uuid')`)
  const found = new Set<string>()
  for (const { relation, attribute } of columns) {
    const rows = await service.sql(
      `select 1 from ${relation} where ${attribute}::text ilike '%' || $1 || '%' limit 1`,
      [text],
    )
    if (rows.length > 0) found.add(relation)
  }
  return [...found].sort()
}
