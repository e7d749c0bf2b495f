import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CheckResult } from '../../cli/doctor/check-result.ts'
import { runChecks } from '../../cli/doctor/run-checks.ts'
import { readProviders } from '../../key-check/engine/catalogue.ts'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { freshDatabase } from '../support/database.ts'
import { fakePooler } from '../support/fake-pooler.ts'
import { issuerForTest } from '../support/issuer.ts'
import { startService } from '../support/service.ts'
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
  const fresh = await freshDatabase({ empty })
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
  test('0: a line for everything, when all is well', async () => {
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
    expect(lines[1]).toMatch(/PostgreSQL \d+\.\d+.*, by DATABASE_URL\.$/)
    expect(lines[2]).toMatch(/This node takes 19 at most, and \d+ are left \(max_connections is \d+, /)
  })

  test('the checks that are asked for are made, and only these', async () => {
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

  test('warns of a proxy that no setting names: only a proxy answers https', async () => {
    const settings = { ...(await settingsFor()), MUSTER_PUBLIC_URL: 'https://muster.example.com' }
    const warning = expect.stringMatching(/^warn proxies: .*MUSTER_TRUSTED_PROXIES names none/)
    expect(await faults(settings)).toEqual([warning])
    expect(await faults({ ...settings, MUSTER_TRUSTED_PROXIES: '10.0.0.1' })).toEqual([])
  })

  test('warns of open sign-up: without mail nothing proves an address', async () => {
    const settings = { ...(await settingsFor()), MUSTER_SIGN_UP: 'open' }
    const warning = expect.stringMatching(/^warn sign-up: MUSTER_SIGN_UP is open, and no mail proves an address/)
    expect(await faults(settings)).toEqual([warning])
    expect(await faults({ ...settings, MUSTER_BUILT_IN_ISSUER: 'false' })).not.toContainEqual(warning)
    expect(await faults({ ...settings, MUSTER_SIGN_UP: 'invitation' })).toEqual([])
  })

  test('1: every fault of the settings at once, as JSON where that is asked for', async () => {
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

describe('what is found', () => {
  test('a schema that is behind is a warning, and nothing is changed', async () => {
    const env = await settingsFor({ empty: true })
    const first = await faults(env)
    expect(first).toEqual([
      expect.stringMatching(/^warn schema: Not up to date \(001_accounts, .*\): run muster migrate/),
    ])
    expect(await faults(env)).toEqual(first)
  })

  test('a schema of a newer release is a warning where this one works with it, and a fault where it does not', async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const env = { ...(await settingsFor()), DATABASE_URL: fresh.url }
    await fresh.sql(administrator)
    await fresh.sql(`insert into muster_migration (name, run_on) values ('900_newer', now())`)
    await fresh.sql('insert into schema_compatibility values (900, 8)')
    expect(await faults(env)).toEqual([
      expect.stringMatching(
        /^warn schema: A newer release has migrated the database \(900_newer\), and this one works/,
      ),
    ])
    await fresh.sql('update schema_compatibility set works_with = 900 where migration = 900')
    expect(await faults(env)).toEqual([
      expect.stringMatching(/^fail schema: .* \(900_newer\).*: install the newer release on this node/),
    ])
    const { code, stderr } = await runMuster(['plans', 'list'], { env })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/install the newer release/) })
  })

  test('a server with too few connections, and a pooler, are warnings with the settings that help', async () => {
    const env = await settingsFor()
    expect(await faults({ ...env, MUSTER_DATABASE_CONNECTIONS: '500' })).toEqual([
      expect.stringMatching(
        /^warn connections: This node wants 509 and may take \d+ \(.*\): .*MUSTER_DATABASE_CONNECTIONS/,
      ),
    ])
    const through = await fakePooler(String(env.DATABASE_URL), { ignoresParameters: true })
    expect(await faults({ ...env, DATABASE_URL: through })).toEqual([
      expect.stringMatching(/^warn pooler: A pooler is between this node and PostgreSQL: /),
    ])
    const strict = await fakePooler(String(env.DATABASE_URL), { ignoresParameters: false })
    expect(await faults({ ...env, DATABASE_URL: strict })).toEqual([
      expect.stringMatching(/^fail database: The pooler .* ignore_startup_parameters = /),
    ])
  })

  test('a database that is read-only is a warning', async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    await fresh.sql(administrator)
    await fresh.sql(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    )
    expect(await faults({ ...(await settingsFor()), DATABASE_URL: fresh.url })).toEqual([
      expect.stringMatching(/^warn database: It is read-only: .* Set DATABASE_URL to the primary\.$/),
    ])
  })

  test('a clock that differs from that of the database is a warning, with direction and seconds', async () => {
    const env = await settingsFor()
    const skewed = (seconds: number) => () => Date.now() + seconds * 1_000
    expect(await faults(env, skewed(-30))).toEqual([
      expect.stringMatching(
        /^warn clock: The clock of this node is (29\.\d|30\.\d) s behind that of the database: set both by NTP\./,
      ),
    ])
    expect(await faults(env, skewed(3))).toEqual([expect.stringMatching(/^warn clock: .* is [23]\.\d s ahead of that/)])
    expect(await faults(env, skewed(1))).toEqual([])
  })

  test('a database that is not there fails, without the password', async () => {
    const found = await faults({
      ...(await settingsFor()),
      DATABASE_URL: 'postgres://muster:hunter2@127.0.0.1:1/muster',
    })
    expect(found).toEqual([expect.stringMatching(/^fail database: The database cannot be reached \(ECONNREFUSED\)/)])
    expect(found.join()).not.toContain('hunter2')
  })

  test('warns of an administrator who signs in with a password alone', async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const env = { ...(await settingsFor()), DATABASE_URL: fresh.url }
    await fresh.sql(administrator)
    expect(await faults(env)).toEqual([])
    await fresh.sql('delete from factor')
    expect(await faults(env)).toEqual([
      'warn second factors: One administrator signs in with a password alone. Set up a second factor, then require it: muster roles require-mfa admin.',
    ])
  })

  test('warns if no administrator can sign in, here or at a configured issuer', async () => {
    const fresh = await freshDatabase()
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

  test('warns of a user whose verified address belongs to another account of the issuer, until either account loses it', async () => {
    const env = await settingsFor()
    const fresh = await freshDatabase()
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
      'warn addresses: One user has a verified address that belongs to another account of the same issuer: muster audit --action account.email_taken.',
    ])
    await fresh.sql('delete from account where id = $1', [holder?.id])
    expect(await found()).toEqual([])
  })

  test('a database without an administrator is a warning, which says the command', async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const env = { ...(await settingsFor()), DATABASE_URL: fresh.url }
    expect(await faults(env)).toEqual([
      'warn administrator: No administrator can sign in: run muster users create --email <address> --role admin --generate-password, or set MUSTER_FIRST_ADMIN_EMAIL and MUSTER_FIRST_ADMIN_PASSWORD.',
    ])
    expect(await faults({ ...env, MUSTER_BUILT_IN_ISSUER: 'false' })).toEqual([
      expect.stringContaining('run muster users set-role <address> admin.'),
    ])
  })

  test('a database that is reached in clear text over a network is a warning, where that is allowed', async () => {
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

  test('an embedded database that is not there is a warning, and is not made', async () => {
    const dataDir = join(tmpdir(), `muster-doctor-${randomBytes(6).toString('hex')}`)
    const env = { ...providers, MUSTER_DATA_DIR: dataDir, MUSTER_PORT: '0' }
    const warning = `warn database: There is none yet in ${dataDir}: muster serve creates it.`
    expect(await faults(env)).toEqual([warning])
    expect(await faults(env)).toEqual([warning])
  })

  test('a signing key that was encrypted with another key fails', async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    await fresh.sql(administrator)
    const service = await startService({ on: fresh })
    await service.stop()
    const env = { ...(await settingsFor()), DATABASE_URL: fresh.url }
    expect(await faults(env)).toEqual([
      'fail signing key: It was encrypted with another key: set MUSTER_ENCRYPTION_KEY to that key.',
    ])
  })

  test('an issuer whose keys cannot be had or used fails, and is told by name', async () => {
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
      `ok ${well.name}: one usable key.`,
      expect.stringMatching(/^fail .* \(the set has no usable key\), so its tokens are refused: /),
      expect.stringMatching(/^fail .* \(the answer is not JSON\), so its tokens are refused/),
      expect.stringMatching(/^fail .* \(ECONNREFUSED\), so its tokens are refused/),
    ])
  })

  test('a port that something else has fails, and one that Muster has does not', async () => {
    const env = await settingsFor()
    const other = createServer((socket) => socket.end('not HTTP\n'))
    const port = await new Promise<number>((done) => {
      other.listen(0, '127.0.0.1', () => done(Number(Object(other.address()).port)))
    })
    onTestFinished(() => void other.close())
    expect(await faults({ ...env, MUSTER_PORT: String(port) })).toEqual([
      `fail port: Another program uses 127.0.0.1 port ${port}: stop it, or set MUSTER_PORT.`,
    ])

    const service = await startService()
    onTestFinished(() => service.stop())
    expect(await faults({ ...env, MUSTER_PORT: new URL(service.url).port })).toEqual([])
    expect(await faults({ ...env, MUSTER_HOST: '192.0.2.1' })).toEqual([
      expect.stringMatching(/^fail port: 192\.0\.2\.1 is not an address of this machine/),
    ])
  })

  test('the provider that is asked by default fails when it is away, others are a warning together', async () => {
    const away = 'http://127.0.0.1:1'
    const env = { ...(await settingsFor()), MUSTER_PROVIDER_CLOUDFLARE_URL: away }
    const others = { MUSTER_PROVIDER_CIVO_URL: away, MUSTER_PROVIDER_VULTR_URL: away, MUSTER_PROVIDER_NOBODY_URL: away }
    expect(await faults({ ...env, ...others })).toEqual([
      'warn providers: There is no provider nobody, for which an address is set.',
      expect.stringMatching(/^fail providers: Not reachable, ECONNREFUSED: .* Cloudflare \(127\.0\.0\.1:1\)\.$/),
      expect.stringMatching(/^warn providers: Not reachable, ECONNREFUSED: .* Civo \(.*\), Vultr \(.*\)\.$/),
    ])
  })

  test('no credential is sent to a provider, and no request at all', async () => {
    reached.reset()
    await findings(await settingsFor())
    expect(reached.connections()).toBeGreaterThan(0)
    expect(reached.received).toEqual([])
  })
})
