import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type Directory, directorySql, readDirectory, useDirectory } from '../../src/identity/directory.ts'
import { issuerForTest } from '../support/issuer.ts'
import { type Service, serviceForTest } from '../support/service.ts'

/** A service with one foreign issuer, and a database client with all privileges. */
async function bench() {
  const issuer = await issuerForTest()
  const entry = { issuer: issuer.name, algorithms: ['ES256'], audience: 'muster-api' }
  const service = await serviceForTest({ env: { MUSTER_ISSUERS: JSON.stringify([entry]) } })
  const admin = new Client(service.fresh.adminUrl)
  await admin.connect()
  onTestFinished(() => admin.end())
  return {
    issuer,
    service,
    admin,
    async factorsOf(sub: string): Promise<unknown> {
      const { body } = await service.get('/api/v1/user/data', { token: await issuer.mint({ sub }) })
      return Object(body).mfaFactors
    },
    use: (directory: Directory) => useDirectory(service.database, directory),
  }
}

/** Tables as Supabase Auth creates them: types, constraints, indexes, and row-level security without a policy. */
const supabaseTables = `
create schema auth;
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');
create table auth.users (id uuid primary key, email varchar(255), banned_until timestamptz);
create table auth.mfa_factors (
  id uuid not null, user_id uuid not null references auth.users on delete cascade, friendly_name text,
  factor_type auth.factor_type not null, status auth.factor_status not null,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  secret text, phone text, last_challenged_at timestamptz unique, web_authn_credential jsonb, web_authn_aaguid uuid,
  constraint mfa_factors_pkey primary key (id));
create index factor_id_created_at_idx on auth.mfa_factors (user_id, created_at);
create unique index mfa_factors_user_friendly_name_unique on auth.mfa_factors (friendly_name, user_id)
  where trim(friendly_name) <> '';
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);
alter table auth.users enable row level security;
alter table auth.mfa_factors enable row level security;`

const betterAuthTables = (type: string) => `
create schema better_auth;
create table better_auth."user" (id ${type} primary key, name text not null, email text not null unique);
create table better_auth."twoFactor" (
  id ${type} primary key, secret text not null, "backupCodes" text not null,
  "userId" ${type} not null references better_auth."user" on delete cascade, verified boolean default true,
  "failedVerificationCount" integer, "lockedUntil" timestamptz);
create index "twoFactor_userId_idx" on better_auth."twoFactor" ("userId");
create table better_auth.passkey (
  id ${type} primary key, name text, "publicKey" text not null, "userId" ${type} not null references better_auth."user" on delete cascade,
  "credentialID" text not null, counter integer not null, "deviceType" text not null, "backedUp" boolean not null,
  transports text, "createdAt" timestamptz, aaguid text);
create index "passkey_userId_idx" on better_auth.passkey ("userId");`

const people = 4_000

test('Supabase: shows verified factors with their names, and none of other users', async () => {
  const { issuer, admin, factorsOf, use } = await bench()
  await admin.query(supabaseTables)
  await admin.query(`grant usage on schema auth to public; grant select on auth.mfa_factors to public`)
  await admin.query('alter table auth.mfa_factors disable row level security')
  const [ada, eve] = [randomUUID(), randomUUID()]
  const [phone, blank] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  await admin.query('insert into auth.users values ($1), ($2)', [ada, eve])
  await admin.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status) values
       ($1, $3, 'Phone', 'totp', 'verified'), ($2, $3, ' ', 'totp', 'verified'),
       (gen_random_uuid(), $3, 'Half made', 'totp', 'unverified'), (gen_random_uuid(), $4, 'Of Eve', 'totp', 'verified')`,
    [phone, blank, ada, eve],
  )
  expect(await factorsOf(ada)).toEqual([])
  await use({ kind: 'supabase', issuer: issuer.name })
  expect(await factorsOf(ada)).toEqual([{ id: phone, friendlyName: 'Phone' }, { id: blank }])
  // Nothing is cached, because their table does not notify changes: a new name appears on the next request.
  await admin.query(`update auth.mfa_factors set friendly_name = 'Key' where id = $1`, [phone])
  expect(await factorsOf(ada)).toMatchObject([{ friendlyName: 'Key' }, {}])
  await use({ kind: 'own' })
  expect(await factorsOf(ada)).toEqual([])
})

test('Supabase with passkeys: sign-in passkeys count as factors, if this role can read them', async () => {
  const { issuer, service, admin, factorsOf } = await bench()
  await admin.query(supabaseTables)
  await admin.query('grant usage on schema auth to public; grant select on auth.mfa_factors to public')
  await admin.query('alter table auth.mfa_factors disable row level security')
  const choice = { kind: 'supabase', issuer: issuer.name, hasPasskeys: true } as const
  await expect(useDirectory(service.database, choice)).rejects.toThrow(
    'The table auth.webauthn_credentials does not exist',
  )
  await admin.query(`create table auth.webauthn_credentials (id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade, friendly_name text not null default '')`)
  await expect(useDirectory(service.database, choice)).rejects.toThrow(
    'cannot see the rows of auth.webauthn_credentials',
  )
  await admin.query('grant select on auth.webauthn_credentials to public')
  const [ada, eve] = [randomUUID(), randomUUID()]
  await admin.query('insert into auth.users values ($1), ($2)', [ada, eve])
  await admin.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status) values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified')`,
    [ada],
  )
  await admin.query(
    `insert into auth.webauthn_credentials (user_id, friendly_name) values ($1, 'Laptop'), ($1, ' '), ($2, 'Of Eve')`,
    [ada, eve],
  )
  await useDirectory(service.database, choice)
  const names = Object(await factorsOf(ada)).map(({ friendlyName }: { friendlyName: string }) => friendlyName)
  expect(names.sort()).toEqual(['Laptop', 'Passkey', 'Phone'])
})

test('Supabase: ignores subjects of other issuers that are not UUIDs', async () => {
  const { issuer, service, admin, factorsOf, use } = await bench()
  await admin.query(supabaseTables)
  await admin.query('grant usage on schema auth to public; grant select on auth.mfa_factors to public')
  await admin.query('alter table auth.mfa_factors disable row level security')
  await use({ kind: 'supabase', issuer: 'https://abcd.supabase.co/auth/v1' })
  expect(await factorsOf('auth0|123')).toEqual([])
  const { token } = await service.person()
  expect((await service.get('/api/v1/user/data', { token })).status).toBe(200)
  expect(await readDirectory(service.database)).toContain('https://abcd.supabase.co/auth/v1')
  expect(issuer.asked.length).toBeGreaterThan(0)
})

test('Supabase with row-level security: refuses if no row would be visible; the printed SQL works for the owner', async () => {
  const { issuer, service, admin, factorsOf } = await bench()
  await admin.query(supabaseTables)
  const choice = { kind: 'supabase', issuer: issuer.name } as const
  const ada = randomUUID()
  await admin.query('insert into auth.users values ($1)', [ada])
  await admin.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
     values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified')`,
    [ada],
  )
  await expect(useDirectory(service.database, choice)).rejects.toThrow('--print')
  await admin.query('grant usage on schema auth to public')
  await expect(useDirectory(service.database, choice)).rejects.toThrow('--print')
  await admin.query('grant select on auth.mfa_factors to public')
  await expect(useDirectory(service.database, choice)).rejects.toThrow('--print')
  expect(await factorsOf(ada)).toEqual([])

  await admin.query('revoke select on auth.mfa_factors from public')
  await admin.query(await directorySql(service.database, choice))
  expect(await factorsOf(ada)).toMatchObject([{ friendlyName: 'Phone' }])
  await expect(service.sql('select * from auth.users')).rejects.toThrow('permission denied')
  await expect(service.sql('select * from auth.mfa_factors')).rejects.toThrow('permission denied')
})

test.each(['text', 'uuid'])('Better Auth with %s ids: shows authenticator apps and passkeys', async (type) => {
  const { issuer, admin, factorsOf, use } = await bench()
  await admin.query(betterAuthTables(type))
  await admin.query(
    'grant usage on schema better_auth to public; grant select on all tables in schema better_auth to public',
  )
  const ada = randomUUID()
  const ids = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
  await admin.query(`insert into better_auth."user" values ($1, 'Ada', 'ada@example.com')`, [ada])
  await admin.query(
    `insert into better_auth."twoFactor" (id, secret, "backupCodes", "userId", verified) values ($1, '', '', $3, true), ($2, '', '', $3, false)`,
    [ids[0], ids[1], ada],
  )
  await admin.query(
    `insert into better_auth.passkey (id, name, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
     values ($1, 'Laptop', '', $3, '', 0, '', false), ($2, null, '', $3, '', 0, '', false)`,
    [ids[2], ids[3], ada],
  )
  await use({ kind: 'better-auth', issuer: issuer.name, schema: 'better_auth' })
  expect(await factorsOf(ada)).toEqual([
    { id: ids[0], friendlyName: 'Authenticator app' },
    { id: ids[2], friendlyName: 'Laptop' },
    { id: ids[3], friendlyName: 'Passkey' },
  ])
  await admin.query('drop view directory_factor; drop table better_auth.passkey')
  await use({ kind: 'better-auth', issuer: issuer.name, schema: 'better_auth' })
  expect(await factorsOf(ada)).toEqual([{ id: ids[0], friendlyName: 'Authenticator app' }])
})

test('names missing tables and keeps the current view', async () => {
  const { service } = await bench()
  const before = await readDirectory(service.database)
  for (const kind of ['supabase', 'better-auth'] as const)
    await expect(useDirectory(service.database, { kind, issuer: 'x', schema: 'nowhere' })).rejects.toThrow(
      'does not exist in this database',
    )
  expect(await readDirectory(service.database)).toBe(before)
})

test('treats quotes in an issuer or a schema as part of the name', async () => {
  const { service, admin, use } = await bench()
  await admin.query(betterAuthTables('text').replaceAll('better_auth', `"od'd ""one"""`))
  await admin.query(`grant usage on schema "od'd ""one""" to public`)
  await admin.query(`grant select on all tables in schema "od'd ""one""" to public`)
  await use({ kind: 'better-auth', issuer: `x'; drop table account; --`, schema: `od'd "one"` })
  expect(await service.sql('select count(*)::int as n from account')).toHaveLength(1)
})

/** Plan nodes that scan a whole table, and the indexes that the plan uses. */
async function planOf(service: Service, accountId: string): Promise<{ scans: string[]; indexes: string[] }> {
  const [row] = await service.sql<{ 'QUERY PLAN': unknown }>(
    `explain (format json) select json_agg(f.friendly_name) from directory_factor f where f.account_id = '${accountId}'`,
  )
  const scans: string[] = []
  const indexes: string[] = []
  JSON.stringify(row?.['QUERY PLAN'], (_name, value) => {
    if (value?.['Node Type'] === 'Seq Scan') scans.push(value['Relation Name'])
    if (value?.['Index Name']) indexes.push(value['Index Name'])
    return value
  })
  return { scans, indexes }
}

test('EXPLAIN: each view finds the factors of one of 20,000 users by index', async () => {
  const { issuer, service, admin, use } = await bench()
  await admin.query(supabaseTables)
  await admin.query(betterAuthTables('uuid'))
  await admin.query(`
    insert into account (email) select n || '@example.com' from generate_series(1, ${people}) n;
    insert into identity select '${issuer.name}', gen_random_uuid()::text, id from account;
    insert into auth.users (id) select subject::uuid from identity;
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
      select gen_random_uuid(), id, 'Phone', 'totp', 'verified' from auth.users;
    insert into better_auth."user" select id, '', id::text from auth.users;
    insert into better_auth."twoFactor" (id, secret, "backupCodes", "userId") select gen_random_uuid(), '', '', id from auth.users;
    insert into better_auth.passkey (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
      select gen_random_uuid(), '', id, '', 0, '', false from auth.users;
    alter table auth.mfa_factors disable row level security;
    grant usage on schema auth, better_auth to public;
    grant select on all tables in schema auth, better_auth to public;
    analyze;`)
  const [account] = await service.sql<{ id: string }>('select id from account limit 1')
  const id = String(account?.id)
  await use({ kind: 'supabase', issuer: issuer.name })
  const supabase = await planOf(service, id)
  expect(supabase.scans).toEqual([])
  expect(supabase.indexes).toEqual(
    expect.arrayContaining(['identity_of', expect.stringMatching(/mfa_factors_user_id_idx|factor_id_created_at_idx/)]),
  )
  await use({ kind: 'better-auth', issuer: issuer.name, schema: 'better_auth' })
  const betterAuth = await planOf(service, id)
  expect(betterAuth.scans).toEqual([])
  expect(betterAuth.indexes).toEqual(
    expect.arrayContaining(['identity_of', 'twoFactor_userId_idx', 'passkey_userId_idx']),
  )
})
