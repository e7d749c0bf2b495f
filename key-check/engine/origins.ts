import { type Connections, type ConnectionsOptions, openConnections } from './connections.ts'
import type { Provider } from './provider.ts'

/** One address of a provider. Its path is put before the path of each call. */
type Origin = Connections

/** The target of calls: one origin, or one per label that replaces the `*` in the address. */
export interface Address {
  readonly isWildcard: boolean
  /** With a port, and with `*` for a label. */
  readonly host: string
  origin(label: string | undefined): Origin
  /** Call after each request. A wildcard address has too many labels to keep connections open. */
  release(origin: Origin): Promise<void>
  close(): Promise<void>
}

/** The base address has the name ''. If it is configured, the other origins are below it at `/@<name>`. */
export function openAddresses(
  { baseUrl: builtIn, origins = {} }: Provider,
  baseUrl: string | undefined,
  options: ConnectionsOptions,
): ReadonlyMap<string, Address> {
  const configured = baseUrl?.replace(/\/$/, '')
  const further = Object.entries(origins).map(
    ([name, url]) =>
      [
        name,
        openAddress(configured === undefined ? url : `${configured}/@${name}`, configured !== undefined, options),
      ] as const,
  )
  return new Map([['', openAddress(configured ?? builtIn, configured !== undefined, options)], ...further])
}

function openAddress(url: string, isConfigured: boolean, options: ConnectionsOptions): Address {
  const { host } = new URL(url)
  if (isConfigured || !url.includes('*')) {
    const origin = openOrigin(url, isConfigured, options)
    return { isWildcard: false, host, origin: () => origin, release: async () => {}, close: () => origin.close() }
  }
  return {
    isWildcard: true,
    host,
    origin(label = '') {
      if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) throw new Error('A label of a host is malformed')
      return openOrigin(url.replace('*', label), false, options)
    },
    release: (origin) => origin.close(),
    close: async () => {},
  }
}

function openOrigin(url: string, isConfigured: boolean, options: ConnectionsOptions): Origin {
  const base = new URL(url)
  const prefix = base.pathname.replace(/\/$/, '')
  const connections = openConnections(base, isConfigured, options)
  return {
    call: (call) => connections.call({ ...call, path: `${prefix}${call.path}` }),
    close: () => connections.close(),
  }
}
