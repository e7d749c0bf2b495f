import { isIP } from 'node:net'
import { processors } from './billing/registry.ts'
import { type IssuerEntry, readIssuerEntries } from './identity/issuers/entries.ts'
import { networkFault } from './platform/http/client-address.ts'
import { originFault } from './platform/http/cors.ts'
import { hostNameFault } from './platform/http/request-head.ts'
import { readMailSettings } from './platform/mail/settings.ts'
import { readProxies } from './platform/outgoing/proxies.ts'
import { type Environment, type Setting, SettingsReader } from './platform/settings.ts'
import { readTracing } from './platform/tracing/settings.ts'
import { databaseFaults, readDatabase, readDataDir } from './settings/database.ts'
import { otherNames, removedSettings } from './settings/environment.ts'
import { readLimits } from './settings/limits.ts'
import { readBackups, readRetention } from './settings/upkeep.ts'
import { readSignInSettings } from './sign-in/settings.ts'
import { readWebhookSettings } from './webhooks/settings.ts'

export type Config = ReturnType<typeof readSettings>

/**
 * Reads the configuration from the environment and from the files in `<NAME>_FILE` settings. Throws `ConfigError` with
 * all faults.
 */
export function readConfig(env: Environment): Config {
  const read = new SettingsReader(env)
  const config = readSettings(read)
  if (config.database.url && config.issuer.isEnabled && !config.issuer.encryptionKey)
    read.faults.push('MUSTER_ENCRYPTION_KEY is required with DATABASE_URL. Create one with: openssl rand -base64 32')
  read.faults.push(...databaseFaults(config, env))
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
  read.refuseUnknown('MUSTER_', otherNames, removedSettings)
  read.throwFaults()
  return config
}

/** A warning for the log and `muster doctor`. Undefined if sign-up is closed, or if emails verify addresses. */
export function openSignUpWarning({ issuer, mail }: Pick<Config, 'issuer' | 'mail'>): string | undefined {
  if (!issuer.isEnabled || issuer.signUp !== 'open' || mail) return undefined
  return 'MUSTER_SIGN_UP is open, and emails are not verified: anyone can sign up with the email of someone else. Before you give a user a role, use the id or check emailProved'
}

/** All settings, in the order of the documentation. */
export function listSettings(): readonly Setting[] {
  const read = new SettingsReader({})
  readSettings(read)
  return read.settings
}

function readSettings(read: SettingsReader) {
  const port = read.integer('MUSTER_PORT', 'Port to listen on. 0 chooses a free port.', {
    fallback: 4600,
    min: 0,
    max: 65_535,
  })
  const publicUrl = read.url(
    'MUSTER_PUBLIC_URL',
    'URL at which callers reach the service. Also the `iss` of its tokens.',
    `http://localhost:${port}`,
  )
  return {
    port,
    ...readListening(read, publicUrl),
    publicUrl,
    servesConsole: read.boolean(
      'MUSTER_CONSOLE',
      'Whether to serve the web console: the page at `/`, its files and `/console/session`.',
      true,
    ),
    dataDir: readDataDir(read),
    logLevel: read.oneOf('MUSTER_LOG_LEVEL', 'Lowest level to log.', logLevels, 'info'),
    trustedProxies: read.list(
      'MUSTER_TRUSTED_PROXIES',
      'Addresses or networks of the proxies whose X-Forwarded-For or Forwarded the service trusts.',
      networkFault,
    ),
    outgoingProxies: readProxies(read),
    metricsToken: read.secret(
      'MUSTER_METRICS_TOKEN',
      'Bearer token for /metrics, at least 16 characters. Without it /metrics does not exist.',
      tokenFault,
    ),
    lameDuckSeconds: readLameDuck(read),
    // Less than the 30 s after which most supervisors kill a process.
    drainSeconds: read.integer('MUSTER_DRAIN_SECONDS', 'Seconds that running requests may take after SIGTERM.', {
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
    // Settings that depend on other settings.
    shown: read.currentSettings(),
  }
}

/** If not set, it depends on where the service runs. */
function readLameDuck(read: SettingsReader): number | undefined {
  const name = 'MUSTER_LAME_DUCK_SECONDS'
  const seconds = read.integer(
    name,
    'Seconds after SIGTERM in which /readyz responds with 503 while requests are still accepted, so that load balancers choose other nodes. Default on a terminal: 0.',
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

/** Accepted host names, without brackets. Undefined: any host. */
function readHostNames(read: SettingsReader, publicUrl: string): readonly string[] | undefined {
  const more = read.list(
    'MUSTER_HOSTS',
    'More host names or IP addresses of the service, without ports. If MUSTER_PUBLIC_URL or MUSTER_HOSTS is set, requests for other hosts are rejected.',
    hostNameFault,
  )
  if (read.lookup('MUSTER_PUBLIC_URL') === undefined && more.length === 0) return undefined
  const publicHost = URL.canParse(publicUrl) ? new URL(publicUrl).hostname.replace(/^\[|\]$/g, '') : ''
  return [publicHost, ...more.map((name) => name.toLowerCase())]
}

function readProviders(read: SettingsReader) {
  return {
    defaultId: read.text('MUSTER_DEFAULT_PROVIDER', 'Default provider of key checks.', 'cloudflare'),
    baseUrls: new Map([
      ...read.urls(
        /^MUSTER_PROVIDER_([A-Z0-9_]+)_URL$/,
        'MUSTER_PROVIDER_<ID>_URL',
        'Base URL of a provider, for a proxy or a simulator. Further hosts of the provider are at `/@<name>` below it.',
      ),
      ...read.urls(/^MUSTER_(CLOUDFLARE)_URL$/, 'MUSTER_CLOUDFLARE_URL', 'The same for Cloudflare.'),
    ]),
    outgoingAddresses: read.list(
      'MUSTER_OUTGOING_ADDRESSES',
      'IP addresses from which this service calls providers. Messages about an allowlist, `GET /api/v1/providers` and the console show them.',
      (address) => (isIP(address) === 0 ? 'must be IP addresses such as 203.0.113.7.' : undefined),
    ),
    proofs: read.boolean(
      'MUSTER_KEY_CHECK_PROOFS',
      'Whether a key check may send the write that its request asks for with `for.prove`. If not, such a request is a 400. See docs/checking-keys.md.',
      true,
    ),
    // Providers limit requests by IP address and by key. Beyond the limit they reject all requests for minutes.
    callsPerSecond: read.integer(
      'MUSTER_PROVIDER_CALLS_PER_SECOND',
      'Requests per second from this node to one provider. 0 means 150 for Cloudflare (which allows 200 per IP address), 50 for most others, and less if the provider documents less (docs/providers.md). Divide it by the number of nodes that share an IP address.',
      { fallback: 0, min: 0, max: 1_000_000 },
    ),
    // After some failed authentications a provider blocks the IP address, and with it every check from there.
    lockOutFailures: read.integer(
      'MUSTER_LOCK_OUT_FAILURES',
      'Failed authentications within the window after which a provider blocks the IP address of the service. 0 means 10 for Cloudflare and 200 for others. See docs/limits.md.',
      { fallback: 0, min: 0, max: 1_000_000 },
    ),
    lockOutWindowSeconds: read.integer(
      'MUSTER_LOCK_OUT_WINDOW_SECONDS',
      'The window of `MUSTER_LOCK_OUT_FAILURES`, `MUSTER_FAILED_KEYS_OF_USER` and `MUSTER_FAILED_KEYS_OF_SERVICE_KEY`. 0 means 300 for all providers.',
      { fallback: 0, min: 0, max: 86_400 },
    ),
  }
}

function readBilling(read: SettingsReader) {
  return {
    processors: processors.map((processor) => processor.configure(read)),
    // Corrects the effects of lost events. With 10,000 subscriptions it takes 100 requests.
    syncHours: read.integer(
      'MUSTER_BILLING_SYNC_HOURS',
      'Hours between two reconciliations of all subscriptions with the payment processor, by one node. 0: never.',
      { fallback: 24, min: 0, max: 720 },
    ),
    returnOrigins: read.list(
      'MUSTER_RETURN_ORIGINS',
      'Origins to which the payment processor may return a buyer, such as https://shop.example.com. Without it, any URL in the request is accepted.',
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
