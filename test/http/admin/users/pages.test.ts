import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import { type Answer, type Person, type Service, serviceForTest, startService } from '../../../support/service.ts'

const path = '/api/v1/admin/users'
let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin', email: 'root@muster.test' })
})
afterAll(() => service.stop())

interface Listed {
  readonly id: string
  readonly email?: string
}

const read = (query: Readonly<Record<string, string>> = {}) =>
  service.get(`${path}?${new URLSearchParams(query)}`, { token: admin.token })

const follow = (link: string) => service.get(link, { token: admin.token })

function usersOf(answer: Answer): readonly Listed[] {
  expect(answer.status).toBe(200)
  return (answer.body as { users: readonly Listed[] }).users
}

function linkOf({ headers }: Answer, rel: 'next' | 'prev'): string | undefined {
  return new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(headers.link ?? ''))?.[1]
}

const cursorOf = (link: string | undefined) => new URL(`http://x${link}`).searchParams.get('cursor') ?? ''

async function populate(
  people: readonly { readonly seconds?: number; readonly email?: string | null; readonly isDisabled?: boolean }[],
): Promise<readonly string[]> {
  const made = await service.sql<{ id: string }>(
    `with new as (
       select uuid_v7() as id, one, n from json_array_elements($1::json) with ordinality as list (one, n)
     ), made as (
       insert into account (id, email, role_id, created_at, disabled_at)
       select id, one->>'email', coalesce(one->>'role', 'user'),
              timestamptz '2026-01-01' + coalesce((one->>'seconds')::int, 0) * interval '1 s',
              case when (one->>'isDisabled')::bool then now() end
       from new
     )
     select id from new order by n`,
    [JSON.stringify(people)],
  )
  return made.map(({ id }) => id)
}

const removeAll = () => service.sql('delete from account where id <> $1', [admin.id])

test('200 — filters users by verified email', async () => {
  const { id } = await service.person({ email: 'proved@filter.example' })
  const [other] = await populate([{ email: 'typed@filter.example' }])
  const shown = async (emailProved: string) =>
    usersOf(await read({ q: '@filter.example', emailProved })).map((user) => user.id)
  expect(await shown('true')).toEqual([id])
  expect(await shown('false')).toEqual([other])
  expect(problemOf(await read({ emailProved: 'perhaps' }))).toMatchObject({ code: 'input_invalid' })
  await removeAll()
})

test('200 — a row has exactly these members, with current values', async () => {
  const { id, email, password } = await service.person({ email: 'Ada@Row.example' })
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const row = {
    id,
    email: 'ada@row.example',
    emailProved: true,
    status: 'active',
    role: 'user',
    isAdministrator: false,
    createdAt: at,
  }
  const shown = async () => usersOf(await read({ q: '@ROW.ex' }))
  await service.sql(`delete from plan`)
  expect(await shown()).toEqual([row])
  await service.sql(`insert into plan (id, name, is_default) values ('free', 'Free', true), ('pro', 'Pro', false)`)
  expect(await shown()).toEqual([{ ...row, plan: 'free' }])

  const signedIn = await service.post('/auth/sign-in', { body: { email, password } })
  const [event] = await service.sql<{ at: Date }>(
    `select at from audit_event where actor_id = $1 and action = 'session.opened'`,
    [id],
  )
  const [before] = await shown()
  expect(before).toEqual({ ...row, plan: 'free', lastSignInAt: at })
  const { lastSignInAt } = Object(before)
  expect(Date.parse(lastSignInAt)).toBe(Number(event?.at))
  const text = JSON.stringify(before)
  for (const token of Object.values(Object(signedIn.body)).filter((value) => String(value).length > 20))
    expect(text).not.toContain(token)

  await service.sql(
    `with price as (insert into plan_price values ('price_pro', 'pro')),
          customer as (insert into customer (id, account_id) values ('cus_row', $1))
     insert into subscription (id, customer_id, price_ids, status, created_at, seen_at, seen_rank)
     values ('sub_row', 'cus_row', '{price_pro}', 'trialing', now(), now(), 1)`,
    [id],
  )
  expect(await shown()).toEqual([{ ...row, plan: 'pro', lastSignInAt }])
  await service.sql(`update subscription set status = 'canceled'`)
  await service.sql(`update account set disabled_at = now(), email = null, role_id = 'admin' where id = $1`, [id])
  expect(usersOf(await read({ status: 'disabled' }))).toEqual([
    { id, emailProved: false, status: 'disabled', role: 'admin', isAdministrator: false, createdAt: at, lastSignInAt },
  ])
})

test('200 — filters by every status and role, newest first by default; deleted users appear only with their status', async () => {
  await removeAll()
  const ids = await populate([{ seconds: 1 }, { seconds: 2, isDisabled: true }, { seconds: 3, isDisabled: true }])
  await service.sql(`update account set erase_requested_at = now(), erases_at = now() where id = $1`, [ids[2]])
  const found = async (query: Readonly<Record<string, string>>) => usersOf(await read(query)).map(({ id }) => id)
  expect(await found({})).toEqual([admin.id, ids[1], ids[0]])
  expect(await found({ sort: 'created' })).toEqual([ids[0], ids[1], admin.id])
  expect(await found({ sort: '-email', limit: '1' })).toEqual([admin.id])
  expect(await found({ status: 'active' })).toEqual([admin.id, ids[0]])
  expect(await found({ status: 'disabled' })).toEqual([ids[1]])
  expect(await found({ status: 'erasing' })).toEqual([ids[2]])
  expect(await found({ role: 'admin' })).toEqual([admin.id])
  expect(await found({ role: 'nobody' })).toEqual([])
  expect(await found({ q: 'MUSTER.test', status: 'active', role: 'admin' })).toEqual([admin.id])
})

const sorts = ['created', '-created', 'email', '-email'] as const
const person = fc.record({
  // Few distinct times and emails, so that ties are common.
  seconds: fc.integer({ min: 0, max: 20 }),
  email: fc.option(fc.constantFrom('a@x.example', 'A@x.example', 'b@y.example', 'ba@y.example', 'z@z.example')),
  isDisabled: fc.boolean(),
})
const question = fc.record(
  {
    sort: fc.constantFrom(...sorts),
    status: fc.constantFrom('active', 'disabled'),
    q: fc.constantFrom('a@', 'x.exa', 'y'),
  },
  { requiredKeys: [] },
)

test('lists each remaining user exactly once forward and once backward, in order, despite concurrent changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { maxLength: 20 }),
      fc.array(person, { minLength: 1, maxLength: 12 }),
      question,
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.oneof(person, fc.nat(20), fc.constant(undefined)), { maxLength: 14 }),
      async (stays, others, asked, limit, changes) => {
        await removeAll()
        const ids = await populate([...stays, ...others])
        const staying = new Set(ids.slice(0, stays.length))
        const passing = ids.slice(stays.length)
        const expected = (await everyone(asked)).filter((id) => staying.has(id))
        const disturb = async (change: (typeof changes)[number]) => {
          if (typeof change === 'number')
            await service.sql('delete from account where id = $1', [passing[change % passing.length]])
          else if (change) await populate([change])
        }

        const left = [...changes]
        let answer = await read({ ...asked, limit: String(limit) })
        expect(linkOf(answer, 'prev')).toBeUndefined()
        const forward = [usersOf(answer)]
        for (let next = linkOf(answer, 'next'); next !== undefined; next = linkOf(answer, 'next')) {
          await disturb(left.shift())
          answer = await follow(next)
          forward.push(usersOf(answer))
        }
        const back: (readonly Listed[])[] = [forward.at(-1) ?? []]
        for (let prev = linkOf(answer, 'prev'); prev !== undefined; prev = linkOf(answer, 'prev')) {
          await disturb(left.shift())
          answer = await follow(prev)
          expect(linkOf(answer, 'next')).toBeDefined()
          back.unshift(usersOf(answer))
        }
        for (const pages of [forward, back])
          expect(
            pages
              .flat()
              .map(({ id }) => id)
              .filter((id) => staying.has(id)),
          ).toEqual(expected)
      },
    ),
    { numRuns: 20 },
  )
})

/** All on one page. */
async function everyone(asked: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const answer = await read({ ...asked, limit: '200' })
  expect(answer.headers.link).toBeUndefined()
  return usersOf(answer).map(({ id }) => id)
}

test('200 — a page whose users were all deleted leads back to the remaining ones', async () => {
  await removeAll()
  const ids = await populate([1, 2, 3, 4].map((seconds) => ({ seconds, email: `p${seconds}@left.example` })))
  const query = { q: 'left.example', sort: 'created', limit: '2' }
  const first = await read(query)
  const second = await follow(linkOf(first, 'next') ?? '')
  expect(usersOf(second).map(({ id }) => id)).toEqual(ids.slice(2))
  expect(linkOf(second, 'next')).toBeUndefined()

  await service.sql('delete from account where id = any ($1)', [ids.slice(0, 2)])
  const before = await follow(linkOf(second, 'prev') ?? '')
  expect([usersOf(before), linkOf(before, 'prev')]).toEqual([[], undefined])
  const whole = await follow(linkOf(before, 'next') ?? '')
  expect(usersOf(whole).map(({ id }) => id)).toEqual(ids.slice(2))
  expect(whole.headers.link).toBeUndefined()

  await service.sql('delete from account where id = any ($1)', [ids.slice(2)])
  const [early] = await populate([{ seconds: 0, email: 'p0@left.example' }])
  const after = await follow(linkOf(first, 'next') ?? '')
  expect([usersOf(after), linkOf(after, 'next')]).toEqual([[], undefined])
  const back = await follow(linkOf(after, 'prev') ?? '')
  expect(usersOf(back).map(({ id }) => id)).toEqual([early])
})

test('200 — finds rare matches far from the start in both directions, among more accounts than one scan tests', async () => {
  const large = await serviceForTest()
  const root = await large.person({ role: 'admin', email: 'root@muster.test' })
  const client = await large.database.connect()
  await client.query(`
    insert into account (email, created_at)
    select 'p' || n || case when n % 3000 = 7 then '@rare.example' else '@x.example' end,
           timestamptz '2026-01-01' + n * interval '1 s'
    from generate_series(1, 24000) n`)
  await client.end()
  const get = (link: string) => large.get(link, { token: root.token })
  for (const sort of sorts) {
    const pages: (readonly Listed[])[] = []
    let answer = await get(`${path}?q=rare.ex&limit=3&sort=${sort}`)
    for (;;) {
      pages.push(usersOf(answer))
      const next = linkOf(answer, 'next')
      if (next === undefined) break
      answer = await get(next)
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2])
    const back = await get(linkOf(answer, 'prev') ?? '')
    const start = await get(linkOf(back, 'prev') ?? '')
    expect([usersOf(start), usersOf(back)]).toEqual(pages.slice(0, 2))
    expect(linkOf(start, 'prev')).toBeUndefined()
  }
})

test.each([
  ['limit', '0'],
  ['limit', '201'],
  ['status', 'gone'],
  ['role', 'Admin'],
  ['sort', 'role'],
  ['email', 'ada'],
])('400 input_invalid — %s=%s, with the name of the parameter', async (name, value) => {
  const answer = await read({ [name]: value })
  expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  expect(answer.body).toMatchObject({ errors: [{ parameter: name }] })
})

test('400 cursor_invalid — a cursor of other filters, another sort or another list, or a modified one', async () => {
  await removeAll()
  await populate([1, 2, 3].map((seconds) => ({ seconds, email: `p${seconds}@cursor.example` })))
  const query = { q: 'cursor', status: 'active', role: 'user', sort: 'email', limit: '1' }
  const second = await follow(linkOf(await read(query), 'next') ?? '')
  const ofFetch = await service.get('/api/v1/admin/users/fetch?limit=1&sort=email', { token: admin.token })
  for (const cursor of [cursorOf(linkOf(second, 'next')), cursorOf(linkOf(second, 'prev'))]) {
    expect((await read({ ...query, cursor, limit: '2' })).status).toBe(200)
    const { q: _q, ...noPart } = query
    const { role: _role, ...noRole } = query
    for (const refused of [
      { ...query, q: 'curso', cursor },
      { ...query, status: 'disabled', cursor },
      { ...query, sort: '-email', cursor },
      { ...noPart, cursor },
      { ...noRole, cursor },
      { ...query, cursor: `${cursor}x` },
      { sort: 'email', cursor: cursorOf(linkOf(ofFetch, 'next')) },
    ]) {
      const answer = await read(refused)
      expect(problemOf(answer)).toEqual({ status: 400, code: 'cursor_invalid' })
      expect(answer.body).toMatchObject({ errors: [{ parameter: 'cursor' }] })
    }
  }
})

test('403 without the permission, 401 without a token', async () => {
  const { token } = await service.person()
  expect(problemOf(await service.get(path, { token }))).toEqual({ status: 403, code: 'permission_missing' })
  expect(problemOf(await service.get(path))).toEqual({ status: 401, code: 'token_missing' })
})
