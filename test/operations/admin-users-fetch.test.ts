import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../support/problem.ts'
import { type Answer, type Service, startService } from '../support/service.ts'

let service: Service
let admin: { token: string; id: string }
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin', email: 'admin@example.com' })
  await service.sql(`
    insert into account (email, created_at)
    select 'person' || n || '@example.com', timestamptz '2026-01-01' + make_interval(secs => n / 3)
    from generate_series(1, 250) n`)
  await service.sql(`insert into account (created_at) values ('2026-02-01')`)
  await service.sql(`
    with org as (insert into organization (name) values ('Zeta "quoted" \\ </script>'), ('Alpha ☃') returning id)
    insert into membership (organization_id, account_id) select org.id, a.id from org, account a where a.email = 'person7@example.com'`)
})
afterAll(() => service.stop())

const path = '/api/v1/admin/users/fetch'

interface User {
  readonly id: string
  readonly email?: string
  readonly role: string
  readonly orgs: readonly { id: string; name: string }[]
}

const usersOf = ({ body }: Answer) => (body as { users: User[] }).users

function nextOf({ headers }: Answer): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
}

describe('200', () => {
  test('without paging parameters nobody is missing, and there is no next page', async () => {
    const answer = await service.get(path, { token: admin.token })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers.link).toBeUndefined()
    const [count] = await service.sql<{ n: number }>('select count(*)::int as n from account')
    expect(new Set(usersOf(answer).map(({ id }) => id)).size).toBe(count?.n)
  })

  test('a user has id, e-mail address, role and organisations by name, and no e-mail address where none is known', async () => {
    const users = usersOf(await service.get(path, { token: admin.token }))
    expect(users.find(({ email }) => email === 'person7@example.com')).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'person7@example.com',
      role: 'user',
      orgs: [
        { id: expect.any(String), name: 'Alpha ☃' },
        { id: expect.any(String), name: 'Zeta "quoted" \\ </script>' },
      ],
    })
    const [unnamed] = users.filter(({ email }) => email === undefined)
    expect(unnamed).toEqual({ id: expect.any(String), role: 'user', orgs: [] })
  })

  test('pages of any size show everybody exactly once, in the order of the whole list', async () => {
    const whole = usersOf(await service.get(path, { token: admin.token })).map(({ id }) => id)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 17, max: 300 }), async (limit) => {
        const seen: string[] = []
        let next: string | undefined = `${path}?limit=${limit}`
        while (next !== undefined) {
          const page: Answer = await service.get(next, { token: admin.token })
          const ids = usersOf(page).map(({ id }) => id)
          next = nextOf(page)
          expect(ids.length).toBe(next === undefined ? ids.length : limit)
          seen.push(...ids)
        }
        expect(seen).toEqual(whole)
      }),
      { numRuns: 8 },
    )
  })

  test('the last page has no next one even when it is full', async () => {
    const [count] = await service.sql<{ n: number }>('select count(*)::int as n from account')
    const page = await service.get(`${path}?limit=${count?.n}`, { token: admin.token })
    expect(usersOf(page)).toHaveLength(count?.n ?? 0)
    expect(page.headers.link).toBeUndefined()
  })
})

describe('400', () => {
  test('a limit out of range is refused by naming the bound, never clamped', async () => {
    for (const [limit, detail] of [
      ['0', 'must be >= 1'],
      ['1001', 'must be <= 1000'],
      ['-1', 'must be >= 1'],
      ['abc', 'must be of the type integer'],
      ['1.5', 'must be of the type integer'],
      ['', 'must be of the type integer'],
      ['0x10', 'must be of the type integer'],
    ]) {
      const answer = await service.get(`${path}?limit=${limit}`, { token: admin.token })
      expect(answer.body, limit).toMatchObject({ code: 'input_invalid', errors: [{ parameter: 'limit', detail }] })
    }
  })

  test('a cursor that was changed in any place is refused', async () => {
    const next = nextOf(await service.get(`${path}?limit=50`, { token: admin.token })) ?? ''
    const cursor = new URL(next, 'http://x').searchParams.get('cursor') ?? ''
    await fc.assert(
      fc.asyncProperty(fc.nat(cursor.length - 1), fc.constantFrom(...'AZaz09-_'), async (at, letter) => {
        const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1)
        fc.pre(changed !== cursor)
        const answer = await service.get(`${path}?limit=50&cursor=${changed}`, { token: admin.token })
        expect(problemOf(answer)).toEqual({ status: 400, code: 'cursor_invalid' })
      }),
      { numRuns: 60 },
    )
    for (const other of [cursor.slice(0, -1), `${cursor}A`, 'x', cursor.slice(0, 20)])
      expect(problemOf(await service.get(`${path}?cursor=${other}`, { token: admin.token })).status, other).toBe(400)
  })
})

describe('401 and 403', () => {
  test('nobody without the permission sees a page or the list, or learns how many there are', async () => {
    const { token } = await service.person()
    for (const query of ['', '?limit=10']) {
      const answer = await service.get(path + query, { token })
      expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_missing' })
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="muster", error="insufficient_scope"')
      expect(answer.text).not.toContain('example.com')
    }
  })

  test('an administrator who is demoted or disabled is refused at the next page', async () => {
    const other = await service.person({ role: 'admin' })
    const next = nextOf(await service.get(`${path}?limit=10`, { token: other.token })) ?? ''
    await service.sql(`update account set role_id = 'user' where id = $1`, [other.id])
    expect(problemOf(await service.get(next, { token: other.token }))).toEqual({
      status: 403,
      code: 'permission_missing',
    })
    await service.sql(`update account set role_id = 'admin', disabled_at = now() where id = $1`, [other.id])
    expect(problemOf(await service.get(next, { token: other.token }))).toEqual({
      status: 401,
      code: 'account_disabled',
    })
    expect(problemOf(await service.get(path, { token: other.token }))).toEqual({
      status: 401,
      code: 'account_disabled',
    })
  })

  test('no spelling of the address gets around the gate', async () => {
    const { token } = await service.person()
    const spellings = [
      '//api//v1//admin//users//fetch',
      `${path}/`,
      '/API/V1/ADMIN/USERS/FETCH',
      '/api/v1/%61dmin/users/fetch',
      `${path};x=1`,
      '/api/v1/user/../admin/users/fetch',
      '/api/v1/user/%2e%2e/admin/users/fetch',
    ]
    for (const spelling of spellings) {
      const answer = await service.get(`${spelling}?limit=1`, { token })
      expect([401, 403, 404], `${spelling}: ${answer.status}`).toContain(answer.status)
    }
    const tricks = { 'x-http-method-override': 'GET', 'x-original-url': path, 'x-rewrite-url': path }
    expect((await service.get('/api/v1/user/data', { token, headers: tricks })).text).not.toContain('"users":[')
  })
})
