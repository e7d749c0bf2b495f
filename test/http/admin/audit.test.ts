import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { type Answer, type Person, type Service, serviceForTest, startService } from '../../support/service.ts'

const path = '/api/v1/admin/audit'
const other = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
  await service.fresh.sql(
    `insert into audit_event (at, action, actor_id, actor_kind, target_kind, target_id)
     select '2020-01-01Z'::timestamptz + make_interval(secs => (n / 4) * 0.000001), 'factor.added', $1, 'account', 'factor', n::text
     from generate_series(1, 25) n`,
    [other],
  )
})
afterAll(() => service.stop())

interface Event {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly target?: { readonly id: string }
}

const read = (query: Readonly<Record<string, string>>, { token }: Person = admin) =>
  service.get(`${path}?${new URLSearchParams(query)}`, { token })
const eventsOf = ({ body }: Answer): readonly Event[] => Object(body).events

async function pages(query: Readonly<Record<string, string>>): Promise<readonly (readonly Event[])[]> {
  const found: (readonly Event[])[] = []
  let next: string | undefined = `${path}?${new URLSearchParams(query)}`
  while (next !== undefined) {
    const answer = await service.get(next, { token: admin.token })
    expect(answer.status).toBe(200)
    found.push(eventsOf(answer))
    next = /<(.+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
  }
  return found
}

test('200 — every event once, newest first, across pages and within one microsecond; no cursor on the last page', async () => {
  const found = await pages({ action: 'factor.added', limit: '10' })
  expect(found.map(({ length }) => length)).toEqual([10, 10, 5])
  const events = found.flat()
  expect(new Set(events.map(({ target }) => target?.id)).size).toBe(25)
  const positions = events.map(({ at, id }) => `${at} ${id}`)
  expect(positions).toEqual(positions.toSorted().reverse())
  // A full last page has no next cursor.
  expect((await pages({ action: 'factor.added', limit: '25' })).map(({ length }) => length)).toEqual([25])
})

test('200 — an administrator’s action appears immediately, with actor, target, IP address and request', async () => {
  const { id, email } = await service.person()
  const before = new Date().toISOString()
  const user = `/api/v1/admin/users/${id}`
  const { headers } = await service.get(user, { token: admin.token })
  const change = { token: admin.token, headers: { 'if-match': String(headers.etag) } }
  expect((await service.call('POST', `${user}/disable`, change)).status).toBe(200)
  const answer = await read({ targetId: id, action: 'account.disabled' })
  expect(answer.body).toEqual({
    events: [
      {
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        action: 'account.disabled',
        actorKind: 'account',
        actorId: admin.id,
        actorEmail: admin.email,
        target: { kind: 'account', id },
        address: '127.0.0.1',
        requestId: expect.any(String),
        details: {},
      },
    ],
    keptSince: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  expect(Date.parse(Object(answer.body).keptSince)).toBeCloseTo(Date.parse(before) - 400 * 86_400_000, -5)
  expect(answer.headers.link).toBeUndefined()
  expect(JSON.stringify(answer.body)).not.toContain(email)
  expect(Date.parse(eventsOf(answer)[0]?.at ?? '')).toBeGreaterThan(Date.parse(before) - 60_000)
})

test('200 — no end date if events are kept forever', async () => {
  const forEver = await serviceForTest({ env: { MUSTER_KEEP_AUDIT_DAYS: '0' } })
  const { token } = await forEver.person({ role: 'admin' })
  const { body } = await forEver.get(`${path}?action=factor`, { token })
  expect(body).toEqual({ events: [] })
})

test('200 — filters by action, action prefix, actor, target, and since and until to the microsecond', async () => {
  const actions = async (query: Readonly<Record<string, string>>) =>
    [...new Set((await pages({ limit: '500', ...query })).flat().map(({ action }) => action))].sort()
  const count = async (query: Readonly<Record<string, string>>) =>
    (await pages({ limit: '500', ...query })).flat().length
  expect(await actions({ action: 'factor' })).toEqual(['factor.added'])
  expect(await count({ actorId: other })).toBe(25)
  expect(await count({ actorId: other, targetId: '7' })).toBe(1)
  expect(await count({ actorId: admin.id, action: 'factor' })).toBe(0)
  expect(await count({ actorId: other, since: '2020-01-01T00:00:00.000002Z' })).toBe(18)
  expect(await count({ actorId: other, until: '2020-01-01T01:00:00.000002+01:00' })).toBe(7)
  expect(
    await count({ actorId: other, since: '2020-01-01T00:00:00.000002Z', until: '2020-01-01T00:00:00.000003Z' }),
  ).toBe(4)
})

test.each([
  ['limit', '0'],
  ['limit', '501'],
  ['limit', 'ten'],
  ['since', 'yesterday'],
  ['since', '2020-01-01'],
  ['since', '2020-02-31T00:00:00Z'],
  ['since', '0000-01-01T00:00:00Z'],
  ['until', '2026-01-01T00:00:00+16:00'],
  ['until', '2021-02-29T00:00:00.5+14:00'],
  ['until', '2020-01-01T24:00:00Z'],
  ['action', 'Account.disabled'],
  ['action', 'a.b.c'],
  ['actorId', '0197B2A4-6D00-7CC3-98C4-DC0C0C07398F'],
  ['targetId', ''],
  ['actor', 'ada'],
])('400 input_invalid — %s=%s, with the name of the parameter', async (name, value) => {
  const answer = await read({ [name]: value })
  expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  expect(answer.body).toMatchObject({ errors: [{ parameter: name }] })
})

test('400 cursor_invalid — a cursor of other filters or of the user list, or a modified cursor', async () => {
  const cursorOf = (answer: Answer) =>
    new URL(`http://x${/<(.+)>/.exec(String(answer.headers.link))?.[1]}`).searchParams.get('cursor') ?? ''
  const cursor = cursorOf(await read({ actorId: other, limit: '10' }))
  expect((await read({ actorId: other, cursor })).status).toBe(200)
  const ofUsers = cursorOf(await service.get('/api/v1/admin/users/fetch?limit=1', { token: admin.token }))
  for (const query of [
    { cursor },
    { actorId: other, action: 'factor', cursor },
    { actorId: other, cursor: `${cursor}x` },
    { cursor: ofUsers },
  ])
    expect(problemOf(await read(query))).toEqual({ status: 400, code: 'cursor_invalid' })
})

test('403 without the permission, 401 without a token', async () => {
  expect(problemOf(await read({}, await service.person()))).toEqual({ status: 403, code: 'permission_missing' })
  expect(problemOf(await service.get(path))).toEqual({ status: 401, code: 'token_missing' })
})
