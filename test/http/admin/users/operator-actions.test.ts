import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, type Service, serviceForTest, startService } from '../../../support/service.ts'
import { chargeLimit, signInLimits } from '../../../support/sign-in-limits.ts'

let service: Service
let admin: Person

beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
  await service.sql(`insert into role (id, name) values ('guest', 'Guest'), ('trainee', 'Trainee')`)
  return () => service.stop()
})

const pathOf = (id: string) => `/api/v1/admin/users/${id}`

async function etagOf(id: string): Promise<string> {
  return String((await service.get(pathOf(id), { token: admin.token })).headers.etag)
}

function change(method: string, path: string, ifMatch: string | undefined, body?: unknown, token = admin.token) {
  const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
  return service.call(method, path, { token, headers, ...(body !== undefined && { body }) })
}

async function eventsOf(id: string) {
  return service.sql<{ action: string; actor_id: string; details: object }>(
    'select action, actor_id, details from audit_event where target_id = $1 order by at, id',
    [id],
  )
}

describe('reading a user', () => {
  test('200 — the user with organizations and identities, and the ETag', async () => {
    const { id, email } = await service.person()
    await service.sql(`with org as (insert into organization (name) values ('Acme') returning id)
      insert into membership (organization_id, account_id, role_id) select id, '${id}', 'owner' from org`)
    const { status, body, headers } = await service.get(pathOf(id), { token: admin.token })
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      email,
      emailProved: true,
      role: 'user',
      status: 'active',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      orgs: [{ id: expect.any(String), name: 'Acme', role: 'owner' }],
      identities: [{ issuer: 'http://muster.test', subject: id }],
    })
    // nginx weakens the ETag when tests run behind it.
    expect(headers.etag).toMatch(/^(?:W\/)?"[\w-]{27}"$/)
    // Envoy removes the ETag of compressed responses.
    expect(headers['cache-control']).toBe('no-store, no-transform')
    expect(await etagOf(id)).toBe(headers.etag)
  })

  test('200 — shows current lockouts after wrong passwords and codes, which do not change the ETag', async () => {
    const { id, email } = await service.person()
    const before = await etagOf(id)
    const waitsNow = async () => {
      const { body, headers } = await service.get(pathOf(id), { token: admin.token })
      expect(headers.etag).toBe(before)
      return Object(body).signInWaits
    }
    await chargeLimit(service, signInLimits.unknownDevices(email), { attempts: 9 })
    expect(await waitsNow()).toBeUndefined()
    await service.sql('delete from sign_in_bucket where key = $1', [signInLimits.unknownDevices(email).key])
    await chargeLimit(service, signInLimits.unknownDevices(email), { attempts: 10 })
    await chargeLimit(service, signInLimits.secondStep(id), { attempts: 1, failures: 100 })
    const until = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(await waitsNow()).toEqual([{ scope: 'unknown_devices', until }, { scope: 'second_step' }])
    const [wait] = (await waitsNow()) ?? []
    const leftMs = Date.parse(wait.until) - Date.now()
    expect(leftMs).toBeGreaterThan(600_000)
    expect(leftMs).toBeLessThanOrEqual(901_000)
    await service.sql(`update sign_in_bucket set full_at = full_at - interval '15 minutes', failures = 0`)
    expect(await waitsNow()).toBeUndefined()
  })

  test('404 user_unknown for an unknown id, 400 input_invalid for a malformed id', async () => {
    const unknown = await service.get(pathOf('00000000-0000-4000-8000-000000000000'), { token: admin.token })
    expect(unknown.body).toMatchObject({ status: 404, code: 'user_unknown' })
    expect((await service.get(pathOf('1'), { token: admin.token })).body).toMatchObject({ code: 'input_invalid' })
  })
})

describe('disabling and enabling a user', () => {
  test('200 — takes effect immediately, and each is audited once', async () => {
    const person = await service.person()
    const disabled = await change('POST', `${pathOf(person.id)}/disable`, await etagOf(person.id))
    expect(disabled.body).toMatchObject({ status: 'disabled', disabledAt: expect.any(String) })
    const refused = await service.get('/api/v1/user/data', { token: person.token })
    expect(refused.body).toMatchObject({ status: 401, code: 'account_disabled' })

    // Repeating it changes and audits nothing.
    expect((await change('POST', `${pathOf(person.id)}/disable`, String(disabled.headers.etag))).status).toBe(200)
    const enabled = await change('POST', `${pathOf(person.id)}/enable`, String(disabled.headers.etag))
    expect(enabled.body).toMatchObject({ status: 'active' })
    const ended = await service.get('/api/v1/user/data', { token: person.token })
    expect(ended.body).toMatchObject({ status: 401, code: 'session_ended' })
    expect((await eventsOf(person.id)).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['account.disabled', admin.id],
      ['account.enabled', admin.id],
    ])
  })

  test('428 without If-Match, 412 with an outdated one, without a change', async () => {
    const { id } = await service.person()
    const seen = await etagOf(id)
    expect((await change('POST', `${pathOf(id)}/disable`, undefined)).body).toMatchObject({
      status: 428,
      code: 'precondition_required',
    })
    expect((await change('PUT', `${pathOf(id)}/role`, seen, { role: 'guest' })).status).toBe(200)
    expect((await change('POST', `${pathOf(id)}/disable`, seen)).body).toMatchObject({
      status: 412,
      code: 'precondition_failed',
    })
    for (const unfit of [
      `W/${seen}`,
      `${seen.slice(0, -1)}-gzip"`,
      `${(await etagOf(id)).slice(0, -2)}"`,
      '"another", *',
    ])
      expect((await change('POST', `${pathOf(id)}/disable`, unfit)).body).toMatchObject({ status: 412 })
    // The header of a client that received no ETag.
    expect((await change('POST', `${pathOf(id)}/disable`, '')).body).toMatchObject({ code: 'precondition_required' })
    expect((await service.get(pathOf(id), { token: admin.token })).body).toMatchObject({ status: 'active' })
    expect((await change('POST', `${pathOf(id)}/disable`, '*')).status).toBe(200)
  })

  test('200 and 412 — one of two concurrent changes with the same ETag succeeds', async () => {
    const { id } = await service.person()
    const seen = await etagOf(id)
    const answers = await Promise.all(
      ['guest', 'trainee', 'admin', 'guest'].map((role) => change('PUT', `${pathOf(id)}/role`, seen, { role })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    expect(await eventsOf(id)).toHaveLength(1)
  })
})

describe('behind a proxy that compresses', () => {
  const operations = [
    ['POST', '/disable', undefined, 200],
    ['POST', '/enable', undefined, 200],
    ['PUT', '/role', { role: 'guest' }, 200],
    ['POST', '/recovery', {}, 201],
    ['DELETE', '', {}, 202],
  ] as const
  const forms: Readonly<Record<string, (tag: string) => string>> = {
    'a weak tag (nginx, HAProxy)': (tag) => `W/"${tag}"`,
    '-gzip (Apache, Caddy)': (tag) => `"${tag}-gzip"`,
    '--gzip (Jetty)': (tag) => `"${tag}--gzip"`,
    ';gzip (Roxen)': (tag) => `"${tag};gzip"`,
    '-br (Apache, Caddy)': (tag) => `"${tag}-br"`,
    '-zstd (Caddy)': (tag) => `"${tag}-zstd"`,
    'a weak tag with a suffix in a list': (tag) => `"older", W/"${tag}-gzip"`,
  }
  const cases = Object.entries(forms).flatMap(([name, form]) =>
    operations.map(
      ([method, path, body, status]) =>
        [`${method} …/{userId}${path}`, name, { method, path, body, status, form }] as const,
    ),
  )
  test.each(cases)(
    '%s accepts the ETag with %s, until another change',
    async (_, __, { method, path, body, status, form }) => {
      const { id } = await service.person()
      const [, tag = ''] = /"(.*)"/.exec(await etagOf(id)) ?? []
      await service.sql(`update account set role_id = 'trainee' where id = $1`, [id])
      const late = await change(method, `${pathOf(id)}${path}`, form(tag), body)
      expect(late.body).toMatchObject({ status: 412, code: 'precondition_failed' })
      await service.sql(`update account set role_id = 'user' where id = $1`, [id])
      expect((await change(method, `${pathOf(id)}${path}`, form(tag), body)).status).toBe(status)
    },
  )
})

describe('roles', () => {
  test('200 — the permissions of the new role apply to the next request, audited with both roles', async () => {
    const person = await service.person()
    const path = '/api/v1/admin/users/fetch?limit=1'
    expect((await service.get(path, { token: person.token })).status).toBe(403)
    const answer = await change('PUT', `${pathOf(person.id)}/role`, await etagOf(person.id), { role: 'admin' })
    expect(answer.body).toMatchObject({ role: 'admin' })
    expect((await service.get(path, { token: person.token })).status).toBe(200)
    expect(await eventsOf(person.id)).toMatchObject([
      { action: 'account.role_changed', details: { from: 'user', to: 'admin' } },
    ])
  })

  test.each(['emperor', 'member', 'owner'])('rejects the role %s, which is not for accounts', async (role) => {
    const { id } = await service.person()
    const answer = await change('PUT', `${pathOf(id)}/role`, await etagOf(id), { role })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'input_invalid',
        errors: [{ pointer: '/role', detail: expect.stringMatching(/^must be one of: admin, /) }],
      },
    })
    expect(await service.sql('select role_id from account where id = $1', [id])).toEqual([{ role_id: 'user' }])
  })
})

describe('sessions', () => {
  test('200 — rejects every token of the user and of no other user, audited once per request', async () => {
    const person = await service.person()
    const answer = await service.call('DELETE', `${pathOf(person.id)}/sessions`, { token: admin.token })
    expect(answer.body).toEqual({ ended: 1 })
    expect((await service.get('/api/v1/user/data', { token: person.token })).body).toMatchObject({
      code: 'session_ended',
    })
    expect((await service.get('/api/v1/user/data', { token: admin.token })).status).toBe(200)
    const again = await service.call('DELETE', `${pathOf(person.id)}/sessions`, { token: admin.token })
    expect(again.body).toEqual({ ended: 0 })
    const noted = await service.sql<{ actor_id: string }>(
      `select e.actor_id from audit_event e join session s on s.id::text = e.target_id
       where e.action = 'session.ended' and s.account_id = $1`,
      [person.id],
    )
    expect(noted).toEqual([{ actor_id: admin.id }])
  })
})

describe('permissions', () => {
  test('403 permission_missing — each action has its own permission', async () => {
    const { id } = await service.person()
    const actions = [
      ['GET', '', 'read'],
      ['POST', '/disable', 'disable'],
      ['POST', '/enable', 'enable'],
      ['PUT', '/role', 'change_role'],
      ['DELETE', '/sessions', 'end_sessions'],
    ] as const
    for (const [, path, action] of actions) {
      const role = `only_${action}`
      await service.sql('insert into role (id, name) values ($1, $1)', [role])
      await service.sql(`insert into role_grant values ($1, 'users', $2), ($1, 'provider_keys', 'validate')`, [
        role,
        action,
      ])
      const { token } = await service.person({ role })
      for (const [otherMethod, otherPath, other] of actions) {
        const body = otherPath === '/role' ? { role: 'user' } : undefined
        const answer = await change(otherMethod, `${pathOf(id)}${otherPath}`, '*', body, token)
        expect([path, otherPath, answer.status]).toEqual([path, otherPath, other === action ? 200 : 403])
      }
    }
  })

  test('409 last_administrator — for disabling or demoting the last one, also when two do it to each other', async () => {
    const alone = await serviceForTest()
    const [one, two] = [await alone.person({ role: 'admin' }), await alone.person({ role: 'admin' })]
    const headers = { 'if-match': '*' }
    const answers = await Promise.all([
      alone.post(`${pathOf(two.id)}/disable`, { token: one.token, headers }),
      alone.call('PUT', `${pathOf(one.id)}/role`, { token: two.token, headers, body: { role: 'user' } }),
    ])
    // The first request succeeded; the other caller was no longer an administrator.
    expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200])
    const [left] = await alone.sql<{ n: string }>(
      `select count(*) as n from account where role_id = 'admin' and disabled_at is null`,
    )
    expect(left?.n).toBe('1')
    const last = answers[0]?.status === 200 ? one : two
    for (const answer of [
      await alone.post(`${pathOf(last.id)}/disable`, { token: last.token, headers }),
      await alone.call('PUT', `${pathOf(last.id)}/role`, { token: last.token, headers, body: { role: 'user' } }),
    ])
      expect(answer.body).toMatchObject({ status: 409, code: 'last_administrator' })
    expect((await alone.get('/api/v1/user/data', { token: last.token })).status).toBe(200)
  })
})
