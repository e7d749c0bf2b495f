import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listSettings, readConfig } from '../src/config.ts'
import { ConfigError, type Environment } from '../src/platform/settings.ts'

function faultsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const key = Buffer.alloc(32, 7).toString('base64')

test('starts without any setting', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 4600, publicUrl: 'http://localhost:4600' })
})

test('serves the console unless MUSTER_CONSOLE is false', () => {
  expect(readConfig({}).servesConsole).toBe(true)
  expect(readConfig({ MUSTER_CONSOLE: 'true' }).servesConsole).toBe(true)
  expect(readConfig({ MUSTER_CONSOLE: 'false' }).servesConsole).toBe(false)
  expect(faultsOf({ MUSTER_CONSOLE: 'no' })).toEqual(['MUSTER_CONSOLE must be one of: true, false.'])
})

test('reports all faults together, each with the name of its setting', () => {
  const faults = faultsOf({
    MUSTER_PORT: '70000',
    MUSTER_PUBLIC_URL: 'muster.example',
    MUSTER_LOG_LEVEL: 'loud',
    MUSTER_TRUSTED_PROXIES: '10.0.0.0/8, everybody',
    MUSTER_BUILT_IN_ISSUER: 'yes',
    MUSTER_ACCESS_TOKEN_SECONDS: 'NaN',
    DATABASE_URL: 'mysql://localhost/x',
    MUSTER_PROVIDER_FASTLY_URL: 'ftp://example.com',
  })
  for (const name of [
    'MUSTER_PORT',
    'MUSTER_PUBLIC_URL',
    'MUSTER_LOG_LEVEL',
    'MUSTER_TRUSTED_PROXIES',
    'MUSTER_BUILT_IN_ISSUER',
    'MUSTER_ACCESS_TOKEN_SECONDS',
    'DATABASE_URL',
    'MUSTER_PROVIDER_FASTLY_URL',
  ])
    expect(
      faults.filter((fault) => fault.startsWith(name)),
      name,
    ).toHaveLength(1)
})

test('rejects a trusted proxy written as an IPv4 network inside IPv6, where a length such as /8 matches every address', () => {
  for (const network of ['::ffff:10.0.0.0/8', '10.0.0.0/8, ::FFFF:a00:0/104', '::ffff:0:0/96'])
    expect(faultsOf({ MUSTER_TRUSTED_PROXIES: network }), network).toHaveLength(1)
  expect(faultsOf({ MUSTER_TRUSTED_PROXIES: '10.0.0.0/8, ::ffff:10.0.0.1, 2001:db8::/32' })).toEqual([])
})

test('rejects a number that is not a whole number within its bounds', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      fc.pre(text.trim() !== '' && !(/^\d+$/.test(text.trim()) && Number(text) <= 65_535))
      expect(faultsOf({ MUSTER_PORT: text })).toHaveLength(1)
    }),
  )
})

describe('secret settings', () => {
  test('are read from `<NAME>_FILE`, and setting both is an error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-config-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'key')
    writeFileSync(path, `${key}\n`)
    expect(readConfig({ MUSTER_ENCRYPTION_KEY_FILE: path }).issuer.encryptionKey?.open()).toBe(key)
    expect(faultsOf({ MUSTER_ENCRYPTION_KEY_FILE: path, MUSTER_ENCRYPTION_KEY: key })).toHaveLength(1)
    expect(faultsOf({ MUSTER_ENCRYPTION_KEY_FILE: '/nowhere' })).toHaveLength(1)
  })

  test('an empty or unreadable file stops the start with one sentence', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-config-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'empty')
    writeFileSync(path, ' \n')
    const secrets = listSettings().filter(({ isSecret }) => isSecret)
    expect(secrets.map(({ name }) => name)).toContain('MUSTER_ISSUERS')
    for (const { name } of secrets) {
      expect(faultsOf({ [`${name}_FILE`]: path })).toEqual([`${name}_FILE points to a file that is empty: ${path}`])
      expect(faultsOf({ [`${name}_FILE`]: folder })).toEqual([
        `${name}_FILE points to a file that cannot be read: ${folder}`,
      ])
    }
  })

  test('MUSTER_ISSUERS is read from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-config-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'issuers.json')
    writeFileSync(path, '[{"preset":"nobody"}]')
    expect(faultsOf({ MUSTER_ISSUERS_FILE: path }).join()).toContain('MUSTER_ISSUERS, entry 1')
    expect(faultsOf({ MUSTER_ISSUERS_FILE: path, MUSTER_ISSUERS: '[]' }).join()).toContain('are both set')
    writeFileSync(path, `${'['.repeat(33)}${']'.repeat(33)}`)
    expect(faultsOf({ MUSTER_ISSUERS_FILE: path })).toEqual([
      'MUSTER_ISSUERS must be well-formed JSON of at most 32 levels, or the path of such a file.',
    ])
  })

  test('never appear in JSON, inspect output or error messages', () => {
    const url = 'postgres://muster:hunter2@db/muster?sslmode=require'
    const config = readConfig({ DATABASE_URL: url, MUSTER_ENCRYPTION_KEY: key })
    for (const text of [JSON.stringify(config), inspect(config, { depth: 9 }), `${config.database.url}`]) {
      expect(text).not.toContain('hunter2')
      expect(text).not.toContain(key)
    }
    expect(faultsOf({ MUSTER_ENCRYPTION_KEY: 'hunter2' }).join()).not.toContain('hunter2')
    expect(faultsOf({ DATABASE_URL: 'mysql://x:hunter2@db' }).join()).not.toContain('hunter2')
  })

  test('an external database requires MUSTER_ENCRYPTION_KEY, because its nodes share the key', () => {
    expect(faultsOf({ DATABASE_URL: 'postgres://localhost/muster' })).toEqual([
      expect.stringContaining('MUSTER_ENCRYPTION_KEY'),
    ])
    expect(faultsOf({ DATABASE_URL: 'postgres://localhost/muster', MUSTER_BUILT_IN_ISSUER: 'false' })).toEqual([])
  })

  test('the first administrator in the settings requires an email, the built-in issuer, and a password with an external database', () => {
    const external = { DATABASE_URL: 'postgres://localhost/muster', MUSTER_ENCRYPTION_KEY: key }
    const email = { MUSTER_FIRST_ADMIN_EMAIL: 'ops@example.com' }
    const password = { MUSTER_FIRST_ADMIN_PASSWORD: 'orbit marmalade trellis quince' }
    for (const good of [email, password, { ...email, ...password }, { ...external, ...email, ...password }])
      expect(faultsOf(good)).toEqual([])
    expect(faultsOf({ MUSTER_FIRST_ADMIN_EMAIL: 'ops' })).toEqual([
      'MUSTER_FIRST_ADMIN_EMAIL must be an email address.',
    ])
    expect(faultsOf({ ...external, ...email }).join()).toContain('MUSTER_FIRST_ADMIN_PASSWORD')
    expect(faultsOf({ ...password, MUSTER_BUILT_IN_ISSUER: 'false' }).join()).toContain('built-in issuer')
  })

  const reaching = (url: string, more: Record<string, string> = {}) =>
    faultsOf({ DATABASE_URL: url, MUSTER_ENCRYPTION_KEY: key, ...more })

  test.each([
    'postgres://u:hunter2@db/muster',
    'postgres://u:hunter2@db/muster?sslmode=disable',
    'postgres://u:hunter2@192.168.1.5:5433/muster?application_name=x',
    'postgres://u:hunter2@localhost,db/muster',
    'postgres://u:hunter2@localhost/muster?host=db',
    'postgres://u:hunter2@localhost.example.com/muster',
  ])('%s reaches another machine without TLS, which only MUSTER_DATABASE_INSECURE allows', (url) => {
    expect(reaching(url)).toEqual([
      expect.stringMatching(/^DATABASE_URL reaches .* in clear text: add sslmode=require/),
    ])
    expect(reaching(url).join()).not.toContain('hunter2')
    expect(reaching(url, { MUSTER_DATABASE_INSECURE: 'true' })).toEqual([])
  })

  test.each([
    'postgres://u:p@localhost:5432/muster',
    'postgres://u:p@127.0.0.2/muster',
    'postgres://u:p@[::1]/muster',
    'postgres:///muster',
    'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/muster',
    'postgres://u@db/muster?host=/var/run/postgresql',
    'postgres://u:p@db/muster?sslmode=require',
    'postgres://u:p@db/muster?sslmode=no-verify',
    'postgres://u:p@db/muster?ssl=true',
  ])('%s stays on this machine or requires TLS', (url) => {
    expect(reaching(url)).toEqual([])
  })

  test('PGSSLMODE requires TLS if the URL does not set it', () => {
    expect(reaching('postgres://db/muster', { PGSSLMODE: 'verify-full' })).toEqual([])
    expect(reaching('postgres://db/muster', { PGSSLMODE: 'disable' })).toHaveLength(1)
  })
})

describe('the embedded database', () => {
  test('does not start if a variable names another database', () => {
    for (const name of ['PGHOST', 'PGSERVICE', 'POSTGRES_URL', 'DB_HOST', 'DATABASE_URI'])
      expect(faultsOf({ [name]: 'db.example.com' })).toEqual([
        expect.stringMatching(`^${name} is set and DATABASE_URL is`),
      ])
    for (const name of ['DATABASE_URL', 'DATABASE_URL_FILE'])
      expect(faultsOf({ [name]: '' })).toEqual([expect.stringMatching(`^${name} is set and empty`)])
    expect(faultsOf({ PGHOST: 'db', DATABASE_URL: 'postgres://localhost/muster', MUSTER_ENCRYPTION_KEY: key })).toEqual(
      [],
    )
    expect(faultsOf({ PGHOST: '' })).toEqual([])
  })
})

test('an unknown setting stops the start and names the nearest known one', () => {
  expect(faultsOf({ MUSTER_PROT: '80' })).toEqual(['MUSTER_PROT is not a setting; MUSTER_PORT is.'])
  expect(faultsOf({ MUSTER_ENCRYPTION_KEY_FIEL: '/x' })).toEqual([
    'MUSTER_ENCRYPTION_KEY_FIEL is not a setting; MUSTER_ENCRYPTION_KEY_FILE is.',
  ])
  expect(faultsOf({ MUSTER_SOMETHING_ELSE_ENTIRELY: '' })).toEqual(['MUSTER_SOMETHING_ELSE_ENTIRELY is not a setting.'])
  expect(faultsOf({ MUSTER_TESTS: 'long', MUSTER_PROVIDER_FASTLY_URL: '', OTHER_PORT: '1' })).toEqual([])
})

test('a removed setting stops the start and names its replacement', () => {
  expect(faultsOf({ MUSTER_BULK_FAILURES_MAX: '6', MUSTER_BULK_FAILURES_WINDOW_SECONDS: '60' })).toEqual([
    'MUSTER_BULK_FAILURES_MAX was removed: set MUSTER_LOCK_OUT_FAILURES to the number of failures after which the provider blocks the service.',
    'MUSTER_BULK_FAILURES_WINDOW_SECONDS was removed: set MUSTER_LOCK_OUT_WINDOW_SECONDS.',
  ])
  expect(faultsOf({ MUSTER_REPLICA_URL_FILE: '/x' })).toEqual([
    expect.stringMatching(/^MUSTER_REPLICA_URL_FILE was removed: the service reads the primary\./),
  ])
})

test('MUSTER_REUSE_PORT stops the start with the embedded database', () => {
  expect(faultsOf({ MUSTER_REUSE_PORT: 'true' })).toEqual([
    expect.stringMatching(/^MUSTER_REUSE_PORT requires DATABASE_URL/),
  ])
})

test('sets the base URL of providers by id, and of Cloudflare also by its own setting', () => {
  const { baseUrls } = readConfig({
    MUSTER_CLOUDFLARE_URL: 'http://127.0.0.1:4700/client/v4/',
    MUSTER_PROVIDER_DIGITALOCEAN_URL: 'https://proxy.example',
  }).providers
  expect(Object.fromEntries(baseUrls)).toEqual({
    cloudflare: 'http://127.0.0.1:4700/client/v4',
    digitalocean: 'https://proxy.example',
  })
})

test('every setting is documented', () => {
  for (const { meaning } of listSettings()) expect(meaning).toMatch(/[.…]$/)
})

test.each([
  ...['*', 'null', 'app.example.com', 'https://*.example.com', 'https://app.example.com/', 'https://App.example.com'],
  ...['https://app.example.com:443', 'http://app.example.com', 'https://u:p@app.example.com', 'ftp://app.example.com'],
])('the start fails for an allowed origin that no browser sends or that is not https: %s', (value) => {
  expect(() => readConfig({ MUSTER_ALLOWED_ORIGINS: `https://app.example.com,${value}` })).toThrow(
    /^MUSTER_ALLOWED_ORIGINS /,
  )
})

test.each([
  'https://app.example.com',
  'https://app.example.com:8443',
  'http://localhost:5173',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
  'http://app.localhost',
])('accepts the allowed origin %s', (value) => {
  expect(readConfig({ MUSTER_ALLOWED_ORIGINS: value }).allowedOrigins).toEqual([value])
})
