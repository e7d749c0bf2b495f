import type { Pool } from 'undici'
import { addressRule, guardedConnector, guardedLookup } from '../../platform/addresses.ts'
import type { Limits } from './limits.ts'
import type { Provider } from './provider.ts'

/** One address of a provider: its connections, made with the first call, and what goes before the path of a request. */
export interface Origin {
  readonly prefix: string
  pool(): Promise<Pool>
  /** A call in this pool failed: none begins on its connections any more, and those under way end. One that went silent looks like a good one. */
  retire(used: Promise<Pool>): void
  close(): Promise<void>
}

/** Where calls go: one origin, or one for each label that stands for the `*` in the address. */
export interface Address {
  readonly isWildcard: boolean
  origin(label: string | undefined): Origin
  /** The call is over. Labels are too many to keep connections to each. */
  release(origin: Origin): Promise<void>
  close(): Promise<void>
}

/** The base address has the name ''. A configured one has the further origins below it, at `/@<name>`. */
export function openAddresses(
  { baseUrl: builtIn, origins = {} }: Provider,
  baseUrl: string | undefined,
  limits: Limits,
): ReadonlyMap<string, Address> {
  const configured = baseUrl?.replace(/\/$/, '')
  const further = Object.entries(origins).map(
    ([name, url]) =>
      [
        name,
        openAddress(configured === undefined ? url : `${configured}/@${name}`, configured !== undefined, limits),
      ] as const,
  )
  return new Map([['', openAddress(configured ?? builtIn, configured !== undefined, limits)], ...further])
}

function openAddress(url: string, isConfigured: boolean, limits: Limits): Address {
  if (isConfigured || !url.includes('*')) {
    const origin = openOrigin(url, isConfigured, limits)
    return { isWildcard: false, origin: () => origin, release: async () => {}, close: () => origin.close() }
  }
  return {
    isWildcard: true,
    origin(label = '') {
      if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) throw new Error('A label of a host is malformed')
      return openOrigin(url.replace('*', label), false, limits)
    },
    release: (origin) => origin.close(),
    close: async () => {},
  }
}

function openOrigin(url: string, isConfigured: boolean, limits: Limits): Origin {
  const base = new URL(url)
  let pool: Promise<Pool> | undefined
  return {
    prefix: base.pathname.replace(/\/$/, ''),
    pool() {
      // Its code comes from the disk: a load that failed, such as without a free descriptor, is tried again with the next call.
      pool ??= openPool(base, isConfigured, limits).catch((error: unknown) => {
        pool = undefined
        throw error
      })
      return pool
    },
    retire(used) {
      if (pool !== used) return
      pool = undefined
      void used.then((opened) => (opened.destroyed ? undefined : opened.close()))
    },
    close: async () => (await pool)?.destroy(),
  }
}

/** Connections to one origin, and to no address that the rule refuses. undici, a quarter of all code, is loaded with the first call. */
async function openPool(base: URL, isConfigured: boolean, limits: Limits): Promise<Pool> {
  const { buildConnector, Pool } = await import('undici')
  const isAllowed = addressRule(base.hostname, isConfigured)
  const connect = buildConnector({
    timeout: limits.connectTimeoutMs,
    lookup: guardedLookup(isAllowed),
    // HTTP/2, where the provider speaks it, binds an answer to its call. Its connections are kept.
    allowH2: true,
  })
  return new Pool(base.origin, {
    connections: limits.connectionsMax,
    // One call at a time on a connection, and over HTTP/1.1 none after it: an answer that comes twice there would be taken for that of
    // the next credential.
    pipelining: 0,
    allowH2: true,
    clientTtl: limits.connectionAgeMs,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    connect: guardedConnector(connect, isAllowed),
  })
}
