import { randomBytes, scryptSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from 'bcryptjs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { runMuster } from './run-muster.ts'

let service: Service
let folder: string

beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'muster-import-'))
  return async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

async function importing(name: string, content: string | Buffer, from: string, more: readonly string[] = []) {
  const path = join(folder, name)
  await writeFile(path, content)
  const env = { DATABASE_URL: service.fresh.url, MUSTER_BUILT_IN_ISSUER: 'false' }
  const ended = await runMuster(['import', path, '--from', from, ...more], { env })
  const counts = Object.fromEntries(
    ended.stdout.split('\n').flatMap((line) => {
      const [, what, count] = /^(.+?) {2,}(\d+)$/.exec(line) ?? []
      return what === undefined ? [] : [[what, Number(count)]]
    }),
  )
  const rejects = existsSync(`${path}.rejected.jsonl`) ? await readFile(`${path}.rejected.jsonl`, 'utf8') : ''
  const rejected = rejects
    .split('\n')
    .slice(0, -1)
    .map((line): { line: number; reason: string } => JSON.parse(line))
  return { ...ended, counts, rejected }
}

function signIn(email: string, password: string) {
  return service.post('/auth/sign-in', { body: { email, password } })
}

async function accountOf(issuer: string, subject: string) {
  const [row] = await service.sql<{
    email: string
    role_id: string
    created_at: Date
    is_disabled: boolean
    password: string
  }>(
    `select a.email, a.role_id, a.created_at, a.is_disabled, c.password
     from identity i join account a on a.id = i.account_id left join credential c on c.account_id = a.id
     where i.issuer = $1 and i.subject = $2`,
    [issuer, subject],
  )
  return row
}

describe('muster import reads', () => {
  const password = 'correct horse battery staple'

  test('Supabase Auth: bcrypt, bans and times, and rehashes the password at the first sign-in', async () => {
    const hash = (await bcrypt(password, 4)).replace(/^\$2b\$/, '$2a$')
    const csv = `id,email,encrypted_password,created_at,banned_until,raw_app_meta_data
s-1,Ada@Supa.example,${hash},2024-05-06 07:08:09.123456+00,,"{""provider"": ""email""}"
s-2,ban@supa.example,,2024-05-06 07:08:09+00,2999-01-01 00:00:00+00,{}
`
    const { counts, code } = await importing('supabase.csv', csv, 'supabase', [
      '--issuer',
      'https://p.supabase.co/auth/v1',
    ])
    expect({ counts, code }).toEqual({ code: 0, counts: { read: 2, imported: 2, 'already there': 0, rejected: 0 } })
    const issuer = 'https://p.supabase.co/auth/v1'
    expect(await accountOf(issuer, 's-1')).toMatchObject({
      email: 'Ada@Supa.example',
      role_id: 'user',
      created_at: new Date('2024-05-06T07:08:09.123Z'),
      is_disabled: false,
    })
    expect(await accountOf(issuer, 's-2')).toMatchObject({ is_disabled: true, password: null })
    expect((await signIn('ada@supa.example', 'wrong')).status).toBe(401)
    expect((await signIn('ada@supa.example', password)).status).toBe(200)
    expect((await accountOf(issuer, 's-1'))?.password).toMatch(/^\$argon2id\$/)
    expect((await signIn('ada@supa.example', password)).status).toBe(200)
  })

  test('Auth0: users, and the export of hashes', async () => {
    const lines = [
      { user_id: 'auth0|1', email: 'one@auth0.example', created_at: '2024-01-01T00:00:00.000Z', blocked: true },
      { _id: { $oid: '5f0' }, email: 'two@auth0.example', passwordHash: await bcrypt(password, 4) },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    expect((await importing('auth0.jsonl', text, 'auth0')).counts.imported).toBe(2)
    expect(await accountOf('urn:muster:import:auth0', 'auth0|1')).toMatchObject({ is_disabled: true })
    expect(await accountOf('urn:muster:import:auth0', 'auth0|5f0')).toBeDefined()
    expect((await signIn('two@auth0.example', password)).status).toBe(200)
  })

  test('Clerk: argon2', async () => {
    const hash = await argon2(password, { memoryCost: 4_096, timeCost: 1, parallelism: 1 })
    const csv = `id,primary_email_address,password_digest,password_hasher\r\nuser_1,clerk@clerk.example,"${hash}",argon2id\r\n`
    expect((await importing('clerk.csv', csv, 'clerk')).counts.imported).toBe(1)
    expect((await signIn('clerk@clerk.example', password)).status).toBe(200)
  })

  test('better-auth: scrypt with the hexadecimal text as salt', async () => {
    const salt = randomBytes(16).toString('hex')
    const key = scryptSync(password, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 }).toString('hex')
    const line = JSON.stringify({ id: 'b-1', email: 'ba@better.example', password: `${salt}:${key}`, banned: false })
    expect((await importing('better.jsonl', line, 'better-auth')).counts.imported).toBe(1)
    expect((await signIn('ba@better.example', 'wrong')).status).toBe(401)
    expect((await signIn('ba@better.example', password)).status).toBe(200)
  })

  test('Keycloak: argon2 with its own parameter names', async () => {
    const phc = await argon2(password, { memoryCost: 7_168, timeCost: 5, parallelism: 1 })
    const [, , , , salt = '', value = ''] = phc.split('$')
    const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, '=')
    const user = {
      id: 'k-1',
      email: 'kc@key.example',
      enabled: true,
      createdTimestamp: Date.parse('2023-02-03T04:05:06Z'),
      credentials: [
        {
          type: 'password',
          secretData: JSON.stringify({ value: padded(value), salt: padded(salt) }),
          credentialData: JSON.stringify({
            hashIterations: 5,
            algorithm: 'argon2',
            additionalParameters: { memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] },
          }),
        },
      ],
    }
    expect((await importing('keycloak.jsonl', JSON.stringify(user), 'keycloak')).counts.imported).toBe(1)
    expect(await accountOf('urn:muster:import:keycloak', 'k-1')).toMatchObject({
      created_at: new Date('2023-02-03T04:05:06Z'),
    })
    expect((await signIn('kc@key.example', password)).status).toBe(200)
  })
})

describe('the last sign-in of an imported user', () => {
  const at = '2026-03-04T05:06:07.000Z'

  test.each([
    ['supabase', { id: 'last', last_sign_in_at: '2026-03-04 05:06:07+00' }],
    ['auth0', { user_id: 'last', last_login: at }],
    ['clerk', { id: 'last', last_sign_in_at: at }],
    ['better-auth', { id: 'last', lastSignInAt: '2026-03-04 05:06:07+00' }],
    ['muster', { id: 'last', lastSignInAt: at }],
  ])('from %s ends the first session', async (from, user) => {
    expect((await importing(`last-${from}.jsonl`, JSON.stringify(user), from)).counts.imported).toBe(1)
    expect(await firstSessionOf(`urn:muster:import:${from}`)).toEqual({
      first_session: null,
      first_session_until: new Date(at),
    })
  })

  test('is missing if the export has none, and is never in the future', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    await importing('none.jsonl', '{"id": "last"}', 'muster', ['--issuer', 'urn:none'])
    await importing('soon.jsonl', JSON.stringify({ id: 'last', lastSignInAt: soon }), 'muster', [
      '--issuer',
      'urn:soon',
    ])
    expect(await firstSessionOf('urn:none')).toEqual({ first_session: null, first_session_until: null })
    const until = (await firstSessionOf('urn:soon'))?.first_session_until?.getTime()
    expect(until).toBeLessThanOrEqual(Date.now())
  })

  async function firstSessionOf(issuer: string) {
    const [row] = await service.sql<{ first_session: string | null; first_session_until: Date | null }>(
      `select a.first_session, a.first_session_until from identity i join account a on a.id = i.account_id
       where i.issuer = $1 and i.subject = 'last'`,
      [issuer],
    )
    return row
  }
})

describe('muster import with invalid input', () => {
  test('rejects an account with a role for members of organizations', async () => {
    const lines = ['owner', 'member'].map((role) => JSON.stringify({ id: `role-${role}`, role }))
    const { code, rejected } = await importing('roles.jsonl', lines.join('\n'), 'muster')
    const reason = (role: string) => `the role "${role}" is for members of organizations, not for users`
    expect({ code, rejected }).toEqual({
      code: 1,
      rejected: [
        { line: 1, reason: reason('owner') },
        { line: 2, reason: reason('member') },
      ],
    })
  })

  const good = (n: number) => JSON.stringify({ id: `g-${n}`, email: `g${n}@good.example` })

  test('imports valid lines, reports invalid lines with number and reason, and changes nothing the second time', async () => {
    const lines = [
      good(1),
      '{"id": "g-x", "email": "no address"}',
      'not json',
      '',
      '["a list"]',
      '{"email": "nobody@good.example"}',
      '{"id": "r", "role": "emperor"}',
      '{"id": "t", "createdAt": "yesterday"}',
      '{"id": "l", "lastSignInAt": "never"}',
      '{"id": "h", "email": "h@good.example", "passwordHash": "md5:abc"}',
      good(2),
      Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'),
      good(1),
      `{"id":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
    ]
    const content = Buffer.from(lines.join('\n'), 'latin1')
    const first = await importing('bad.jsonl', content, 'muster')
    expect(first.code).toBe(1)
    expect(first.counts).toEqual({ read: 13, imported: 2, 'already there': 1, rejected: 10 })
    expect(first.rejected).toEqual([
      { line: 2, reason: '"no address" must be an email address' },
      { line: 3, reason: 'the line is not JSON of at most 32 levels' },
      { line: 5, reason: 'the line is not a JSON object' },
      { line: 6, reason: 'the ID is missing or longer than 255 characters' },
      { line: 7, reason: 'there is no role "emperor"' },
      { line: 8, reason: 'the creation time is unreadable' },
      { line: 9, reason: 'the time of the last sign-in is unreadable' },
      { line: 10, reason: 'the password hash has an unknown format' },
      { line: 12, reason: 'the line is not UTF-8' },
      { line: 14, reason: 'the line is not JSON of at most 32 levels' },
    ])
    const before = await service.sql('select * from account order by id')
    const second = await importing('bad.jsonl', content, 'muster')
    expect(second.counts).toEqual({ read: 13, imported: 0, 'already there': 3, rejected: 10 })
    expect(second.rejected).toEqual(first.rejected)
    expect(await service.sql('select * from account order by id')).toEqual(before)
  })

  test('two parallel imports of one file import each user once', async () => {
    const hash = await bcrypt('secret', 4)
    const people = Array.from({ length: 12_000 }, (_, n) => ({ id: `two-${n}`, email: `two${n}@both.example` }))
    const text = people.map((one, n) => JSON.stringify(n % 50 === 0 ? { ...one, passwordHash: hash } : one)).join('\n')
    const both = await Promise.all(['first', 'second'].map((name) => importing(`${name}.jsonl`, text, 'muster')))
    expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array(2).fill({ code: 0, stderr: 'Imported the file.\n' }),
    )
    expect((both[0]?.counts.imported ?? 0) + (both[1]?.counts.imported ?? 0)).toBe(12_000)
    const [count] = await service.sql<{ n: number }>(
      `select count(*)::int as n from account where email like '%@both.example'`,
    )
    expect(count?.n).toBe(12_000)
  })

  test('rejects an email that another user already signs in with', async () => {
    const hash = await bcrypt('secret', 4)
    const { email } = await service.person()
    const line = (id: string, address: string) => JSON.stringify({ id, email: address, passwordHash: hash })
    const text = [line('x-1', email.toUpperCase()), line('x-2', 'twin@x.example'), line('x-3', 'TWIN@x.example')].join(
      '\n',
    )
    const { counts, rejected } = await importing('taken.jsonl', text, 'muster')
    expect(counts).toMatchObject({ imported: 1, rejected: 2 })
    const reason = 'another user already signs in with this email'
    expect(rejected).toEqual([
      { line: 1, reason },
      { line: 3, reason },
    ])
  })

  test('reads CSV with a broken line and special characters; --dry-run imports nothing', async () => {
    const csv =
      '\uFEFFid,email\r\n"c,1","c1@csv.example"\r\nc2,c2@csv.example,too many\r\n"c\t\\3\n",c3@csv.example\r\n'
    const dry = await importing('users.csv', csv, 'muster', ['--dry-run'])
    expect(dry.counts).toMatchObject({ read: 3, imported: 0, rejected: 1 })
    expect(await accountOf('urn:muster:import:muster', 'c,1')).toBeUndefined()
    const { counts, rejected } = await importing('users.csv', csv, 'muster')
    expect(counts).toMatchObject({ imported: 2, rejected: 1 })
    expect(rejected).toEqual([{ line: 3, reason: 'the line has more or fewer fields than the first line' }])
    expect(await accountOf('urn:muster:import:muster', 'c,1')).toBeDefined()
    expect(await accountOf('urn:muster:import:muster', 'c\t\\3')).toBeDefined()
  })

  test('fails with one sentence for a missing file, a wrong file type or an unknown product', async () => {
    const env = { DATABASE_URL: service.fresh.url }
    for (const args of [
      ['import', '/nowhere.csv', '--from', 'clerk'],
      ['import', 'users.xlsx', '--from', 'clerk'],
    ]) {
      const { code, stderr } = await runMuster(args, { env: { ...env, MUSTER_BUILT_IN_ISSUER: 'false' } })
      expect(code).toBe(1)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })
})

describe('muster export', () => {
  test('writes the same rows as the API and never replaces a file unasked', async () => {
    const { token } = await service.person({ role: 'admin' })
    const path = join(folder, 'out.json')
    const env = { DATABASE_URL: service.fresh.url, MUSTER_BUILT_IN_ISSUER: 'false' }
    expect((await runMuster(['export', path, '--sort', 'email'], { env })).code).toBe(0)
    const listed = await service.get('/api/v1/admin/users/fetch?sort=email', { token })
    expect(await readFile(path, 'utf8')).toBe(listed.text)
    expect((await runMuster(['export', path], { env })).code).toBe(1)
    expect((await runMuster(['export', path, '--yes', '--role', 'admin'], { env })).code).toBe(0)
    expect(JSON.parse(await readFile(path, 'utf8')).users).toHaveLength(1)
  })
})

describe('muster seed --users', () => {
  test('creates users with all statuses and roles, only once', async () => {
    const other = await startService()
    const env = { DATABASE_URL: other.fresh.url, MUSTER_BUILT_IN_ISSUER: 'false' }
    expect(await runMuster(['seed', '--users', '3000', '--orgs', '200', '--yes'], { env })).toMatchObject({ code: 0 })
    const [counts] = await other.sql<Record<string, number>>(`
      select (select count(*) from account)::int as accounts, (select count(*) from organization)::int as orgs,
             (select count(distinct status) from subscription)::int as statuses,
             (select count(*) from customer join account a on a.id = account_id)::int as payers,
             (select count(*) from customer join organization o on o.id = organization_id)::int as paying_orgs,
             (select count(*) from subscription)::int as subscriptions,
             (select max(n) from (select count(*) as n from membership group by organization_id) m)::int as largest,
             (select count(*) from pg_indexes where tablename = 'account')::int as indexes,
             (select count(*) from pg_constraint where contype = 'f' and conrelid = 'membership'::regclass)::int as keys`)
    const paid = { payers: 300, paying_orgs: 80, subscriptions: 380 }
    expect(counts).toMatchObject({ accounts: 3000, orgs: 200, ...paid, keys: 3 })
    expect(counts?.statuses).toBeGreaterThan(6)
    expect(counts?.largest).toBeGreaterThan(100)
    expect(counts?.indexes).toBeGreaterThan(8)
    expect((await runMuster(['seed', '--users', '3000', '--yes'], { env })).stderr).toMatch(/already/)
    await other.stop()
  })
})
