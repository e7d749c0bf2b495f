import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import type { Proxies } from '../../platform/outgoing/proxies.ts'
import type { NodeLimit } from '../../platform/rate-limits.ts'
import { StartError } from '../../platform/start-error.ts'
import { addressFault, type IssuerEntry } from './entries.ts'
import type { Fetching } from './fetch-json.ts'
import type { KeySet } from './key-renewal.ts'
import { createRemoteKeys, type KeyState, type RemoteKeys } from './remote-keys.ts'
import { usableKeys } from './usable-keys.ts'
import type { Issuer } from './verify-token.ts'

/** All accepted issuers, by `iss`. */
export interface Issuers {
  readonly byName: ReadonlyMap<string, Issuer>
  /** The state of the keys of each remote issuer. */
  keyStates(): readonly { readonly issuer: string; readonly keys: KeyState }[]
  close(): Promise<void>
}

interface IssuersOptions {
  readonly builtIn: Issuer | undefined
  readonly database: Database
  /** Limits new accounts per issuer. */
  readonly newAccounts: NodeLimit
  readonly proxies: Proxies
  readonly now: Clock
  readonly log: Logger
}

/**
 * Starts fetching the keys of the configured issuers without waiting for them: an issuer that is down affects only its
 * own users, not the start.
 */
export async function openIssuers(entries: readonly IssuerEntry[], options: IssuersOptions): Promise<Issuers> {
  const { builtIn } = options
  const opened = await Promise.all(entries.map((entry) => openIssuer(entry, options)))
  const remotes = opened.flatMap(({ issuer, remote }) => (remote ? [{ issuer: issuer.issuer, remote }] : []))
  const warming = Promise.all(remotes.map(({ remote }) => remote.warm()))
  return {
    byName: new Map(
      [...opened.map(({ issuer }) => issuer), ...(builtIn ? [builtIn] : [])].map((one) => [one.issuer, one]),
    ),
    keyStates: () => remotes.map(({ issuer, remote }) => ({ issuer, keys: remote.state() })),
    async close() {
      await Promise.all(remotes.map(({ remote }) => remote.close()))
      await warming
    },
  }
}

async function openIssuer(
  entry: IssuerEntry,
  options: IssuersOptions,
): Promise<{ issuer: Issuer; remote: RemoteKeys | undefined }> {
  const { keys: source, secret, console: _console, ...rules } = entry
  const remote =
    source.kind === 'address' || source.kind === 'discovery' ? await openRemote(entry, source, options) : undefined
  const published = remote?.resolve ?? (source.kind === 'inline' ? await inlineKeys(source.set, entry) : noKeys)
  const hmac = secret && Buffer.from(secret.open())
  return {
    remote,
    issuer: {
      ...rules,
      identityIssuer: entry.issuer,
      isBuiltIn: false,
      ...(entry.provisions && { newAccounts: options.newAccounts }),
      ...(remote && { watchKeys: remote.watch }),
      // HMAC algorithms use only the secret, public-key algorithms only the key set: a public key must never serve as
      // an HMAC secret (CVE-2016-5431).
      keys: async (header, token) => (header.alg.startsWith('HS') ? (hmac ?? noKeys()) : published(header, token)),
    },
  }
}

function noKeys(): never {
  throw new errors.JWKSNoMatchingKey()
}

async function inlineKeys(set: unknown, { issuer, algorithms }: IssuerEntry): Promise<JWTVerifyGetKey> {
  const keys = await usableKeys(set, algorithms).catch((cause: unknown) => {
    throw new StartError(`MUSTER_ISSUERS: the key set of ${issuer} has no usable key.`, { cause })
  })
  return createLocalJWKSet({ keys: [...keys] })
}

/** Keys of an issuer, fetched over the network. */
type RemoteKeySource = Extract<IssuerEntry['keys'], { readonly url: string }>

async function openRemote(
  entry: IssuerEntry,
  source: RemoteKeySource,
  { database, proxies, now, log }: IssuersOptions,
): Promise<RemoteKeys> {
  const { issuer } = entry
  return createRemoteKeys({
    issuer,
    fetchKeys: (signal) => fetchKeys(entry, source, { proxies, signal }),
    stored: await readKeySet(database, issuer, source.url),
    async store(set) {
      await writeKeySet(database, issuer, source.url, set).catch((err: unknown) =>
        log.warn({ issuer, err }, 'cannot store the keys of an issuer'),
      )
    },
    now,
    log,
  })
}

/** Fetches the usable keys that an issuer publishes. Rejects with the reason, or when `signal` aborts. */
export async function fetchKeys(
  { issuer, algorithms }: IssuerEntry,
  source: RemoteKeySource,
  fetching: Fetching,
): Promise<readonly JWK[]> {
  const address = source.kind === 'address' ? new URL(source.url) : await discover(issuer, source, fetching)
  return usableKeys(await fetchJson(address, fetching), algorithms)
}

/** Imports the HTTP client on first use: a service with only the built-in issuer never needs it. */
async function fetchJson(url: URL, fetching: Fetching): Promise<unknown> {
  const client = await import('./fetch-json.ts')
  return client.fetchJson(url, fetching)
}

/** Resolves the URL of the keys (OpenID Connect Discovery §4). Not cached, because an issuer may move its keys. */
async function discover(
  issuer: string,
  source: Extract<RemoteKeySource, { readonly kind: 'discovery' }>,
  fetching: Fetching,
): Promise<URL> {
  const document = await fetchJson(new URL(source.url), fetching)
  const { issuer: named, jwks_uri: address }: Readonly<Record<string, unknown>> = { ...Object(document) }
  // ASVS 10.5.3, Discovery §4.3: the discovery document must name this issuer.
  if (named !== issuer) throw new Error('the discovery document names another issuer')
  if (typeof address !== 'string' || addressFault(address, source.allowsHttp) !== undefined)
    throw new Error('the discovery document has no permitted jwks_uri')
  return new URL(address)
}

/** Loads the key set that an earlier process stored. Ignores a set from another URL. */
export async function readKeySet(rows: Rows, issuer: string, source: string): Promise<KeySet | undefined> {
  const [row] = await rows.query<KeySetRow>(readStatement, [issuer, source])
  return row && { keys: row.keys, requestedAtMs: row.fetched_at.getTime() }
}

/** If two nodes write at the same time, the set requested later wins. */
export async function writeKeySet(rows: Rows, issuer: string, source: string, set: KeySet): Promise<void> {
  await rows.query(writeStatement, [issuer, source, JSON.stringify(set.keys), new Date(set.requestedAtMs)])
}

interface KeySetRow {
  readonly keys: readonly JWK[]
  readonly fetched_at: Date
}

const readStatement = {
  name: 'issuer_key_set',
  text: 'select keys, fetched_at from issuer_key_set where issuer = $1 and source = $2',
}

const writeStatement = {
  name: 'issuer_key_set_write',
  text: `
insert into issuer_key_set as stored (issuer, source, keys, fetched_at)
values ($1, $2, $3, $4)
on conflict (issuer) do update
  set source = excluded.source, keys = excluded.keys, fetched_at = excluded.fetched_at
  where stored.source <> excluded.source or stored.fetched_at <= excluded.fetched_at`,
}
