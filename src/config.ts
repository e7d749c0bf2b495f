import { resolve } from 'node:path'
import { processors } from './billing/registry.ts'
import { type IssuerEntry, readIssuerEntries } from './identity/issuers/entries.ts'
import { clearTextHosts, defaultSchema, postgresUrlFault } from './platform/database/link.ts'
import { networkFault } from './platform/http/client-address.ts'
import { originFault } from './platform/http/cors.ts'
import { hostNameFault } from './platform/http/host.ts'
import { readMailSettings } from './platform/mail/settings.ts'
import { type Environment, type Setting, SettingsReader } from './platform/settings.ts'
import { readTracing } from './platform/tracing/settings.ts'
import { clearTextWarnings, embeddedFaults, otherNames, removedSettings } from './settings/environment.ts'
import { readLimits } from './settings/limits.ts'
import { readBackups, readRetention } from './settings/upkeep.ts'
import { readSignInSettings } from './sign-in/settings.ts'
import { readWebhookSettings } from './webhooks/settings.ts'

export type Config = ReturnType<typeof readSettings>

/** All faults of the configuration together. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * The configuration. Its only source is the environment, and the files that `<NAME>_FILE` names for secrets.
 * Throws `ConfigError` with all faults.
 */
export function readConfig(env: Environment): Config {
  const read = new SettingsReader(env)
  const config = readSettings(read)
  if (config.database.url && config.issuer.isEnabled && !config.issuer.encryptionKey)
    read.faults.push('MUSTER_ENCRYPTION_KEY is required with DATABASE_URL. Make one with: openssl rand -base64 32')
  if (!config.database.isInsecureAllowed)
    for (const warning of clearTextWarnings(config))
      read.faults.push(
        `${warning.text}, or set MUSTER_DATABASE_INSECURE=true where no other party can read the network.`,
      )
  if (config.reusesPort && !config.database.url)
    read.faults.push('MUSTER_REUSE_PORT requires DATABASE_URL: only one process can own an embedded database.')
  if (config.issuer.previousEncryptionKey && !config.issuer.encryptionKey)
    read.faults.push('MUSTER_ENCRYPTION_KEY_PREVIOUS has no effect without MUSTER_ENCRYPTION_KEY.')
  const { firstAdmin } = config.issuer
  if (config.database.url && read.lookup('MUSTER_FIRST_ADMIN_EMAIL') !== undefined && !firstAdmin.password)
    read.faults.push(
      'MUSTER_FIRST_ADMIN_EMAIL has no effect with DATABASE_URL and without MUSTER_FIRST_ADMIN_PASSWORD.',
    )
  if (firstAdmin.password && !config.issuer.isEnabled)
    read.faults.push('MUSTER_FIRST_ADMIN_PASSWORD has no effect without the built-in issuer.')
  if (!config.database.url) read.faults.push(...embeddedFaults(env))
  read.refuseUnknown('MUSTER_', otherNames, removedSettings)
  if (read.faults.length > 0) throw new ConfigError(read.faults)
  return config
}

/** For the log and for `muster doctor`; undefined where strangers cannot sign up, or a mail proves the address. */
export function openSignUpWarning({ issuer, mail }: Pick<Config, 'issuer' | 'mail'>): string | undefined {
  if (!issuer.isEnabled || issuer.signUp !== 'open' || mail) return undefined
  return 'MUSTER_SIGN_UP is open, and no mail proves an address: anyone can sign up with the address of another person. Use the id of an account, or see emailProved, before you give it a role'
}

/** Every setting, in the order of the documentation. */
export function listSettings(): readonly Setting[] {
  const read = new SettingsReader({})
  readSettings(read)
  return read.settings
}

function readSettings(read: SettingsReader) {
  const port = read.integer('MUSTER_PORT', 'Port to listen on; 0 chooses a free one.', {
    fallback: 4600,
    min: 0,
    max: 65_535,
  })
  const publicUrl = read.url(
    'MUSTER_PUBLIC_URL',
    'Address at which callers reach the service. It is also the issuer of its tokens.',
    `http://localhost:${port}`,
  )
  return {
    port,
    ...readListening(read, publicUrl),
    publicUrl,
    servesConsole: read.boolean(
      'MUSTER_CONSOLE',
      'Whether the service has the web console: its page at `/`, its files and `/console/session`.',
      true,
    ),
    dataDir: resolve(
      read.text('MUSTER_DATA_DIR', 'Directory of the embedded database and of first-admin.txt.', './data'),
    ),
    logLevel: read.oneOf('MUSTER_LOG_LEVEL', 'Lowest level that is logged.', logLevels, 'info'),
    trustedProxies: read.list(
      'MUSTER_TRUSTED_PROXIES',
      'Addresses or networks of the proxies whose X-Forwarded-For or Forwarded the service trusts.',
      networkFault,
    ),
    metricsToken: read.secret(
      'MUSTER_METRICS_TOKEN',
      'Bearer token for /metrics, at least 16 characters. Without it /metrics does not exist.',
      tokenFault,
    ),
    lameDuckSeconds: readLameDuck(read),
    // Below the 30 s after which most supervisors kill a process.
    drainSeconds: read.integer('MUSTER_DRAIN_SECONDS', 'Seconds that requests in flight may take after SIGTERM.', {
      fallback: 10,
      min: 0,
      max: 300,
    }),
    database: readDatabase(read),
    ...readIdentity(read, publicUrl),
    providers: readProviders(read),
    billing: readBilling(read),
    retention: readRetention(read),
    backups: readBackups(read),
    webhooks: readWebhookSettings(read),
    tracing: readTracing(read),
    limits: readLimits(read),
    // The last one, when all others have been read.
    shown: read.currentSettings(),
  }
}

/** Not set, it depends on where the service runs. */
function readLameDuck(read: SettingsReader): number | undefined {
  const name = 'MUSTER_LAME_DUCK_SECONDS'
  const seconds = read.integer(
    name,
    'Seconds after SIGTERM in which /readyz is 503 and requests are still accepted, so that load balancers choose other nodes. On a terminal the default is 0.',
    { fallback: 5, min: 0, max: 300 },
  )
  return read.lookup(name) === undefined ? undefined : seconds
}

function readListening(read: SettingsReader, publicUrl: string) {
  return {
    host: read.text('MUSTER_HOST', 'Address to listen on; `localhost` is 127.0.0.1 and ::1.', '127.0.0.1'),
    hostNames: readHostNames(read, publicUrl),
    allowedOrigins: read.list(
      'MUSTER_ALLOWED_ORIGINS',
      'Origins whose pages may call the service from a browser, such as https://app.example.com. See docs/client.md.',
      originFault,
    ),
    reusesPort: read.boolean(
      'MUSTER_REUSE_PORT',
      'Whether several processes may listen on the same address, one per core. Linux only, with DATABASE_URL. See docs/scaling.md.',
      false,
    ),
  }
}

/** The names by which clients may call, without brackets; any where no address has been set. */
function readHostNames(read: SettingsReader, publicUrl: string): readonly string[] | undefined {
  const more = read.list(
    'MUSTER_HOSTS',
    'More names or addresses, without ports, under which callers reach the service. With MUSTER_PUBLIC_URL or MUSTER_HOSTS set, a request for another host is refused.',
    hostNameFault,
  )
  if (read.lookup('MUSTER_PUBLIC_URL') === undefined && more.length === 0) return undefined
  const publicHost = URL.canParse(publicUrl) ? new URL(publicUrl).hostname.replace(/^\[|\]$/g, '') : ''
  return [publicHost, ...more.map((name) => name.toLowerCase())]
}

function readProviders(read: SettingsReader) {
  return {
    defaultId: read.text('MUSTER_DEFAULT_PROVIDER', 'Provider of a key check that names none.', 'cloudflare'),
    baseUrls: new Map([
      ...read.urls(
        /^MUSTER_PROVIDER_([A-Z0-9_]+)_URL$/,
        'MUSTER_PROVIDER_<ID>_URL',
        'Base address of a provider, for a proxy or a simulator. Where the provider has further addresses, they are below it, at `/@<name>`.',
      ),
      ...read.urls(/^MUSTER_(CLOUDFLARE)_URL$/, 'MUSTER_CLOUDFLARE_URL', 'The same for Cloudflare.'),
    ]),
    // Providers limit calls by address and by key, and refuse all calls for minutes after the limit is exceeded.
    callsPerSecond: read.integer(
      'MUSTER_PROVIDER_CALLS_PER_SECOND',
      'Calls a second from this node to one provider. 0 means 150 for Cloudflare, which allows 200 for an address, 50 for most others, and less where a provider documents less (docs/providers.md). Divide it among nodes that share an address.',
      { fallback: 0, min: 0, max: 1_000_000 },
    ),
    // Providers lock an address out after some failed authentications, and with it every check from there.
    lockOutFailures: read.integer(
      'MUSTER_LOCK_OUT_FAILURES',
      'Failed authentications within the window after which a provider locks the address of the service out. 0 means 10 for Cloudflare and 200 for others. See docs/limits.md.',
      { fallback: 0, min: 0, max: 1_000_000 },
    ),
    lockOutWindowSeconds: read.integer(
      'MUSTER_LOCK_OUT_WINDOW_SECONDS',
      'The window of `MUSTER_LOCK_OUT_FAILURES`, of `MUSTER_FAILED_KEYS_OF_USER` and of `MUSTER_FAILED_KEYS_OF_SERVICE_KEY`. 0 means 300 for all providers.',
      { fallback: 0, min: 0, max: 86_400 },
    ),
  }
}

function readDatabase(read: SettingsReader) {
  const url = read.secret(
    'DATABASE_URL',
    'PostgreSQL 14 to 18 to use instead of the embedded server: postgres://…; with several hosts the one that is the primary.',
    postgresUrlFault,
  )
  return {
    url,
    /** Hosts that are reached over a network without TLS. */
    clearTextHosts: url && !postgresUrlFault(url.open()) ? clearTextHosts(url.open(), read.lookup('PGSSLMODE')) : [],
    isInsecureAllowed: read.boolean(
      'MUSTER_DATABASE_INSECURE',
      'Whether DATABASE_URL may reach another machine without TLS: only over a network that no other party can read or change.',
      false,
    ),
    schema: read.text(
      'MUSTER_DATABASE_SCHEMA',
      'Schema of Muster’s tables. It is created if it does not exist, and nothing is put into another one.',
      defaultSchema,
      (name) =>
        /^[a-z_][a-z0-9_]{0,62}$/.test(name) ? undefined : 'must be a name of lower-case letters, digits and _.',
    ),
    // The statements in flight from this node.
    connectionsMax: read.integer(
      'MUSTER_DATABASE_CONNECTIONS',
      'Connections of this node to the database. The requests of one caller use at most half of them.',
      {
        fallback: 10,
        min: 2,
        max: 500,
      },
    ),
    preparedStatements: read.boolean(
      'MUSTER_PREPARED_STATEMENTS',
      'Whether statements are prepared by name. Some poolers in transaction mode require false.',
      true,
    ),
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
    returnOrigins: read.list(
      'MUSTER_RETURN_ORIGINS',
      'Origins that a page of the payment processor may send a buyer back to, such as https://shop.example.com. Without it any address that the caller names is taken.',
      originFault,
    ),
  }
}

function readIdentity(read: SettingsReader, publicUrl: string) {
  const issuer = readSignInSettings(read, publicUrl)
  const mail = readMailSettings(read, { isIssuerEnabled: issuer.isEnabled })
  return { issuer, mail, issuers: readIssuers(read, issuer.isEnabled ? publicUrl : undefined) }
}

function readIssuers(read: SettingsReader, builtIn: string | undefined): readonly IssuerEntry[] {
  const document = read.json(
    'MUSTER_ISSUERS',
    'Other issuers whose tokens are accepted: JSON, or the path of a JSON file. See docs/issuers.md.',
  )
  if (document === undefined) return []
  const { entries, faults } = readIssuerEntries(document, { lookup: (name) => read.lookup(name), builtIn })
  read.faults.push(...faults)
  return entries
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

function tokenFault(value: string): string | undefined {
  return /^[!-~]{16,}$/.test(value) ? undefined : 'must be at least 16 characters, without spaces.'
}
