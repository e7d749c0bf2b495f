import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issuerForTest } from '../../../support/issuer.ts'
import { operations } from '../../../support/openapi.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Answer, type Person, type Service, serviceForTest, startService } from '../../../support/service.ts'
import { newKey } from '../../../support/service-keys.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
  await service.sql(`insert into role (id, name) values ('support', 'Support'), ('boss', 'Boss')`)
  await service.sql(
    `insert into role_grant values ('support', 'users', 'act_as'), ('support', 'provider_keys', 'validate'),
     ('boss', 'vault', 'open')`,
  )
})
afterAll(() => service.stop())

const pathOf = (id: string) => `/api/v1/admin/users/${id}/act-as`
const reason = 'Ticket 4711'

function start(actor: Pick<Person, 'token'>, userId: string, body: unknown = { reason }) {
  return service.post(pathOf(userId), { token: actor.token, body })
}

function stop(actor: Pick<Person, 'token'>, userId: string) {
  return service.call('DELETE', pathOf(userId), { token: actor.token })
}

/** The response that the administrator gets while acting as the user. */
function readAs(actor: Pick<Person, 'token'>, userId: string, path = '/api/v1/user/data', more = {}): Promise<Answer> {
  return service.get(path, { token: actor.token, headers: { 'act-as': userId, ...more } })
}

async function begun(role = 'user'): Promise<{ readonly actor: Person; readonly user: Person }> {
  const [actor, user] = [await service.person({ role: 'admin' }), await service.person({ role })]
  expect((await start(actor, user.id)).status).toBe(201)
  return { actor, user }
}

async function eventsOf(id: string) {
  return service.sql<{ action: string; actor_id: string; actor_kind: string; details: Record<string, string> }>(
    `select action, actor_id, actor_kind, details from audit_event where target_id = $1 and action like 'act_as.%' order by at, id`,
    [id],
  )
}

const ownReads = operations.filter(({ actAs }) => actAs)

describe('acting as a user', () => {
  test('200 for each of the user’s own reads, marked with the administrator, not cached, and never with the administrator’s data', async () => {
    const { actor, user } = await begun()
    await service.sql(
      `with made as (insert into organization (name) values ('Engines') returning id)
       insert into membership (organization_id, account_id, role_id) select id, $1, 'owner' from made`,
      [user.id],
    )
    expect(ownReads.map(({ path }) => path)).toEqual([
      '/api/v1/user/data',
      '/api/v1/orgs',
      '/api/v1/invitations',
      '/auth/devices',
      '/auth/sessions',
      '/auth/account',
      '/auth/factors',
    ])
    for (const { path } of ownReads) {
      const own = await service.get(path, { token: user.token })
      const seen = await readAs(actor, user.id, path)
      expect(seen.headers, path).toMatchObject({ 'acted-by': actor.id, 'cache-control': 'no-store' })
      expect(seen.headers, path).not.toHaveProperty('etag')
      // `isCurrent` is false: the session of the request is not one of the user.
      expect(seen.text, path).toBe(own.text.replace('"isCurrent":true', '"isCurrent":false'))
      expect(own.headers, path).not.toHaveProperty('acted-by')
      expect((await service.get(path, { token: actor.token })).headers, path).not.toHaveProperty('acted-by')
    }
  })

  test('returns the data of the requested organization, and the optional members', async () => {
    const { actor, user } = await begun()
    const [org] = await service.sql<{ id: string }>(
      `with made as (insert into organization (name) values ('Looms') returning id)
       insert into membership (organization_id, account_id, role_id) select id, $1, 'owner' from made returning organization_id as id`,
      [user.id],
    )
    const path = `/api/v1/user/data?orgId=${org?.id}&details=true`
    expect((await readAs(actor, user.id, path)).body).toMatchObject({ orgId: org?.id, mfaRequired: false })
    expect((await readAs(actor, user.id)).body).not.toHaveProperty('mfaRequired')
    const other = await readAs(actor, user.id, `/api/v1/user/data?orgId=${user.id}`)
    expect(problemOf(other)).toMatchObject({ status: 404, code: 'organization_unknown' })
    expect(other.headers).toMatchObject({ 'acted-by': actor.id })
  })

  test('never mixes ETags and 304 responses of the user, the administrator and the administrator acting as the user', async () => {
    const { actor, user } = await begun()
    const own = await service.get('/api/v1/user/data', { token: user.token })
    const acted = await readAs(actor, user.id)
    for (const { headers } of [own, acted]) expect(String(headers.vary)).toBe('Authorization, Act-As')
    for (const tag of [String(own.headers.etag), '*']) {
      const again = await readAs(actor, user.id, '/api/v1/user/data', { 'if-none-match': tag })
      expect(again.status).toBe(200)
      expect(again.headers).toMatchObject({ 'acted-by': actor.id })
    }
    const after = await service.get('/api/v1/user/data', {
      token: user.token,
      headers: { 'if-none-match': String(own.headers.etag) },
    })
    expect(after.status).toBe(304)
    expect(after.headers).not.toHaveProperty('acted-by')
    expect((await service.get('/api/v1/user/data', { token: actor.token })).body).toMatchObject({
      permissions: { users: expect.arrayContaining(['act_as']) },
    })
  })

  test('does not count as a sign-in: writes no first session, session, device, identity or email of the user', async () => {
    const user = await service.person()
    const actor = await service.person({ role: 'admin' })
    await service.sql('delete from session where account_id = $1', [user.id])
    await service.sql('update account set first_session = null where id = $1', [user.id])
    const rowsOf = async () =>
      service.sql(
        `select a.*, (select count(*) from session s where s.account_id = a.id) as sessions,
                (select count(*) from device d where d.account_id = a.id) as devices,
                (select count(*) from identity i where i.account_id = a.id) as identities,
                (select count(*) from mail_outbox) as mails, (select count(*) from account) as accounts
         from account a where a.id = $1`,
        [user.id],
      )
    const before = await rowsOf()
    await start(actor, user.id)
    for (const { path } of ownReads) expect((await readAs(actor, user.id, path)).status).toBe(200)
    expect((await readAs(actor, user.id)).body).toMatchObject({ isFirstLogin: true })
    await stop(actor, user.id)
    expect(await rowsOf()).toEqual(before)
    const token = await service.tokenFor(user.id)
    expect((await service.get('/api/v1/user/data', { token })).body).toMatchObject({ isFirstLogin: true })
  })
})

describe('rejected requests while acting as a user', () => {
  test('403 act_as_read_only for every operation except the own reads, for every caller, without any effect', async () => {
    const { actor, user } = await begun()
    const { key } = await newKey(service, admin)
    const others = operations.filter(({ actAs, needsCaller }) => needsCaller && !actAs)
    const countEvents = () => service.sql('select count(*) from audit_event')
    const before = await countEvents()
    for (const { method, path } of others) {
      const at = path.replaceAll(/\{\w+\}/g, user.id)
      const answer = await service.call(method, at, { token: actor.token, headers: { 'act-as': user.id } })
      // Payment processors are not configured here.
      if (answer.status === 404) expect(problemOf(answer)).toMatchObject({ code: 'route_unknown' })
      else expect(problemOf(answer), `${method} ${path}`).toMatchObject({ status: 403, code: 'act_as_read_only' })
    }
    const byKey = await service.get('/api/v1/admin/users', { token: key, headers: { 'act-as': user.id } })
    expect(problemOf(byKey)).toMatchObject({ code: 'act_as_read_only' })
    expect(problemOf(await readAs({ token: key }, user.id))).toMatchObject({ code: 'caller_not_a_person' })
    expect(await countEvents()).toEqual(before)
  })

  test('400 input_invalid without a user, with two users, without a reason, or with a line break in the reason', async () => {
    const { actor, user } = await begun()
    for (const asked of ['', 'ada', `${user.id}, ${user.id}`, user.id.toUpperCase()])
      expect((await readAs(actor, asked)).body).toMatchObject({
        status: 400,
        code: 'input_invalid',
        errors: [{ parameter: 'Act-As', detail: expect.any(String) }],
      })
    for (const body of [{}, { reason: '' }, { reason: 'a\nb' }, { reason: 'x'.repeat(201) }, { reason, minutes: 600 }])
      expect(problemOf(await start(actor, user.id, body))).toMatchObject({ status: 400, code: 'input_invalid' })
  })

  test('403 permission_missing without users:act_as, 401 step_up_required without a recent sign-in', async () => {
    const [other, user] = [await service.person(), await service.person()]
    for (const answer of [await start(other, user.id), await stop(other, user.id), await readAs(other, user.id)])
      expect(problemOf(answer)).toMatchObject({ status: 403, code: 'permission_missing' })
    const actor = await service.person({ role: 'admin' })
    await service.sql(`update session set proved_at = now() - interval '20 minutes' where account_id = $1`, [actor.id])
    expect((await start(actor, user.id)).body).toMatchObject({
      code: 'step_up_required',
      needs: { maxAgeSeconds: 900 },
    })
    expect((await stop(actor, user.id)).status).toBe(204)
  })

  test('404 user_unknown for an unknown user, 409 user_disabled for a disabled user', async () => {
    const user = await service.person()
    await service.sql('update account set disabled_at = now() where id = $1', [user.id])
    expect(problemOf(await start(admin, user.id))).toMatchObject({ status: 409, code: 'user_disabled' })
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect(problemOf(await start(admin, nobody))).toMatchObject({ status: 404, code: 'user_unknown' })
  })

  test('403 permission_exceeds for a user whose role grants more than the caller’s, also if it changes later', async () => {
    const supporter = await service.person({ role: 'support' })
    for (const role of ['admin', 'boss']) {
      const { body } = await start(supporter, (await service.person({ role })).id)
      expect(body).toMatchObject({ status: 403, code: 'permission_exceeds', missing: expect.any(Object) })
    }
    const user = await service.person()
    expect((await start(supporter, user.id)).status).toBe(201)
    expect((await readAs(supporter, user.id)).status).toBe(200)
    await service.sql(`insert into role_grant values ('user', 'vault', 'open')`)
    const answer = await readAs(supporter, user.id)
    await service.sql(`delete from role_grant where role_id = 'user' and resource = 'vault'`)
    expect(answer.body).toMatchObject({ status: 403, code: 'permission_exceeds', missing: { vault: ['open'] } })
  })
})

describe('the end of acting as a user', () => {
  const ended = { status: 403, code: 'act_as_ended' }

  test('403 act_as_ended before the start, for another user, after the end, and after the time', async () => {
    const [actor, user, other] = [
      await service.person({ role: 'admin' }),
      await service.person(),
      await service.person(),
    ]
    expect(problemOf(await readAs(actor, user.id))).toMatchObject(ended)
    const { body } = await start(actor, user.id)
    expect(body).toEqual({ userId: user.id, expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) })
    const leftMs = Date.parse(Object(body).expiresAt) - Date.now()
    expect(leftMs).toBeLessThanOrEqual(905_000)
    expect(leftMs).toBeGreaterThan(600_000)
    expect(problemOf(await readAs(actor, other.id))).toMatchObject(ended)
    expect((await readAs(actor, user.id)).status).toBe(200)
    expect((await stop(actor, other.id)).status).toBe(204)
    expect((await readAs(actor, user.id)).status).toBe(200)
    expect((await stop(actor, user.id)).status).toBe(204)
    const answer = await readAs(actor, user.id)
    expect(problemOf(answer)).toMatchObject(ended)
    expect(answer.headers).not.toHaveProperty('acted-by')
    await start(actor, user.id)
    await service.sql('update act_as set expires_at = now() where actor_id = $1', [actor.id])
    expect(problemOf(await readAs(actor, user.id))).toMatchObject(ended)
  })

  test('covers one user at a time, and only the session that started it', async () => {
    const { actor, user } = await begun()
    const elsewhere = { token: await service.tokenFor(actor.id) }
    expect(problemOf(await readAs(elsewhere, user.id))).toMatchObject(ended)
    const second = await service.person()
    await start(actor, second.id)
    expect(problemOf(await readAs(actor, user.id))).toMatchObject(ended)
    expect((await readAs(actor, second.id)).status).toBe(200)
    expect((await service.post('/auth/sign-out', { token: actor.token })).status).toBe(204)
    expect(problemOf(await readAs(actor, second.id))).toMatchObject({ status: 401, code: 'session_ended' })
    expect(problemOf(await readAs(elsewhere, second.id))).toMatchObject(ended)
  })

  test('ends for good when either account is disabled or gets another role, even if that is undone immediately', async () => {
    const changes = {
      disabled: ['set disabled_at = now()', 'set disabled_at = null'],
      'another role': [`set role_id = 'user'`, `set role_id = 'admin'`],
    }
    for (const [name, [change, back]] of Object.entries(changes))
      for (const side of ['actor', 'user'] as const) {
        const two = await begun('admin')
        expect((await readAs(two.actor, two.user.id)).status).toBe(200)
        await service.sql(`update account ${change} where id = $1`, [two[side].id])
        await service.sql(`update account ${back} where id = $1`, [two[side].id])
        expect(problemOf(await readAs(two.actor, two.user.id)), `${side} ${name}`).toMatchObject(ended)
        expect((await eventsOf(two.user.id)).at(-1)).toMatchObject({ action: 'act_as.ended', actor_id: two.actor.id })
      }
  })

  test('ends when the administrator is disabled or loses the permission, and when the user is deleted', async () => {
    const disabled = await begun()
    const { headers } = await service.get(`/api/v1/admin/users/${disabled.actor.id}`, { token: admin.token })
    await service.post(`/api/v1/admin/users/${disabled.actor.id}/disable`, {
      token: admin.token,
      headers: { 'if-match': String(headers.etag) },
    })
    expect(problemOf(await readAs(disabled.actor, disabled.user.id))).toMatchObject({ code: 'account_disabled' })

    const supporter = await service.person({ role: 'support' })
    const user = await service.person()
    await start(supporter, user.id)
    await service.sql(`delete from role_grant where role_id = 'support' and action = 'act_as'`)
    const answer = await readAs(supporter, user.id)
    await service.sql(`insert into role_grant values ('support', 'users', 'act_as')`)
    expect(problemOf(answer)).toMatchObject({ code: 'permission_missing' })

    const gone = await begun()
    await service.sql('delete from account where id = $1', [gone.user.id])
    expect(problemOf(await readAs(gone.actor, gone.user.id))).toMatchObject(ended)
    expect(await service.sql('select from act_as where actor_id = $1', [gone.actor.id])).toEqual([])
  })
})

describe('the audit log of acting as a user', () => {
  test('records the start with its reason, each use with its operation, and the end, each with both accounts', async () => {
    const { actor, user } = await begun()
    await readAs(actor, user.id)
    await readAs(actor, user.id, '/auth/sessions')
    await stop(actor, user.id)
    await stop(actor, user.id)
    await start(actor, user.id)
    await start(actor, (await service.person()).id)
    const by = { actor_id: actor.id, actor_kind: 'account' }
    const started = { ...by, action: 'act_as.started', details: { reason, expiresAt: expect.any(String) } }
    expect(await eventsOf(user.id)).toEqual([
      started,
      { ...by, action: 'act_as.used', details: { operation: 'getUserData' } },
      { ...by, action: 'act_as.used', details: { operation: 'listSessions' } },
      { ...by, action: 'act_as.ended', details: {} },
      started,
      { ...by, action: 'act_as.ended', details: {} },
    ])
    const trail = await service.get(`/api/v1/admin/audit?targetId=${user.id}&action=act_as`, { token: admin.token })
    expect(trail.body).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ actorEmail: actor.email })]),
    })
  })

  test('records no end for an expired entry, and no use for a rejected read', async () => {
    const { actor, user } = await begun()
    await service.sql('update act_as set expires_at = now() where actor_id = $1', [actor.id])
    await readAs(actor, user.id)
    await stop(actor, user.id)
    expect((await eventsOf(user.id)).map(({ action }) => action)).toEqual(['act_as.started'])
  })

  test('loses the reason when the user is deleted; the reason is never in the logs', async () => {
    const actor = await service.person({ role: 'admin' })
    const user = await service.person()
    await start(actor, user.id, { reason: 'canary: calls herself Lady Lovelace' })
    await readAs(actor, user.id)
    const { headers } = await service.get(`/api/v1/admin/users/${user.id}`, { token: admin.token })
    const erased = await service.call('DELETE', `/api/v1/admin/users/${user.id}`, {
      token: admin.token,
      headers: { 'if-match': String(headers.etag) },
      body: { immediately: true },
    })
    expect(erased.status).toBe(202)
    expect((await eventsOf(user.id)).map(({ action, details }) => [action, Object.keys(details)])).toEqual([
      ['act_as.started', ['expiresAt']],
      ['act_as.used', ['operation']],
      ['act_as.ended', []],
    ])
    expect(await service.logged()).not.toContain('canary')
  })
})

test('administrators of another issuer can act as its users, each in their own session, without the built-in issuer', async () => {
  const issuer = await issuerForTest()
  const entry = {
    issuer: issuer.name,
    algorithms: ['ES256'],
    audience: 'muster-api',
    claims: { session: 'sid' },
  }
  const foreign = await serviceForTest({
    env: { MUSTER_BUILT_IN_ISSUER: 'false', MUSTER_ISSUERS: JSON.stringify([entry]) },
  })
  const account = async (sub: string) => {
    const token = await issuer.mint({ sub, sid: `${sub}-1` })
    await foreign.get('/api/v1/user/data', { token })
    const [row] = await foreign.sql<{ id: string }>('select account_id as id from identity where subject = $1', [sub])
    return { id: String(row?.id), token }
  }
  const [actor, user] = [await account('root'), await account('ada')]
  await foreign.sql(`update account set role_id = 'admin' where id = $1`, [actor.id])
  const begin = await foreign.post(pathOf(user.id), { token: actor.token, body: { reason } })
  expect(begin.status).toBe(201)
  const headers = { 'act-as': user.id }
  for (const path of ['/api/v1/user/data', '/api/v1/orgs']) {
    const seen = await foreign.get(path, { token: actor.token, headers })
    expect(seen).toMatchObject({ status: 200, headers: { 'acted-by': actor.id } })
  }
  const data = await foreign.get(`/api/v1/admin/users/${user.id}/data`, { token: actor.token })
  expect(data.body).toMatchObject({ isFirstLogin: false, subscription: { plan_id: 'free' } })
  const next = await issuer.mint({ sub: 'root', sid: 'root-1', jti: 'refreshed' })
  expect((await foreign.get('/api/v1/user/data', { token: next, headers })).status).toBe(200)
  const elsewhere = await issuer.mint({ sub: 'root', sid: 'root-2' })
  expect(problemOf(await foreign.get('/api/v1/user/data', { token: elsewhere, headers }))).toMatchObject({
    code: 'act_as_ended',
  })
  expect(await foreign.sql('select first_session from account where id = $1', [user.id])).toEqual([
    { first_session: 'ada-1' },
  ])
})
