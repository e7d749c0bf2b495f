import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import { type Person, type Service, serviceForTest, startService } from '../../../support/service.ts'
import { keysPath, newKey } from '../../../support/service-keys.ts'

let service: Service
let admin: Person
let member: Person
let orgId: string
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
  member = await service.person()
  orgId = await organizationOf(service, member.id)
})
afterAll(() => service.stop())

async function organizationOf(of: Service, accountId: string, name = 'Engines'): Promise<string> {
  const [row] = await of.sql<{ id: string }>(
    `with org as (insert into organization (name) values ($1) returning id)
     insert into membership (organization_id, account_id) select id, $2 from org returning organization_id as id`,
    [name, accountId],
  )
  return String(row?.id)
}

test('rejects a key on all nodes once it is revoked on one', async () => {
  const other = await serviceForTest({ on: service.fresh })
  const path = '/api/v1/admin/users/fetch?limit=1'
  for (let n = 0; n < 5; n += 1) {
    const { id, key } = await newKey(service, admin)
    expect([(await service.get(path, { token: key })).status, (await other.get(path, { token: key })).status]).toEqual([
      200, 200,
    ])
    await service.call('DELETE', `${keysPath}/${id}`, { token: admin.token })
    const after = [await other.get(path, { token: key }), await service.get(path, { token: key })]
    expect(after.map(({ status }) => status)).toEqual([401, 401])
  }
})

describe('the data of one user', () => {
  const dataPath = (id: string, query = '') => `/api/v1/admin/users/${id}/data${query}`

  test('is what the user would get, for an administrator and for a key', async () => {
    const { key } = await newKey(service, admin, { permissions: { user_data: ['read'] } })
    const second = await organizationOf(service, member.id, 'Second')
    await service.sql(
      `insert into factor (account_id, friendly_name, secret, verified_at) values ($1, 'Phone', '', now())`,
      [member.id],
    )
    for (const query of ['', `?orgId=${second}`]) {
      const own = await service.get(`/api/v1/user/data${query}`, { token: member.token })
      expect(own.status).toBe(200)
      for (const token of [admin.token, key]) {
        const seen = await service.get(dataPath(member.id, query), { token })
        expect([seen.status, seen.text]).toEqual([200, own.text])
        const unchanged = { 'if-none-match': String(seen.headers.etag) }
        expect((await service.get(dataPath(member.id, query), { token, headers: unchanged })).status).toBe(304)
      }
    }
  })

  test('has isFirstLogin true before and during the first session, and false in a later one', async () => {
    const { key } = await newKey(service, admin)
    const person = await service.person()
    const isFirst = async () => Object((await service.get(dataPath(person.id), { token: key })).body).isFirstLogin
    await service.sql('update account set first_session = null where id = $1', [person.id])
    expect(await isFirst()).toBe(true)
    const first = await service.tokenFor(person.id)
    expect(Object((await service.get('/api/v1/user/data', { token: first })).body).isFirstLogin).toBe(true)
    expect(await isFirst()).toBe(true)
    await service.tokenFor(person.id)
    expect(await isFirst()).toBe(false)
  })

  test('fails for a user who is unknown, disabled, or not a member of the requested organization', async () => {
    const { key } = await newKey(service, admin)
    const disabled = await service.person()
    await service.sql('update account set disabled_at = now() where id = $1', [disabled.id])
    const codes = [dataPath(orgId), dataPath(disabled.id), dataPath(admin.id, `?orgId=${orgId}`)].map(async (path) =>
      problemOf(await service.get(path, { token: key })),
    )
    expect(await Promise.all(codes)).toEqual([
      { status: 404, code: 'user_unknown' },
      { status: 409, code: 'user_disabled' },
      { status: 404, code: 'organization_unknown' },
    ])
  })
})

test('a key of one organization sees its members, and no other user, organization or role', async () => {
  const outsider = await service.person()
  const foreign = await organizationOf(service, outsider.id, 'Foreign')
  const inside = await organizationOf(service, member.id, 'Inside')
  const { key } = await newKey(service, admin, { orgId: inside })
  const get = (path: string, headers = {}) => service.get(path, { token: key, headers })
  const shown = {
    users: [{ id: member.id, email: member.email, role: 'user', orgs: [{ id: inside, name: 'Inside' }] }],
  }

  const list = '/api/v1/admin/users/fetch'
  for (const query of ['', '?limit=10', `?orgId=${inside}`, '?sort=-email&limit=5', '?email=example'])
    expect([query, (await get(list + query)).body]).toEqual([query, shown])
  const { body: listed, headers: oneWay } = await get('/api/v1/admin/users?sort=email')
  expect([Object(listed).users.map(({ id }: { id: string }) => id), oneWay.link]).toEqual([[member.id], undefined])
  expect((await get(`${list}?count=exact`)).headers['total-count']).toBe('1')
  expect((await get(list, { accept: 'text/csv' })).text.split('\r\n').slice(1)).toEqual([
    expect.stringContaining(`"${member.id}","${member.email}","user","${inside}","Inside","true",`),
    '',
  ])
  const unknown = [
    await get(`${list}?orgId=${foreign}`),
    await get(`/api/v1/orgs/${foreign}/members`),
    await get(`/api/v1/admin/users/${member.id}/data?orgId=${orgId}`),
  ]
  for (const answer of unknown) expect(problemOf(answer)).toEqual({ status: 404, code: 'organization_unknown' })
  for (const part of ['', '/data', '/sessions', '/factors'])
    expect(problemOf(await get(`/api/v1/admin/users/${outsider.id}${part}`))).toEqual({
      status: 404,
      code: 'user_unknown',
    })
  expect((await get(`/api/v1/admin/users/${member.id}`)).body).toMatchObject({
    orgs: [{ id: inside, name: 'Inside', role: 'member' }],
  })
  expect((await get(`/api/v1/admin/users/${member.id}/data`)).body).toMatchObject({ orgId: inside })
  expect((await get(`/api/v1/admin/users/${member.id}/sessions`)).body).toMatchObject({ sessions: [{ amr: ['pwd'] }] })
  expect((await get(`/api/v1/admin/users/${member.id}/factors`)).status).toBe(200)
  expect((await get(`/api/v1/orgs/${inside}/members`)).body).toMatchObject({ members: [{ id: member.id }] })
})

test('pages for a key of one organization contain only its members', async () => {
  const people = await Promise.all([1, 2, 3].map(() => service.person()))
  const inside = await organizationOf(service, String(people[0]?.id), 'Paged')
  for (const { id } of people.slice(1))
    await service.sql('insert into membership (organization_id, account_id) values ($1, $2)', [inside, id])
  const { key } = await newKey(service, admin, { orgId: inside })
  const seen: string[] = []
  for (let path: string | undefined = '/api/v1/admin/users/fetch?limit=2'; path !== undefined; ) {
    const { status, body, headers } = await service.get(path, { token: key })
    expect(status).toBe(200)
    seen.push(...Object(body).users.map(({ id }: { id: string }) => id))
    path = /<(.+?)>/.exec(String(headers.link ?? ''))?.[1]
  }
  expect(seen.sort()).toEqual(people.map(({ id }) => id).sort())
})

test('429 — limits reads and key checks per key, and invented keys per network', async () => {
  const small = await serviceForTest({
    env: {
      MUSTER_READS_PER_MINUTE: '4',
      MUSTER_KEY_CHECKS_PER_MINUTE: '2',
      MUSTER_CLOUDFLARE_URL: 'http://127.0.0.1:1',
    },
  })
  const root = await small.person({ role: 'admin' })
  const [one, two] = [await newKey(small, root), await newKey(small, root)]
  const read = async (token: string) => (await small.get('/api/v1/admin/users/fetch?limit=1', { token })).status
  // A key's first request on this node is counted by network.
  const first = [await read(one.key), await read(two.key)]
  const reads = [
    await read(one.key),
    await read(one.key),
    await read(one.key),
    await read(one.key),
    await read(one.key),
  ]
  expect([...first, ...reads, await read(two.key)]).toEqual([200, 200, 200, 200, 200, 200, 429, 200])
  const body = () => ({ apiKey: crypto.randomUUID(), keyType: 'api_token' })
  const check = async (token: string) =>
    (await small.post('/api/v1/provider/keys/validate', { token, body: body() })).status
  expect([await check(one.key), await check(one.key), await check(one.key), await check(two.key)]).toEqual([
    502, 502, 429, 502,
  ])
  const madeUp = []
  // Keys of another service.
  for (let n = 0; n < 3; n += 1) madeUp.push(await read((await newKey(service, admin)).key))
  expect(madeUp).toEqual([401, 401, 429])
})

test('stores the last use with its network, at most every 15 minutes', async () => {
  const { id, key } = await newKey(service, admin)
  const use = () => service.get('/api/v1/admin/users/fetch?limit=1', { token: key })
  const lastUse = async () => {
    const [row] = await service.sql<{ at: Date | null; network: string | null }>(
      'select last_used_at as at, last_used_network as network from service_key where id = $1',
      [id],
    )
    return row
  }
  expect(await lastUse()).toEqual({ at: null, network: null })
  await Promise.all([use(), use(), use()])
  const first = await lastUse()
  expect(first).toEqual({ at: expect.any(Date), network: '127.0.0.1' })
  await use()
  expect(await lastUse()).toEqual(first)
  const moved = async (minutes: number) => {
    await service.sql('update service_key set last_used_at = now() - make_interval(mins => $2) where id = $1', [
      id,
      minutes,
    ])
    const before = await lastUse()
    await use()
    return Number((await lastUse())?.at) > Number(before?.at)
  }
  expect([await moved(14), await moved(15)]).toEqual([false, true])
})

test('the text of a key is in no log, error, metric, event or row', async () => {
  const env = { MUSTER_METRICS_TOKEN: 'only-for-the-scraper', MUSTER_CLOUDFLARE_URL: 'http://127.0.0.1:1' }
  const alone = await serviceForTest({ env })
  const root = await alone.person({ role: 'admin' })
  const { id, key } = await newKey(alone, root)
  const { body } = await alone.post(`${keysPath}/${id}/rotate`, { token: root.token, body: {} })
  const { key: next } = body as { key: string }
  const texts: string[] = []
  for (const token of [key, next, `${key}x`])
    for (const [method, path, sent] of [
      ['GET', '/api/v1/admin/users/fetch'],
      ['GET', '/api/v1/user/data'],
      ['GET', `/api/v1/admin/users/${id}/data`],
      ['POST', '/api/v1/provider/keys/validate', { apiKey: 'k', keyType: 'api_token' }],
      ['POST', '/api/v1/provider/keys/validate', { nonsense: true }],
    ] as const)
      texts.push((await alone.call(method, path, { token, ...(sent && { body: sent }) })).text)
  texts.push((await alone.get(keysPath, { token: root.token })).text)
  texts.push((await alone.get('/metrics', { token: env.MUSTER_METRICS_TOKEN })).text)
  const rows = await alone.sql(`select to_jsonb(e)::text as text from audit_event e
    union all select to_jsonb(k)::text from service_key k union all select to_jsonb(l)::text from rate_limit l`)
  texts.push(JSON.stringify(rows), await alone.logged())
  for (const secret of [key, next])
    for (const part of [secret, secret.slice(4), secret.slice(8, 47)])
      expect(texts.filter((text) => text.includes(part))).toEqual([])
  // These columns contain the id.
  expect(await alone.logged()).toContain(`"serviceKey":"${id}"`)
  const [event] = await alone.sql(
    `select actor_kind, actor_id from audit_event where action = 'provider_key.checked' order by at limit 1`,
  )
  expect(event).toEqual({ actor_kind: 'service', actor_id: id })
})
