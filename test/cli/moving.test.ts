import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { insertDemoData, makeDemoData } from '../../cli/seed/demo-data.ts'
import { Secret } from '../../src/platform/secret.ts'
import { openEncryption } from '../../src/sign-in/keys/encryption.ts'
import { encryptionKeysOf } from '../../src/sign-in/settings.ts'
import { subscribe } from '../support/billing-rows.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { contentOf } from '../support/rows-and-schema.ts'
import { type Person, type Service, startService, testInProcess } from '../support/service.ts'
import {
  challengeFor,
  codeAt,
  type EnrolledFactor,
  enrol,
  newClient,
  type SessionTokens,
  tokensOf,
} from '../support/test-client.ts'
import { program, runMuster } from './run-muster.ts'

const encryptionKey = randomBytes(32).toString('base64')
const env = { MUSTER_ENCRYPTION_KEY: encryptionKey, MUSTER_PUBLIC_URL: 'http://muster.test' }

/** The backup of a database with rows in every table, and what its users have. */
let path: string
let content: Record<string, string>
let person: Person
let factor: EnrolledFactor
let session: SessionTokens

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-moving-'))
  const source = await freshDatabase()
  const service = await serviceOn(source)
  await fill(service)
  path = join(folder, 'muster.backup')
  const ended = await musterOn(source, ['backup', path])
  expect(ended).toEqual({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^Backed up [\d,]+ rows to .*\nAlso keep MUSTER_ENCRYPTION_KEY/),
  })
  content = await contentOf(source.sql)
  await service.stop()
  await source.drop()
  return () => rm(folder, { recursive: true })
})

function serviceOn(fresh: FreshDatabase): Promise<Service> {
  return startService({ on: fresh, env: { ...env, MUSTER_TRUSTED_PROXIES: '127.0.0.1' } })
}

function musterOn({ url }: FreshDatabase, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  return runMuster(args, { env: { ...env, DATABASE_URL: url, ...more } })
}

async function databaseForTest(options?: { empty?: boolean }): Promise<FreshDatabase> {
  const fresh = await freshDatabase(options)
  onTestFinished(() => fresh.drop())
  return fresh
}

/** Ordinary operations as far as they reach, and rows for the tables that need another product. */
async function fill(service: Service): Promise<void> {
  const signIn = { password: new Secret('correct horse'), encryption: openEncryption(encryptionKeysOf(service.config)) }
  await service.database.transaction((rows) =>
    insertDemoData(rows, makeDemoData(1, { users: 20, organizations: 4 }), signIn),
  )
  person = await service.person()
  factor = await enrol(service, person.token, { password: person.password })
  await newClient(service).signIn(person.email, 'wrong')
  const other = await service.person()
  session = await newClient(service).openSession(other)
  await challengeFor(newClient(service), person)
  await service.sql(`insert into plan (id, name) values ('gold', 'Gold')`)
  await service.sql(`insert into plan_grant values ('gold', 'reports', 'export')`)
  await service.sql(`insert into plan_price values ('price_gold', 'gold')`)
  await subscribe(service, { customer: 'cus_gold', accountId: person.id, price: 'price_gold', status: 'active' })
  await service.sql(`insert into identity values ('https://id.example.com', 'gone', $1)`, [person.id])
  await service.sql(`delete from identity where subject = 'gone'`)
  await service.sql(`
    insert into sign_up_invitation (hash, email, role_id, expires_at) values ('\\x01', 'new@example.com', 'user', now());
    insert into invitation (organization_id, role_id, token_hash, expires_at) select id, 'member', '\\x02', now() from organization limit 1;
    insert into billing_event (id, type, created, applied) values ('evt_1', 'customer.created', now(), true);
    insert into account_link (hash, purpose, account_id, bound_to, expires_at) select '\\x01', 'recovery', id, '\\x02', now() from account limit 1;
    insert into erasure values (uuid_v7());
    insert into upkeep values ('task', now());
    insert into mail_outbox (id, kind, sealed, expires_at) values (uuid_v7(), 'test', '\\x01', now());
    insert into mail_hour (hour) values (now());
    insert into mail_share values (now(), '\\x01', 1);
    insert into mail_request (email) values ('ada@example.com');
    insert into sign_up_link (hash, email, expires_at) values ('\\x01', 'ada@example.com', now());
    insert into passkey (account_id, friendly_name, credential_id, public_key, aaguid) select account_id, 'Laptop', '\\x01', '\\x02', account_id from credential limit 1;
    insert into webauthn_challenge (hash, purpose, expires_at) values ('\\x01', 'sign_in', now());
    insert into service_key (name, hash, hint, expires_at) values ('One', '\\x01', 'msk_', now());
    insert into service_key_grant select id, 'users', 'list' from service_key;
    insert into webhook_endpoint (id, url, events, secret) values (uuid_v7(), 'https://example.com/', '{user.created}', '\\x01');
    insert into webhook_event (type, subject, data) values ('user.created', '', '{}');
    insert into webhook_total values ('delivered', 1);
    insert into billing_sync values ('stripe', now());
    insert into act_as select account_id, account_id, null, now() from credential limit 1;
    insert into rate_limit values ('a', 1, 2) on conflict do nothing;
    insert into issuer_key_set values ('https://id.example.com', 'https://id.example.com/jwks', '[{"kty": "EC"}]', now())`)
}

test('the source database has rows in every table', () => {
  expect(Object.entries(content).filter(([, text]) => text.startsWith('0 '))).toEqual([])
})

testInProcess(
  'backup and restore keep all rows, so users keep password, second factor, refresh token and plan',
  async () => {
    const target = await databaseForTest({ empty: true })
    expect(await musterOn(target, ['restore', path])).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^The backup is complete\. Created 20\d\d-.*Z by Muster [\d.]+, PostgreSQL [\d.]+\.\nRestored [\d,]+ rows\.\n$/,
      ),
    })
    expect(await contentOf(target.sql)).toEqual(content)

    const service = await serviceOn(target)
    onTestFinished(() => service.stop())
    const client = newClient(service)
    expect((await client.post('/auth/refresh', { refresh_token: session.refresh })).status).toBe(200)
    expect((await service.get('/api/v1/user/data', { token: session.access })).status).toBe(200)
    service.clock.advanceSeconds(60)
    const challenge = await challengeFor(client, person)
    const code = codeAt(factor.secret, service.clock.now())
    const signedIn = await client.post('/auth/sign-in/second-step', { challenge, factorId: factor.id, code })
    expect(signedIn.status, signedIn.text).toBe(200)
    expect((await service.get('/api/v1/user/data', { token: tokensOf(signedIn).access })).body).toMatchObject({
      subscription: { plan_id: 'gold', status: 'active' },
      permissions: { reports: ['export'] },
      mfaFactors: [{ friendlyName: 'Phone' }],
    })
  },
)

test('restore rejects a different encryption key, and --end-sessions signs out all users', async () => {
  const target = await databaseForTest()
  const other = { MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  expect(await musterOn(target, ['restore', path], other)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /\nNothing was restored: another key encrypted .* in the backup\. Set MUSTER_ENCRYPTION_KEY to that key\.\n$/,
    ),
  })
  expect(await target.sql('select from account')).toEqual([])

  const ended = await musterOn(target, ['restore', path, '--end-sessions'])
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/\nEnded \d+ sessions\.\n$/) })
  const service = await serviceOn(target)
  onTestFinished(() => service.stop())
  const client = newClient(service)
  expect((await client.post('/auth/refresh', { refresh_token: session.refresh })).status).toBe(401)
  expect((await service.get('/api/v1/user/data', { token: session.access })).status).toBe(401)
  expect(await target.sql(`select from session where ended_at is null`)).toEqual([])
  expect(await target.sql(`select from sign_in_challenge`)).toEqual([])
  const trail = await target.sql<{ details: object }>(
    `select details from audit_event where action = 'session.all_ended'`,
  )
  expect(trail).toEqual([{ details: { sessions: expect.any(Number) } }])
})

test('restore rejects a damaged file with one sentence and creates no embedded database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-moving-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const dataDir = join(folder, 'data')
  const ended = await runMuster(['restore', join(folder, 'none.backup')], { env: { MUSTER_DATA_DIR: dataDir } })
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/none\.backup cannot be read \(ENOENT\)\.\n$/),
  })
  await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a backup that is killed or runs out of disk space leaves no file and keeps the previous backup', async () => {
  const source = await databaseForTest()
  await source.sql(`insert into account (email) select n || '@example.com' from generate_series(1, 50000) n`)
  const folder = await mkdtemp(join(tmpdir(), 'muster-moving-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [before, next] = [join(folder, 'before.backup'), join(folder, 'next.backup')]
  expect(await musterOn(source, ['backup', before])).toMatchObject({ code: 0 })
  const made = await readFile(before)
  const limited = ['-c', 'ulimit -f 64 && exec "$0" "$@"', process.execPath, program, 'backup']
  const environment = { PATH: process.env.PATH, ...env, DATABASE_URL: source.url }
  const { status, stderr } = spawnSync('bash', [...limited, next], { env: environment, encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/next\.backup cannot be written \(EFBIG\): choose another place, or free some space\.\n$/),
  ])
  expect(await readdir(folder)).toEqual(['before.backup'])

  const killed = spawn(process.execPath, [program, 'backup', next], { env: environment, stdio: 'ignore' })
  const ended = once(killed, 'exit')
  await expect.poll(() => readdir(folder), { interval: 2 }).toContain('next.backup.unfinished')
  killed.kill('SIGKILL')
  await ended
  expect(await readdir(folder)).not.toContain('next.backup')
  expect(await musterOn(source, ['backup', next])).toMatchObject({ code: 0 })
  expect((await readdir(folder)).sort()).toEqual(['before.backup', 'next.backup'])
  expect((await readFile(before)).equals(made)).toBe(true)
})

test('an encrypted backup is restored with its passphrase file', async () => {
  const [source, target] = [await databaseForTest(), await databaseForTest({ empty: true })]
  const folder = await mkdtemp(join(tmpdir(), 'muster-moving-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, passphrase] = [join(folder, 'muster.backup'), join(folder, 'passphrase')]
  await writeFile(passphrase, 'correct horse battery staple\n')
  expect(await musterOn(source, ['backup', file, '--passphrase-file', passphrase])).toMatchObject({ code: 0 })
  expect(await musterOn(target, ['restore', file])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is encrypted: pass the file with its passphrase \(--passphrase-file\)\.\n$/),
  })
  expect(await musterOn(target, ['restore', file, '--passphrase-file', passphrase])).toMatchObject({ code: 0 })
})
