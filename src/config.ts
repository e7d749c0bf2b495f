import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { processors } from './billing/registry.ts'
import { type IssuerEntry, readIssuerEntries } from './identity/issuers/entries.ts'
import { type Environment, type Setting, SettingsReader } from './platform/settings.ts'

export type Config = ReturnType<typeof readSettings>

/** Every fault of the configuration, told at once. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * The configuration, from the environment and from nowhere else. Each secret may also come from a file: `<NAME>_FILE` holds its path.
 * Throws `ConfigError` with all faults. Pure but for those files.
 */
export function readConfig(env: Environment): Config {
  const read = new SettingsReader(env)
  const config = readSettings(read)
  if (config.database.url && config.issuer.isEnabled && !config.issuer.encryptionKey)
    read.faults.push('MUSTER_ENCRYPTION_KEY is needed with DATABASE_URL. Make one with: openssl rand -base64 32')
  if (config.issuer.previousEncryptionKey && !config.issuer.encryptionKey)
    read.faults.push('MUSTER_ENCRYPTION_KEY_PREVIOUS has no use without MUSTER_ENCRYPTION_KEY.')
  if (read.faults.length > 0) throw new ConfigError(read.faults)
  return config
}

/** Every setting, in the order of the documentation. */
export function listSettings(): readonly Setting[] {
  const read = new SettingsReader({})
  readSettings(read)
  return read.settings
}

function readSettings(read: SettingsReader) {
  const port = read.integer('MUSTER_PORT', 'Port to listen on; 0 takes a free one.', {
    fallback: 4600,
    min: 0,
    max: 65_535,
  })
  const publicUrl = read.url(
    'MUSTER_PUBLIC_URL',
    'Address by which callers reach this service, and issuer of its tokens.',
    `http://localhost:${port}`,
  )
  const issuer = readIssuer(read)
  return {
    port,
    host: read.text('MUSTER_HOST', 'Address to listen on.', '127.0.0.1'),
    publicUrl,
    dataDir: resolve(read.text('MUSTER_DATA_DIR', 'Folder of the embedded database and of first-admin.txt.', './data')),
    logLevel: read.oneOf('MUSTER_LOG_LEVEL', 'Least severe level that is logged.', logLevels, 'info'),
    trustedProxies: read.list(
      'MUSTER_TRUSTED_PROXIES',
      'Addresses or networks of the proxies whose X-Forwarded-For is believed.',
      networkFault,
    ),
    metricsToken: read.secret(
      'MUSTER_METRICS_TOKEN',
      'Bearer token by which monitoring reads /metrics, at least 16 characters. Without it there is no /metrics.',
      tokenFault,
    ),
    // One is the simplest to run and enough for most: a warm read of user data costs some 50 µs.
    workers: read.integer(
      'MUSTER_WORKERS',
      'Processes that answer requests; 0 for one on each core. See docs/more-than-one-core.md.',
      { fallback: 1, min: 0, max: 64 },
    ),
    // Below the 30 s after which most supervisors kill.
    drainSeconds: read.integer(
      'MUSTER_DRAIN_SECONDS',
      'Seconds that requests in flight may still take after SIGTERM.',
      { fallback: 10, min: 0, max: 300 },
    ),
    // About 1 KiB each: 64 MiB keep the answers of some 60,000 callers.
    cacheMib: read.integer('MUSTER_CACHE_MIB', 'Memory for kept answers of user data, in MiB; 0 keeps none.', {
      fallback: 64,
      min: 0,
      max: 16_384,
    }),
    database: readDatabase(read),
    issuer,
    issuers: readIssuers(read, issuer.isEnabled ? publicUrl : undefined),
    providers: readProviders(read),
    billing: readBilling(read),
    limits: readLimits(read),
  }
}

function readProviders(read: SettingsReader) {
  return {
    defaultId: read.text('MUSTER_DEFAULT_PROVIDER', 'Provider that is asked where a request names none.', 'cloudflare'),
    baseUrls: new Map([
      ...read.urls(
        /^MUSTER_PROVIDER_([A-Z0-9_]+)_URL$/,
        'MUSTER_PROVIDER_<ID>_URL',
        'Base address of a provider, for a proxy or a simulator.',
      ),
      ...read.urls(/^MUSTER_(CLOUDFLARE)_URL$/, 'MUSTER_CLOUDFLARE_URL', 'The same for Cloudflare.'),
    ]),
    // Providers count by address and by key, and refuse every call for minutes where somebody is over.
    callsPerSecond: read.integer(
      'MUSTER_PROVIDER_CALLS_PER_SECOND',
      'Calls a second that this node makes to one provider. 0: as the provider allows one address, 150 for Cloudflare (of its 200) and 50 for the others. Nodes behind one address share what it allows: give each its part.',
      { fallback: 0, min: 0, max: 1_000_000 },
    ),
  }
}

function readDatabase(read: SettingsReader) {
  return {
    url: read.secret(
      'DATABASE_URL',
      'PostgreSQL 14 to 18 to use instead of the embedded one: postgres://…',
      postgresUrlFault,
    ),
    // Statements in flight from this node. At 0.5 ms each, 10 connections carry about 20,000 statements a second.
    connectionsMax: read.integer('MUSTER_DATABASE_CONNECTIONS', 'Connections of this node to the database.', {
      fallback: 10,
      min: 2,
      max: 500,
    }),
    preparedStatements: read.boolean(
      'MUSTER_PREPARED_STATEMENTS',
      'Whether statements are prepared by name. A pooler in transaction mode may need false.',
      true,
    ),
  }
}

function readIssuer(read: SettingsReader) {
  return {
    isEnabled: read.boolean('MUSTER_BUILT_IN_ISSUER', 'Whether the built-in issuer signs people in.', true),
    encryptionKey: read.secret(
      'MUSTER_ENCRYPTION_KEY',
      'Encrypts signing keys and factor secrets at rest: 32 bytes as base64. The embedded database makes its own.',
      keyFault,
    ),
    previousEncryptionKey: read.secret(
      'MUSTER_ENCRYPTION_KEY_PREVIOUS',
      'The key before, while what it encrypted is still being read. Only with MUSTER_ENCRYPTION_KEY.',
      keyFault,
    ),
    signUp: read.oneOf(
      'MUSTER_SIGN_UP',
      'Who may make an account by themselves.',
      ['open', 'invitation', 'closed'],
      'closed',
    ),
    // Short, so that a token that leaked is of little use; the session behind it can be ended at any moment.
    accessTokenSeconds: read.integer('MUSTER_ACCESS_TOKEN_SECONDS', 'Life of an access token.', {
      fallback: 900,
      min: 60,
      max: 3_600,
    }),
    sessionSeconds: read.integer('MUSTER_SESSION_SECONDS', 'Longest life of a session.', {
      fallback: 30 * 86_400,
      min: 300,
      max: 365 * 86_400,
    }),
  }
}

function readBilling(read: SettingsReader) {
  return {
    processors: processors.map((processor) => processor.configure(read)),
    // Repairs what lost events left wrong. With 10,000 subscriptions it takes 100 calls.
    syncHours: read.integer(
      'MUSTER_BILLING_SYNC_HOURS',
      'Hours between two reconciliations of all subscriptions with the payment processor, by one node; 0 for never.',
      { fallback: 24, min: 0, max: 720 },
    ),
  }
}

function readIssuers(read: SettingsReader, builtIn: string | undefined): readonly IssuerEntry[] {
  const document = read.json(
    'MUSTER_ISSUERS',
    'Other issuers whose tokens are taken: JSON, or the path of a file that holds it. See docs/issuers.md.',
  )
  if (document === undefined) return []
  const { entries, faults } = readIssuerEntries(document, { lookup: (name) => read.lookup(name), builtIn })
  read.faults.push(...faults)
  return entries
}

function readLimits(read: SettingsReader) {
  return {
    // Enough for a page that calls on every load; a runaway client is stopped within a minute.
    readsPerMinute: read.integer(
      'MUSTER_READS_PER_MINUTE',
      'Reads that one caller may make in a minute, on one node.',
      { fallback: 1_200, min: 1, max: 100_000_000 },
    ),
    // An oracle for stolen keys: a person checks a handful, never hundreds.
    keyChecksPerMinute: read.integer(
      'MUSTER_KEY_CHECKS_PER_MINUTE',
      'Key validations that one caller may ask for in a minute, over all nodes.',
      { fallback: 30, min: 1, max: 100_000_000 },
    ),
    signInsPerMinute: read.integer(
      'MUSTER_SIGN_INS_PER_MINUTE',
      'Sign-ins that may be tried from one address in a minute, over all nodes.',
      { fallback: 20, min: 1, max: 100_000_000 },
    ),
    // Each whole listing holds a database connection and a snapshot for as long as its reader takes.
    exportsMax: read.integer('MUSTER_EXPORTS_MAX', 'Whole listings that this node streams at once.', {
      fallback: 4,
      min: 1,
      max: 100,
    }),
    exportSeconds: read.integer('MUSTER_EXPORT_SECONDS', 'Longest time that a whole listing may take.', {
      fallback: 600,
      min: 10,
      max: 86_400,
    }),
    // A reader that stalls keeps a snapshot open, and with it every row version since.
    exportStallSeconds: read.integer(
      'MUSTER_EXPORT_STALL_SECONDS',
      'Seconds after which a reader of a whole listing who takes nothing is cut.',
      { fallback: 30, min: 1, max: 600 },
    ),
  }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

function networkFault(value: string): string | undefined {
  return ipaddr.isValid(value) || ipaddr.isValidCIDR(value)
    ? undefined
    : 'must hold addresses or networks such as 10.1.2.0/24.'
}

function postgresUrlFault(value: string): string | undefined {
  const isPostgres = URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol)
  return isPostgres ? undefined : 'must be an address such as postgres://user:password@host:5432/database.'
}

function tokenFault(value: string): string | undefined {
  return /^[!-~]{16,}$/.test(value) ? undefined : 'must be at least 16 characters, without spaces.'
}

function keyFault(value: string): string | undefined {
  return Buffer.from(value, 'base64').length === 32
    ? undefined
    : 'must be 32 bytes as base64. Make one with: openssl rand -base64 32'
}
