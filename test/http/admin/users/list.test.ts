import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { Agent, request } from 'undici'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../support/database.ts'
import type { Answer, Person, Service } from '../../../support/service.ts'
import { addressWith, serviceForTest, startService, testInProcess } from '../../../support/service.ts'

const path = '/api/v1/admin/users/fetch'

interface Listed {
  readonly id: string
  readonly email?: string
  readonly role: string
  readonly orgs: readonly { readonly id: string; readonly name: string }[]
}

function usersOf(answer: Answer): readonly Listed[] {
  expect(answer.status).toBe(200)
  return (answer.body as { users: readonly Listed[] }).users
}

function emailsOf(answer: Answer): readonly (string | undefined)[] {
  return usersOf(answer).map(({ email }) => email)
}

function nextOf({ headers }: Answer): string | undefined {
  return /^<(.+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
}

async function addAccounts(service: Service, emails: readonly (string | null)[]): Promise<void> {
  await service.sql(
    `insert into account (email, created_at)
     select email, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 microsecond'
     from unnest($1::text[]) with ordinality as new (email, n)`,
    [emails],
  )
}

/** A list of about 15 MB, more than the kernel's socket buffers. */
async function addHeavyUsers(database: Service['database']): Promise<void> {
  const client = await database.connect()
  await client.query(`insert into organization (name) select repeat('x', 195) || n from generate_series(1, 12) n`)
  await client.query(
    `insert into account (email) select 'heavy' || n || '@example.com' from generate_series(1, 6000) n`,
  )
  await client.query(`insert into membership (account_id, organization_id)
    select a.id, o.id from account a, organization o where a.email like 'heavy%'`)
  await client.end()
}

describe('a small list', () => {
  let service: Service
  let admin: Person

  beforeAll(async () => {
    service = await startService()
    admin = await service.person({ role: 'admin', email: 'root@muster.test' })
    await addAccounts(service, ['Zoe@Example.com', 'ada_l@example.com', null, 'adaxl@example.com', '+cmd@example.org'])
    await service.sql(`insert into organization (name) values ('=1+1, "Acme"')`)
    await service.sql(`insert into membership (organization_id, account_id)
      select o.id, a.id from organization o, account a where a.email in ('Zoe@Example.com', 'ada_l@example.com')`)
    await service.sql(`update account set disabled_at = now() where email = 'adaxl@example.com'`)
    return () => service.stop()
  })

  const get = (query: string, headers = {}) => service.get(`${path}${query}`, { token: admin.token, headers })

  test('200 — all users without a paging parameter, oldest first, with exactly the documented members', async () => {
    const answer = await get('')
    expect(emailsOf(answer)).toEqual([
      'Zoe@Example.com',
      'ada_l@example.com',
      undefined,
      'adaxl@example.com',
      '+cmd@example.org',
      'root@muster.test',
    ])
    expect(nextOf(answer)).toBeUndefined()
    expect(usersOf(answer)[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'Zoe@Example.com',
      role: 'user',
      orgs: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: '=1+1, "Acme"' }],
    })
    expect(Object.keys(usersOf(answer)[2] ?? {})).toEqual(['id', 'role', 'orgs'])
  })

  test.each([
    ['?email=ADA', ['ada_l@example.com', 'adaxl@example.com']],
    ['?email=a_l', ['ada_l@example.com']],
    ['?email=%25', []],
    ['?email=%5C', []],
    ['?email=z', ['Zoe@Example.com']],
    ['?email=.o', ['+cmd@example.org']],
    ['?email=%2B', ['+cmd@example.org']],
    ['?email=qz', []],
    ['?role=admin', ['root@muster.test']],
    ['?role=nobody', []],
    ['?status=disabled', ['adaxl@example.com']],
    ['?status=active&email=ada', ['ada_l@example.com']],
    ['?status=active&role=user&sort=-email&email=.org', ['+cmd@example.org']],
    ['?sort=email&limit=3', [undefined, '+cmd@example.org', 'ada_l@example.com']],
    ['?sort=-email&limit=2', ['Zoe@Example.com', 'root@muster.test']],
    ['?sort=-created&limit=2', ['root@muster.test', '+cmd@example.org']],
    ['?orgId=00000000-0000-4000-8000-000000000000', []],
  ])('200 — %s, as a full list and in pages of one', async (query, emails) => {
    if (!query.includes('limit')) expect(emailsOf(await get(query))).toEqual(emails)
    const found: unknown[] = []
    let next: string | undefined = query.includes('limit') ? `${path}${query}` : `${path}${query}&limit=1`
    do {
      const answer: Answer = await service.get(next ?? '', { token: admin.token })
      found.push(...emailsOf(answer))
      next = nextOf(answer)
    } while (next !== undefined && found.length < emails.length)
    expect(found).toEqual(emails)
    if (!query.includes('limit')) expect(next).toBeUndefined()
  })

  test('200 — the members of an organization', async () => {
    const [org] = await service.sql<{ id: string }>('select id from organization')
    expect(emailsOf(await get(`?orgId=${org?.id}&sort=-email`))).toEqual(['Zoe@Example.com', 'ada_l@example.com'])
    expect(emailsOf(await get(`?orgId=${org?.id}&limit=5&email=zoe`))).toEqual(['Zoe@Example.com'])
  })

  test('200 — names and emails with characters that JSON escapes arrive as they were stored, in a list and in pages', async () => {
    const names = ['\\ \\u0041 \\"', 'Größe \u{1F468}\u200D\u{1F680} \u2028 </script>', `{"id":'null'}`]
    const email = `o'brien+{x}/@example.com`
    const service = await serviceForTest()
    const admin = await service.person({ role: 'admin' })
    await service.sql(`insert into account (email) values ($1)`, [email])
    await service.sql(
      `with named as (insert into organization (name) select unnest($1::text[]) returning id)
       insert into membership (account_id, organization_id) select a.id, named.id from account a, named where a.email = $2`,
      [names, email],
    )
    for (const query of ['', '?limit=2']) {
      const users = usersOf(await service.get(`${path}${query}`, { token: admin.token }))
      const found = users.find((user) => user.email === email)
      expect(found?.orgs.map(({ name }) => name).sort()).toEqual([...names].sort())
    }
  })

  test('200 — Total-Count only on request, for the given filters', async () => {
    expect((await get('?limit=1')).headers['total-count']).toBeUndefined()
    expect((await get('?limit=1&count=exact')).headers['total-count']).toBe('6')
    expect((await get('?count=exact&email=ada')).headers['total-count']).toBe('2')
    const page = await get('?count=exact&limit=1&status=active')
    expect(page.headers['total-count']).toBe('5')
    expect(nextOf(page)).not.toContain('count')
  })

  test('200 text/csv — follows RFC 4180 and defuses formulas', async () => {
    const { text, headers } = await get('?email=example&sort=email', { accept: 'text/csv' })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('id,email,role,org_ids,org_names,email_proved,display_name')
    expect(lines[1]).toMatch(/^"[0-9a-f-]{36}","'\+cmd@example.org","user","","","false",""$/)
    expect(lines[2]).toMatch(
      /^"[0-9a-f-]{36}","ada_l@example.com","user","[0-9a-f-]{36}","'=1\+1, ""Acme""","false",""$/,
    )
    expect(lines).toHaveLength(6)
    expect(lines.at(-1)).toBe('')
    expect((await get('?email=nobody', { accept: 'text/csv' })).text).toBe(
      'id,email,role,org_ids,org_names,email_proved,display_name\r\n',
    )
  })

  test('200 application/x-ndjson — the same users, one per line, as a full list and in pages', async () => {
    const users = usersOf(await get(''))
    const linesOf = ({ text }: Answer) => text.split('\n').slice(0, -1)
    const accept = 'application/x-ndjson'
    expect(linesOf(await get('', { accept })).map((line) => JSON.parse(line))).toEqual(users)
    expect(linesOf(await get('?limit=4', { accept })).map((line) => JSON.parse(line))).toEqual(users.slice(0, 4))
    expect((await get('?email=nobody', { accept })).text).toBe('')
  })

  test('406 format_not_acceptable — any other format, and a format with q=0', async () => {
    for (const accept of ['text/html', 'application/xml, image/*', 'application/json;q=0, text/csv;q=0'])
      expect((await get('', { accept })).body).toMatchObject({ status: 406, code: 'format_not_acceptable' })
    for (const accept of ['*/*', 'text/html, application/*;q=0.1', 'application/json'])
      expect((await get('', { accept })).headers['content-type']).toBe('application/json; charset=utf-8')
    expect((await get('', { accept: 'text/*, */*;q=0.5' })).headers['content-type']).toMatch(/^text\/csv/)
  })

  test('200 — gzip only on request', async () => {
    const plain = await get('', { 'accept-encoding': 'identity' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    const answer = await request(new URL(path, service.url), {
      headers: { authorization: `Bearer ${admin.token}`, 'accept-encoding': 'br, gzip;q=0.5' },
    })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(Buffer.from(await answer.body.arrayBuffer())).toString()).toBe(plain.text)
    expect((await get('', { 'accept-encoding': 'gzip;q=0, *' })).text).toBe(plain.text)
  })

  test('200 HEAD — only the headers, without reading the list', async () => {
    const answer = await service.call('HEAD', `${path}?count=exact`, { token: admin.token })
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['total-count']).toBe('6')
    const page = await service.call('HEAD', `${path}?limit=1`, { token: admin.token })
    expect(nextOf(page)).toBeDefined()
  })

  test.each([
    ['?limit=0', 'limit', 'must be >= 1'],
    ['?limit=-1', 'limit', 'must be >= 1'],
    ['?limit=1001', 'limit', 'must be <= 1000'],
    ['?limit=abc', 'limit', 'must be of the type integer'],
    ['?limit=1.5', 'limit', 'must be of the type integer'],
    ['?limit=', 'limit', 'must be of the type integer'],
    ['?sort=name', 'sort', 'must be one of: created, -created, email, -email'],
    ['?status=banned', 'status', 'must be one of: active, disabled, erasing'],
    ['?count=estimate', 'count', 'must be one of: exact'],
    ['?orgId=x', 'orgId', 'must be a UUID in lower case'],
    ['?offset=10', 'offset', 'is unknown'],
    ['?email=a&email=b', 'email', 'must be sent once'],
  ])('400 input_invalid — %s, with the allowed values', async (query, parameter, detail) => {
    const { body } = await get(query)
    expect(body).toMatchObject({ status: 400, code: 'input_invalid' })
    expect((body as { errors: unknown[] }).errors).toContainEqual({ parameter, detail })
  })

  test.each(['?email=', '?role=%27'])('400 input_invalid — %s', async (query) => {
    expect((await get(query)).body).toMatchObject({ status: 400, code: 'input_invalid' })
  })

  test('400 cursor_invalid — a cursor of another query, or one that is modified, shortened or invented', async () => {
    const cursor = new URL(String(nextOf(await get('?limit=2&email=a&sort=email'))), service.url).searchParams.get(
      'cursor',
    )
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(usersOf(await get(`?limit=3&email=a&sort=email&cursor=${cursor}`))).toHaveLength(2)
    const others = [
      `?cursor=${cursor}`,
      `?email=a&cursor=${cursor}`,
      `?email=b&sort=email&cursor=${cursor}`,
      `?email=a&sort=-email&cursor=${cursor}`,
      `?email=a&sort=email&role=user&cursor=${cursor}`,
      `?email=a&sort=email&cursor=${cursor?.slice(0, -1)}`,
      `?email=a&sort=email&cursor=${cursor}A`,
      `?email=a&sort=email&cursor=${cursor?.startsWith('A') ? 'B' : 'A'}${cursor?.slice(1)}`,
      `?email=a&sort=email&cursor=${Buffer.from('["",""]').toString('base64url')}`,
    ]
    for (const query of others) expect((await get(query)).body).toMatchObject({ status: 400, code: 'cursor_invalid' })
  })

  test('403 permission_missing — every form of the request without the permission', async () => {
    const { token } = await service.person()
    for (const query of ['', '?limit=1', '?count=exact', '?limit=1&count=exact', '?email=ada'])
      expect((await service.get(`${path}${query}`, { token })).body).toMatchObject({ code: 'permission_missing' })
    expect((await service.call('HEAD', path, { token })).status).toBe(403)
    await service.sql('delete from account where id = (select max(id::text)::uuid from account)')
  })

  test('401 account_disabled — an administrator disabled between two pages', async () => {
    const other = await service.person({ role: 'admin' })
    const next = String(nextOf(await service.get(`${path}?limit=1`, { token: other.token })))
    await service.sql('update account set disabled_at = now() where id = $1', [other.id])
    expect((await service.get(next, { token: other.token })).body).toMatchObject({ code: 'account_disabled' })
    await service.sql('delete from account where id = $1', [other.id])
  })
})

describe('a long list', () => {
  let service: Service
  let admin: Person

  beforeAll(async () => {
    service = await startService()
    // The administrator's email matches none of the filters below.
    admin = await service.person({ role: 'admin', email: 'root@muster.test' })
    const client = await service.database.connect()
    await client.query(`insert into account (email, created_at)
      select case when n % 3 = 0 then 'even' else 'Odd' end || n || '@example.com', timestamptz '2026-01-01' + n * interval '1 s'
      from generate_series(1, 12000) n`)
    await client.query(`insert into account (email, created_at, disabled_at)
      select 'rare' || n || '@q-z.example', timestamptz '2026-02-01' + n * interval '1 s', now() from generate_series(1, 30) n`)
    await client.query('analyze account')
    await client.end()
    return () => service.stop()
  })

  test.each([
    ['email=RARE', 30],
    ['email=q-z', 30],
    ['email=-z', 30],
    ['email=e2%40x', 0],
    ['email=rare&status=disabled', 30],
    ['email=rare&status=active', 0],
    ['email=rare&sort=-email', 30],
    ['email=%5E%7E', 0],
  ])('200 — %s is found behind more rows than one scan tests', async (query, expected) => {
    const found = new Set<string>()
    let pages = 0
    let next: string | undefined = `${path}?${query}&limit=7`
    while (next !== undefined) {
      const answer: Answer = await service.get(next, { token: admin.token })
      for (const { id } of usersOf(answer)) {
        expect(found.has(id)).toBe(false)
        found.add(id)
      }
      pages += 1
      next = nextOf(answer)
    }
    expect(found.size).toBe(expected)
    expect(pages).toBe(Math.max(1, Math.ceil(expected / 7)))
    expect(usersOf(await service.get(`${path}?${query}`, { token: admin.token }))).toHaveLength(expected)
  })

  test('200 — the full list is well-formed and contains each user once, in order', async () => {
    const users = usersOf(await service.get(`${path}?sort=email`, { token: admin.token }))
    expect(new Set(users.map(({ id }) => id)).size).toBe(12_031)
    const keys = users.map(({ email }) => String(email).toLowerCase())
    expect(keys).toEqual([...keys].sort())
  })
})

describe('a stream that cannot be finished', () => {
  let fresh: FreshDatabase
  beforeAll(async () => {
    fresh = await freshDatabase()
    await addHeavyUsers(fresh.database)
    return () => fresh.drop()
  })

  /** Opens the full list on a separate connection and reads nothing yet. */
  async function openList(service: Pick<Service, 'url'>, token: string, headers = {}) {
    const dispatcher = new Agent()
    onTestFinished(() => dispatcher.destroy())
    const wanted = { authorization: `Bearer ${token}`, ...headers }
    const answer = await request(new URL(path, service.url), { headers: wanted, dispatcher })
    return { ...answer, leave: () => dispatcher.destroy() }
  }

  test.each([{}, { 'accept-encoding': 'gzip' }, { accept: 'text/csv' }])(
    'is aborted when its database connection is lost midway: %o',
    async (headers) => {
      const service = await serviceForTest({ on: fresh })
      const { token } = await service.person({ role: 'admin' })
      const answer = await openList(service, token, headers)
      expect(answer.statusCode).toBe(200)
      const reader = answer.body[Symbol.asyncIterator]()
      expect((await reader.next()).done).toBe(false)

      const killer = new Client(service.fresh.adminUrl)
      await killer.connect()
      // Only the connection of the list. Idle connections would be terminated for later users of this database.
      const killed = await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query ~ '^fetch'`,
      )
      await killer.end()
      expect(killed.rowCount).toBe(1)
      const rest = async () => {
        while (!(await reader.next()).done);
      }
      await expect(rest()).rejects.toThrow()
    },
  )

  testInProcess(
    '503 overloaded — one list more than are streamed at once; other questions are still answered',
    async () => {
      const service = await serviceForTest({ on: fresh, env: { MUSTER_EXPORTS_MAX: '2' } })
      const { token } = await service.person({ role: 'admin' })
      const others = await Promise.all([1, 2].map(() => service.person({ role: 'admin' })))
      const open = await Promise.all(others.map((other) => openList(service, other.token)))
      const refused = await Promise.all(Array.from({ length: 48 }, () => service.get(path, { token })))
      for (const { status, body, headers } of refused) {
        expect({ status, body }).toMatchObject({ status: 503, body: { code: 'overloaded' } })
        expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      }
      const reached = (await service.logged()).match(/"limit":"exports","max":2/g)
      expect(reached, 'one line of the log, however many are refused').toHaveLength(1)
      expect((await service.get('/api/v1/user/data', { token })).status).toBe(200)
      expect((await service.get(`${path}?limit=1`, { token })).status).toBe(200)

      await Promise.all(open.map(({ leave }) => leave()))
      await expect.poll(async () => (await service.get(`${path}?email=heavy1`, { token })).status).toBe(200)
    },
  )

  testInProcess('closes a full export when its reader takes nothing', async () => {
    const service = await serviceForTest({ on: fresh, env: { MUSTER_EXPORTS_MAX: '1' } })
    const { token } = await service.person({ role: 'admin' })
    const { users } = service.parts
    const listSettings = { ...users.listSettings, stallMs: 1_500 }
    const impatient = { url: await addressWith(service, { users: { ...users, listSettings } }) }
    const open = await openList(impatient, token)
    expect(open.statusCode).toBe(200)
    const get = async (query: string) =>
      (await fetch(`${impatient.url}${path}${query}`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await get('')).toBe(429)
    await expect.poll(() => get('?email=nobody')).toBe(200)
  })
})
