import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runChecks } from '../../cli/commands/doctor.ts'
import type { CheckResult } from '../../cli/doctor/check-result.ts'
import { readProviders } from '../../key-check/engine/catalogue.ts'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { freshDatabase } from '../support/database.ts'
import { fakePooler } from '../support/fake-pooler.ts'
import { issuerForTest } from '../support/issuer.ts'
import { proxyForTest } from '../support/outgoing-proxy.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { startService } from '../support/service.ts'
import { startUntrustedServer } from '../support/untrusted-tls.ts'
import { runMuster } from './run-muster.ts'

type Settings = Record<string, string>

/** Every provider at an address of this machine: the tests ask nobody outside. */
let providers: Settings
let reached: Awaited<ReturnType<typeof startCloudflareSimulator>>
beforeAll(async () => {
  reached = await startCloudflareSimulator()
  const ids = [...(await readProviders()).keys()]
  providers = Object.fromEntries(
    ids.map((id) => [`MUSTER_PROVIDER_${id.toUpperCase().replaceAll('-', '_')}_URL`, reached.url]),
  )
})
afterAll(() => reached.close())

async function settingsFor({ empty = false } = {}): Promise<Settings> {
  const fresh = await (empty ? freshDatabase({ empty }) : reusedDatabase())
  onTestFinished(() => fresh.drop())
  if (!empty) await fresh.sql(administrator)
  const encryptionKey = randomBytes(32).toString('base64')
  return { ...providers, DATABASE_URL: fresh.url, MUSTER_ENCRYPTION_KEY: encryptionKey, MUSTER_PORT: '0' }
}

/** An administrator who signs in with a password and a second factor. */
const administrator = `
with a as (insert into account (role_id) values ('admin') returning id),
     c as (insert into credential (account_id, email, password) select id, 'root@example.com', '' from a),
     f as (insert into factor (account_id, friendly_name, secret, verified_at) select id, 'Phone', '', now() from a)
insert into identity (issuer, subject, account_id) select 'urn:muster:issuer', id, id from a`

async function findings(env: Settings, now?: () => number): Promise<CheckResult[]> {
  const found: CheckResult[] = []
  for await (const finding of runChecks(env, now && { now })) found.push(finding)
  return found
}

/** What is not in order. */
async function faults(env: Settings, now?: () => number): Promise<string[]> {
  const found = (await findings(env, now)).filter(({ level }) => level !== 'ok')
  return found.map(({ level, about, message }) => `${level} ${about}: ${message}`)
}

describe('muster doctor', () => {
  test('prints one line per check if all is well', async () => {
    const { code, stdout, stderr } = await runMuster(['doctor'], { env: await settingsFor() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.slice(0, 19).trim())).toEqual([
      'ok    settings',
      'ok    database',
      'ok    connections',
      'ok    clock',
      'ok    schema',
      'ok    signing key',
      'ok    port',
      'ok    providers',
      'ok    providers',
    ])
    expect(lines[1]).toMatch(/PostgreSQL \d+\.\d+.*, from DATABASE_URL\.$/)
    expect(lines[2]).toMatch(/This node uses up to 19, which leaves \d+ \(max_connections \d+, /)
  })

  test('--only and --skip select the checks', async () => {
    const env = await settingsFor()
    const subjects = async (...options: string[]) => {
      const { code, stdout, stderr } = await runMuster(['doctor', '--json', ...options], { env })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const lines = stdout.trimEnd().split('\n')
      return lines.map((line) => JSON.parse(line).about)
    }
    const ofDatabase = ['database', 'connections', 'clock', 'schema', 'signing key']
    expect(await subjects('--only', 'port', 'sign-up')).toEqual(['settings', 'port'])
    expect(await subjects('--skip', 'providers', 'port')).toEqual(['settings', ...ofDatabase])
  })

  test.each([
    [
      '--only nothing',
      /^error: option '--only <check\.\.\.>' argument 'nothing' is invalid\. Allowed choices are proxies, /,
    ],
    [
      '--only port --skip mail',
      /^error: option '--skip <check\.\.\.>' cannot be used with option '--only <check\.\.\.>'/,
    ],
  ])('1: doctor %s', async (options, sentence) => {
    const { code, stdout, stderr } = await runMuster(['doctor', ...options.split(' ')])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(sentence)
  })

  test('warns if the public URL is https but no proxy is trusted', async () => {
    const settings = { ...(await settingsFor()), MUSTER_PUBLIC_URL: 'https://muster.example.com' }
    const warning = expect.stringMatching(/^warn proxies: .*MUSTER_TRUSTED_PROXIES is empty/)
    expect(await faults(settings)).toEqual([warning])
    expect(await faults({ ...settings, MUSTER_TRUSTED_PROXIES: '10.0.0.1' })).toEqual([])
  })

  test('warns of open sign-up without mail, because nothing verifies emails', async () => {
    const settings = { ...(await settingsFor()), MUSTER_SIGN_UP: 'open' }
    const warning = expect.stringMatching(/^warn sign-up: MUSTER_SIGN_UP is open, and emails are not verified/)
    expect(await faults(settings)).toEqual([warning])
    expect(await faults({ ...settings, MUSTER_BUILT_IN_ISSUER: 'false' })).not.toContainEqual(warning)
    expect(await faults({ ...settings, MUSTER_SIGN_UP: 'invitation' })).toEqual([])
  })

  test('reports all wrong settings together, as JSON with --json', async () => {
    const env = { MUSTER_PORT: 'many', MUSTER_LOG_LEVEL: 'loud' }
    const { code, stdout } = await runMuster(['doctor', '--json'], { env })
    expect(code).toBe(1)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'fail', about: 'settings', message: expect.stringMatching(/^MUSTER_PORT /) },
      { level: 'fail', about: 'settings', message: expect.stringMatching(/^MUSTER_LOG_LEVEL /) },
      { level: 'warn', about: 'settings' },
    ])
  })
})

describe('muster doctor finds', () => {
  test('warns of pending migrations and does not apply them', async () => {
    const env = await settingsFor({ empty: true })
    const first = await faults(env)
    expect(first).toEqual([
      expect.stringMatching(/^warn schema: Pending migrations: 001_accounts, .*\. Run muster migrate/),
    ])
    expect(await faults(env)).toEqual(first)
  })

  test('warns of a newer schema that this release works with, and fails for one that it does not', async () => {
    const fresh = await reusedDatabase()
    onTestFinished(() => fresh.drop())
    const env = { ...(await settingsFor()), DATABASE_URL: fresh.url }
    await fresh.sql(administrator)
    await fresh.sql(`insert into muster_migration (name, run_on) values ('900_newer', now())`)
    await fresh.sql('insert into schema_compatibility values (900, 8)')
    expect(await faults(env)).toEqual([
      expect.stringMatching(
        /^warn schema: A newer release has migrated the database \(900_newer\)\. This release works/,
      ),
    ])
    await fresh.sql('update schema_compatibility set works_with = 900 where migration = 900')
    expect(await faults(env)).toEqual([
      expect.stringMatching(/^fail schema: .* \(900_newer\).*: install the newer release on this node/),
    ])
    const { code, stderr } = await runMuster(['plans', 'list'], { env })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/install the newer release/) })
  })

  test('warns of too few connections and of a pooler, and names the settings that help', async () => {
    const env = await settingsFor()
    expect(await faults({ ...env, MUSTER_DATABASE_CONNECTIONS: '500' })).toEqual([
      expect.stringMatching(
        /^warn connections: This node wants 509 connections but can use only \d+ \(.*\), .*MUSTER_DATABASE_CONNECTIONS/,
      ),
    ])
    const through = await fakePooler(String(env.DATABASE_URL), { ignoresParameters: true })
    expect(await faults({ ...env, DATABASE_URL: through })).toEqual([
      expect.stringMatching(/^warn pooler: A pooler is between this node and PostgreSQL\. /),
    ])
    const strict = await fakePooler(String(env.DATABASE_URL), { ignoresParameters: false })
    expect(await faults({ ...env, DATABASE_URL: strict })).toEqual([
      expect.stringMatching(/^fail database: The pooler .* ignore_startup_parameters = /),
    ])
  })

  test('warns of a read-only database', async () => {
    const fresh = await reusedDatabase()
    onTestFinished(() => fresh.drop())
    await fresh.sql(administrator)
    await fresh.sql(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    )
    expect(await faults({ ...(await settingsFor()), DATABASE_URL: fresh.url })).toEqual([
      expect.stringMatching(/^warn database: The database is read-only\. Set DATABASE_URL to the primary\.$/),
    ])
  })

  test('warns of a clock that differs from the database clock, with direction and seconds', async () => {
    const env = await settingsFor()
    const skewed = (seconds: number) => () => Date.now() + seconds * 1_000
    expect(await faults(env, skewed(-30))).toEqual([
      expect.stringMatching(
        /^warn clock: The clock of this node is (29\.\d|30\.\d) s behind the clock of the database\. Synchronize both with NTP\./,
      ),
    ])
    expect(await faults(env, skewed(3))).toEqual([
      expect.stringMatching(/^warn clock: .* is [23]\.\d s ahead of the clock of the database/),
    ])
    expect(await faults(env, skewed(1))).toEqual([])
  })

  test('fails for an unreachable database and does not print its password', async () => {
    const found = await faults({
      ...(await settingsFor()),
      DATABASE_URL: 'postgres://muster:hunter2@127.0.0.1:1/muster',
    })
    expect(found).toEqual([expect.stringMatching(/^fail database: The database cannot be reached \(ECONNREFUSED\)/)])
    expect(found.join()).not.toContain('hunter2')
  })

  test('warns of an administrator without a second factor', async () => {
    const fresh = await reusedDatabase()
    onTestFinished(() => fresh.drop())
    const env = { ...(await settingsFor()), DATABASE_URL: fresh.url }
    await fresh.sql(administrator)
    expect(await faults(env)).toEqual([])
    await fresh.sql('delete from factor')
    expect(await faults(env)).toEqual([
      'warn second factors: 1 administrator without a second factor. Set up a second factor, then require it: muster roles require-mfa admin',
    ])
  })

  test('warns if no administrator can sign in, here or at a configured issuer', async () => {
    const fresh = await reusedDatabase()
    onTestFinished(() => fresh.drop())
    const issuer = await issuerForTest()
    const env = { ...(await settingsFor()), DATABASE_URL: fresh.url }
    const entry = { issuer: issuer.name, algorithms: ['ES256'], audience: 'muster-api' }
    const withIssuer = { ...env, MUSTER_ISSUERS: JSON.stringify([entry]) }
    const warning = expect.stringMatching(/^warn administrator: No administrator can sign in: run muster users create/)
    await fresh.sql(`insert into account (role_id) values ('admin')`)
    for (const settings of [env, withIssuer]) expect(await faults(settings)).toEqual([warning])
    await fresh.sql('insert into identity (issuer, subject, account_id) select $1, id, id from account', [issuer.name])
    expect(await faults(env)).toEqual([warning])
    expect(await faults(withIssuer)).toEqual([])
    await fresh.sql('update account set disabled_at = now()')
    expect(await faults(withIssuer)).toEqual([warning])
  })

  test('warns of a user whose verified email belongs to another account of the issuer, until one of them loses it', async () => {
    const env = await settingsFor()
    const fresh = await reusedDatabase()
    onTestFinished(() => fresh.drop())
    await fresh.sql(`insert into account (role_id) values ('admin')`)
    const insert = `insert into account (email, email_proved_at, email_proved_by) values ($1, $2, $3) returning id`
    const [holder] = await fresh.sql<{ id: string }>(insert, ['b@corp.example', new Date(), 'issuer'])
    const [user] = await fresh.sql<{ id: string }>(insert, ['B@corp.example', null, null])
    await fresh.sql(
      `insert into audit_event (action, target_kind, target_id, details)
       select 'account.email_taken', 'account', $1, jsonb_build_object('issuer', 'https://id.example', 'accountId', $2::text)`,
      [user?.id, holder?.id],
    )
    const found = async () =>
      (await faults({ ...env, DATABASE_URL: fresh.url })).filter((fault) => !fault.startsWith('warn administrator'))
    expect(await found()).toEqual([
      'warn emails: 1 user with a verified email that belongs to another account of the same issuer. List them: muster audit --action account.email_taken',
    ])
    await fresh.sql('delete from account where id = $1', [holder?.id])
    expect(await found()).toEqual([])
  })

  test('warns if there is no administrator, and names the command that creates one', async () => {
    const fresh = await reusedDatabase()
    onTestFinished(() => fresh.drop())
    const env = { ...(await settingsFor()), DATABASE_URL: fresh.url }
    expect(await faults(env)).toEqual([
      'warn administrator: No administrator can sign in: run muster users create --email <address> --role admin --generate-password, or set MUSTER_FIRST_ADMIN_EMAIL and MUSTER_FIRST_ADMIN_PASSWORD.',
    ])
    expect(await faults({ ...env, MUSTER_BUILT_IN_ISSUER: 'false' })).toEqual([
      expect.stringContaining('run muster users set-role <address> admin.'),
    ])
  })

  test('warns of an unencrypted connection to the database if the settings allow it', async () => {
    const env = await settingsFor()
    // Answers here, and is not the address of loopback.
    const elsewhere = String(env.DATABASE_URL).replace('127.0.0.1', '0.0.0.0')
    expect(await faults({ ...env, DATABASE_URL: elsewhere })).toContainEqual(
      expect.stringContaining('fail settings: DATABASE_URL reaches 0.0.0.0 in clear text'),
    )
    expect(await faults({ ...env, DATABASE_URL: elsewhere, MUSTER_DATABASE_INSECURE: 'true' })).toEqual([
      expect.stringMatching(/^warn database: DATABASE_URL reaches 0\.0\.0\.0 in clear text/),
    ])
  })

  test('warns if there is no embedded database yet, and does not create it', async () => {
    const dataDir = join(tmpdir(), `muster-doctor-${randomBytes(6).toString('hex')}`)
    const env = { ...providers, MUSTER_DATA_DIR: dataDir, MUSTER_PORT: '0' }
    const warning = `warn database: There is no database in ${dataDir} yet. muster serve creates it.`
    expect(await faults(env)).toEqual([warning])
    expect(await faults(env)).toEqual([warning])
  })

  test('fails for a signing key that another key encrypted', async () => {
    const fresh = await reusedDatabase()
    onTestFinished(() => fresh.drop())
    await fresh.sql(administrator)
    const service = await startService({ on: fresh })
    await service.stop()
    const env = { ...(await settingsFor()), DATABASE_URL: fresh.url }
    expect(await faults(env)).toEqual([
      'fail signing key: Another key encrypted the signing key. Set MUSTER_ENCRYPTION_KEY to that key.',
    ])
  })

  test('fails for an issuer without reachable, usable keys, and names the issuer', async () => {
    const [well, empty, broken, gone] = await Promise.all([1, 2, 3, 4].map(() => issuerForTest()))
    if (!well || !empty || !broken || !gone) throw new Error('no issuers')
    empty.keys = []
    broken.answer = (_, response) => void response.end('<html>')
    await gone.stop()
    const rules = { algorithms: ['ES256'], audience: 'muster-api' }
    const entries = [well, empty, broken, gone].map(({ name }) => ({ issuer: name, ...rules }))
    const found = await findings({ ...(await settingsFor()), MUSTER_ISSUERS: JSON.stringify(entries) })
    const issuers = found.filter(({ about }) => about === 'issuers')
    expect(issuers.map(({ level, message }) => `${level} ${message}`)).toEqual([
      `ok ${well.name}: 1 usable key, fetched directly.`,
      expect.stringMatching(/^fail .* \(the set has no usable key\), so its tokens are rejected\. /),
      expect.stringMatching(/^fail .* \(the response is not JSON\), so its tokens are rejected/),
      expect.stringMatching(/^fail .* \(ECONNREFUSED\), so its tokens are rejected/),
    ])
  })

  test('fails for a port that another program uses, but not if Muster uses it', async () => {
    const env = await settingsFor()
    const other = createServer((socket) => socket.end('not HTTP\n'))
    const port = await new Promise<number>((done) => {
      other.listen(0, '127.0.0.1', () => done(Number(Object(other.address()).port)))
    })
    onTestFinished(() => void other.close())
    expect(await faults({ ...env, MUSTER_PORT: String(port) })).toEqual([
      `fail port: Another program uses 127.0.0.1 port ${port}. Stop it, or set MUSTER_PORT.`,
    ])

    const service = await startService()
    onTestFinished(() => service.stop())
    expect(await faults({ ...env, MUSTER_PORT: new URL(service.url).port })).toEqual([])
    expect(await faults({ ...env, MUSTER_HOST: '192.0.2.1' })).toEqual([
      expect.stringMatching(/^fail port: 192\.0\.2\.1 is not an address of this machine/),
    ])
  })

  test('fails if the default provider is unreachable, and warns once about other providers', async () => {
    const away = 'http://127.0.0.1:1'
    const env = { ...(await settingsFor()), MUSTER_PROVIDER_CLOUDFLARE_URL: away }
    const others = { MUSTER_PROVIDER_CIVO_URL: away, MUSTER_PROVIDER_VULTR_URL: away, MUSTER_PROVIDER_NOBODY_URL: away }
    expect(await faults({ ...env, ...others })).toEqual([
      'warn providers: The settings have an address for the provider nobody, which does not exist.',
      expect.stringMatching(
        /^fail providers: Not reachable directly \(connect: ECONNREFUSED\): Cloudflare \(127\.0\.0\.1:1\)\. /,
      ),
      expect.stringMatching(
        /^warn providers: Not reachable directly \(connect: ECONNREFUSED\): Civo \(.*\), Vultr \(.*\)\. /,
      ),
    ])
  })

  test('names the error code of a certificate that it does not trust, and sends nothing', async () => {
    const { url, received } = await startUntrustedServer()
    expect(await faults({ ...(await settingsFor()), MUSTER_PROVIDER_CLOUDFLARE_URL: url })).toEqual([
      expect.stringMatching(
        /^fail providers: Not reachable directly \(tls: DEPTH_ZERO_SELF_SIGNED_CERT\): Cloudflare /,
      ),
    ])
    expect(received).toEqual([])
  })

  test('says which calls go through which proxy, and what the proxy answers instead of a connection', async () => {
    const [proxy, issuer] = await Promise.all([proxyForTest(), issuerForTest()])
    const rules = { issuer: issuer.name, algorithms: ['ES256'], audience: 'muster-api' }
    const env = { ...(await settingsFor()), MUSTER_OUTGOING_PROXY: proxy.url, MUSTER_ISSUERS: JSON.stringify([rules]) }
    const texts = async (more: Settings = {}) => {
      const found = (await findings({ ...env, ...more })).filter(({ about }) => /^(?:issuers|providers)$/.test(about))
      expect(JSON.stringify(found)).not.toContain(proxy.password)
      expect(JSON.stringify(found)).not.toContain(encodeURIComponent(proxy.password))
      return found.map(({ level, message }) => `${level} ${message}`)
    }
    const route = `through the proxy ${proxy.name}`
    const count = Object.keys(providers).length - 1
    expect(await texts()).toEqual([
      `ok ${issuer.name}: 1 usable key, fetched ${route}.`,
      `ok Cloudflare is reachable ${route}.`,
      `ok ${count} of ${count} other providers are reachable ${route}.`,
    ])
    expect(new Set(proxy.asked)).toEqual(new Set([new URL(issuer.url).host, new URL(reached.url).host]))

    const exempt = { MUSTER_PROVIDER_VULTR_URL: reached.url.replace('127.0.0.1', 'localhost'), NO_PROXY: 'localhost' }
    expect(await texts(exempt)).toEqual([
      expect.stringContaining(route),
      expect.stringContaining(route),
      `ok ${count - 1} of ${count} other providers are reachable ${route}.`,
      `ok 1 of ${count} other providers are reachable directly.`,
    ])

    proxy.behavior = 407
    expect(await texts()).toEqual([
      expect.stringMatching(`^fail ${issuer.name}: could not fetch keys from .* ${route} \\(PROXY_407\\)`),
      expect.stringMatching(`^fail Not reachable ${route} \\(proxy: PROXY_407\\): Cloudflare `),
      expect.stringMatching(`^warn Not reachable ${route} \\(proxy: PROXY_407\\): `),
    ])
  })

  test('opens connections to providers, but sends no request and no key', async () => {
    reached.reset()
    await findings(await settingsFor())
    expect(reached.connections()).toBeGreaterThan(0)
    expect(reached.received).toEqual([])
  })
})
