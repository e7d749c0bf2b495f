import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../support/problem.ts'
import { type Answer, type Person, type Service, startService } from '../../support/service.ts'

const path = '/api/v1/admin/organizations'
let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
})
afterAll(() => service.stop())

interface Listed {
  readonly id: string
  readonly name: string
}

const read = (query: Readonly<Record<string, string>> = {}) => follow(`${path}?${new URLSearchParams(query)}`)

const follow = (link: string) => service.get(link, { token: admin.token })

function listedOf(answer: Answer): readonly Listed[] {
  expect(answer.status).toBe(200)
  return (answer.body as { organizations: readonly Listed[] }).organizations
}

function linkOf({ headers }: Answer, rel: 'next' | 'prev'): string | undefined {
  return new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(headers.link ?? ''))?.[1]
}

async function make(names: readonly string[]): Promise<readonly string[]> {
  const rows = await service.sql<{ id: string }>(
    `insert into organization (name, created_at)
     select name, timestamptz '2026-01-01' + n % 3 * interval '1 s'
     from json_array_elements_text($1::json) with ordinality as list (name, n) returning id`,
    [JSON.stringify(names)],
  )
  return rows.map(({ id }) => id)
}

const removeAll = () => service.sql('delete from organization')

test('200 — a row has exactly these members, with current values', async () => {
  await removeAll()
  const [id] = await make(['Analytical Engines'])
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const row = { id, name: 'Analytical Engines', createdAt: at, members: 0, requiresMfa: false }
  expect(listedOf(await read())).toEqual([row])
  await service.sql('insert into membership (organization_id, account_id) values ($1, $2)', [id, admin.id])
  await service.sql('update organization set requires_mfa = true')
  await service.sql(
    `with plan as (insert into plan (id, name) values ('team', 'Team')),
          price as (insert into plan_price values ('price_team', 'team')),
          customer as (insert into customer (id, organization_id) values ('cus_org', $1))
     insert into subscription (id, customer_id, price_ids, status, created_at, seen_at, seen_rank)
     values ('sub_org', 'cus_org', '{price_team}', 'active', now(), now(), 1)`,
    [id],
  )
  const changed = { ...row, members: 1, requiresMfa: true }
  expect(listedOf(await read())).toEqual([{ ...changed, plan: 'team' }])
  await service.sql(`update subscription set status = 'canceled'`)
  expect(listedOf(await read())).toEqual([changed])
  const members = await service.get(`/api/v1/admin/users?orgId=${id}`, { token: admin.token })
  expect(members.body).toMatchObject({ users: [{ id: admin.id }] })
  const none = await service.get('/api/v1/admin/users?orgId=0197b2a4-6d00-7cc3-98c4-dc0c0c07398f', {
    token: admin.token,
  })
  expect(none.body).toEqual({ users: [] })
})

const name = fc
  .array(fc.constantFrom('a', 'B', 'Ä', 'ß', 'İ', "'", '\\', '%', '_', '&', '|', ':', '*', '"', ' ', '名', '😀'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((letters) => `x${letters.join('')}x`)

test('200 — lists each remaining organization exactly once forward and once backward, in order, for any part of a name', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { maxLength: 12 }),
      fc.array(name, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('name', '-name', 'created', '-created'),
      fc.option(name.map((text) => text.slice(1, 3))),
      fc.integer({ min: 1, max: 4 }),
      async (stays, passing, sort, part, limit) => {
        await removeAll()
        await make(stays)
        const leaving = [...(await make(passing))]
        const asked = { sort, ...(part !== null && { q: part }) }
        const key = sort.endsWith('name') ? 'lower(name) collate "C"' : 'created_at'
        const direction = sort.startsWith('-') ? 'desc' : 'asc'
        const expected = await service.sql<{ id: string }>(
          `select id from organization where id <> all ($1) and strpos(search_fold(name), search_fold($2)) > 0
           order by ${key} ${direction}, id ${direction}`,
          [leaving, part ?? ''],
        )
        const staying = new Set(expected.map(({ id }) => id))
        const disturb = () => service.sql('delete from organization where id = $1', [leaving.shift() ?? admin.id])
        let answer = await read({ ...asked, limit: String(limit) })
        expect(linkOf(answer, 'prev')).toBeUndefined()
        const forward = [listedOf(answer)]
        for (let next = linkOf(answer, 'next'); next !== undefined; next = linkOf(answer, 'next')) {
          await disturb()
          answer = await follow(next)
          forward.push(listedOf(answer))
        }
        const back = [forward.at(-1) ?? []]
        for (let prev = linkOf(answer, 'prev'); prev !== undefined; prev = linkOf(answer, 'prev')) {
          await disturb()
          answer = await follow(prev)
          back.unshift(listedOf(answer))
        }
        for (const pages of [forward, back])
          expect(
            pages
              .flat()
              .map(({ id }) => id)
              .filter((id) => staying.has(id)),
          ).toEqual(expected.map(({ id }) => id))
      },
    ),
    { numRuns: 20 },
  )
})

test('finds a part of a name by index', async () => {
  await removeAll()
  await make(Array.from({ length: 3_000 }, (_, n) => `Company number ${n}`))
  await service.sql('analyze organization')
  const [plan] = await service.sql<{ 'QUERY PLAN': string }>(
    `explain (format text) select from organization o
     where strpos(o.search_key, 'number 2999') > 0 and text_parts(o.search_key) @@ '''num'' & ''999'''::tsquery`,
  )
  expect(plan?.['QUERY PLAN']).toMatch(/Bitmap Heap Scan/)
  expect(listedOf(await read({ q: 'NUMBER 2999' })).map(({ name: found }) => found)).toEqual(['Company number 2999'])
})

test.each([
  ['Mu\u0308ller  GmbH', ['müller', 'MU\u0308LLER', 'müller gmbh', 'r  g']],
  ['ΟΔΌΣ ΑΕ', ['οδός', 'οδόσ', 'ός αε']],
])('finds %j whichever Unicode form, spaces and sigmas the search has', async (name, parts) => {
  await removeAll()
  await make([name, 'Muller'])
  for (const q of parts) expect([q, listedOf(await read({ q })).map((found) => found.name)]).toEqual([q, [name]])
})

test.each([
  ['limit', '0'],
  ['limit', '201'],
  ['q', ''],
  ['q', 'a\u0000'],
  ['sort', 'members'],
  ['name', 'Engines'],
])('400 input_invalid — %s=%j, with the name of the parameter', async (member, value) => {
  const answer = await read({ [member]: value })
  expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  expect(answer.body).toMatchObject({ errors: [{ parameter: member }] })
})

test('400 cursor_invalid — a cursor of another search, another sort or another list', async () => {
  await removeAll()
  await make(['Engines A', 'Engines B', 'Engines C'])
  const asked = { q: 'engines', limit: '1' }
  const cursor = new URL(`http://x${linkOf(await read(asked), 'next')}`).searchParams.get('cursor') ?? ''
  expect((await read({ ...asked, cursor })).status).toBe(200)
  for (const query of [{ ...asked, q: 'engine' }, { ...asked, sort: 'created' }, { limit: '1' }])
    expect(problemOf(await read({ ...query, cursor }))).toEqual({ status: 400, code: 'cursor_invalid' })
  const ofUsers = await service.get(`/api/v1/admin/users?cursor=${cursor}`, { token: admin.token })
  expect(problemOf(ofUsers)).toEqual({ status: 400, code: 'cursor_invalid' })
})

test('GET /api/v1/admin/roles — every role with its current permissions', async () => {
  await service.sql(`insert into role (id, name, for_members, requires_mfa) values ('support', 'Support', false, true)`)
  const roles = async () => Object((await service.get('/api/v1/admin/roles', { token: admin.token })).body).roles
  const support = { id: 'support', name: 'Support', forMembers: false, requiresMfa: true }
  expect(await roles()).toContainEqual({ ...support, permissions: {} })
  await service.sql(`insert into role_grant values ('support', 'users', 'read'), ('support', 'users', 'list')`)
  expect(await roles()).toContainEqual({ ...support, permissions: { users: ['list', 'read'] } })
  expect((await roles()).map(({ id }: { id: string }) => id)).toEqual(['admin', 'member', 'owner', 'support', 'user'])
})

test('GET /api/v1/admin/plans — every plan with its prices and current permissions', async () => {
  await service.sql(`delete from subscription`)
  await service.sql(`delete from plan_price`)
  await service.sql(`delete from plan where not is_default`)
  await service.sql(
    `with plan as (insert into plan (id, name) values ('pro', 'Pro')),
          price as (insert into plan_price values ('price_b', 'pro'), ('price_a', 'pro'))
     insert into plan_grant values ('pro', 'reports', 'export')`,
  )
  expect((await service.get('/api/v1/admin/plans', { token: admin.token })).body).toEqual({
    plans: [
      { id: 'free', name: 'Free', isDefault: true, rank: 0, prices: [], permissions: {} },
      {
        id: 'pro',
        name: 'Pro',
        isDefault: false,
        rank: 0,
        prices: ['price_a', 'price_b'],
        permissions: { reports: ['export'] },
      },
    ],
  })
})

test.each([path, '/api/v1/admin/roles', '/api/v1/admin/plans'])(
  '%s — 403 without the permission, 401 without a token',
  async (asked) => {
    const { token } = await service.person()
    expect(problemOf(await service.get(asked, { token }))).toEqual({ status: 403, code: 'permission_missing' })
    expect(problemOf(await service.get(asked))).toEqual({ status: 401, code: 'token_missing' })
  },
)
