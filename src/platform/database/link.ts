import type { ClientConfig } from 'pg'

import { Secret } from '../secret.ts'

/** How to reach a database: the parts of an embedded server, or the operator's URL. */
export type Link =
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly database: string
      readonly password: Secret
    }
  | { readonly url: Secret }

/** The settings of `pg` for a link with one host. The password is opened only when the server asks for it. */
export function clientConfig(link: Link): ClientConfig {
  if ('url' in link) return { connectionString: strictTls(link.url.open()) }
  const { host, port, user, database, password } = link
  return { host, port, user, database, password: () => password.open(), ssl: false }
}

/** One link for each host, in their order. libpq allows several in a URL: `postgres://user:password@one:5432,two:5432/database`. */
export function linksOf(link: Link): readonly Link[] {
  if (!('url' in link)) return [link]
  return singleHostUrls(link.url.open()).map((url) => ({ url: new Secret(url) }))
}

/** Whether two links lead to the same place. Links of one URL are made anew each time. */
export function isSameLink(one: Link, other: Link): boolean {
  if ('url' in one) return 'url' in other && one.url.open() === other.url.open()
  return !('url' in other) && one.host === other.host && one.port === other.port && one.database === other.database
}

/**
 * The URL once for each of its hosts. `target_session_attrs` is left out: Muster itself finds the host that is the primary.
 */
export function singleHostUrls(url: string): readonly string[] {
  const [, head = '', hosts = '', tail = ''] = /^([a-z]+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/i.exec(url) ?? []
  if (!hosts.includes(',')) return [withoutTarget(url)]
  return hosts.split(',').map((host) => withoutTarget(`${head}${host}${tail}`))
}

/** What is wrong with an address of PostgreSQL; undefined if it is usable. */
export function postgresUrlFault(url: string): string | undefined {
  return (
    addressFault(url) ??
    targetFault(
      url,
      ['any', 'read-write', 'primary'],
      'must not ask for target_session_attrs other than read-write: Muster writes.',
    )
  )
}

/** The same for the address of replicas. */
export function replicaUrlFault(url: string): string | undefined {
  return (
    addressFault(url) ??
    targetFault(
      url,
      ['any', 'read-only', 'standby', 'prefer-standby'],
      'must not ask for target_session_attrs other than standby: a primary is no replica.',
    )
  )
}

function addressFault(url: string): string | undefined {
  const isPostgres = singleHostUrls(url).every(
    (one) => URL.canParse(one) && /^postgres(ql)?:$/.test(new URL(one).protocol),
  )
  return isPostgres ? undefined : 'must be an address such as postgres://user:password@host:5432/database.'
}

function targetFault(url: string, targets: readonly string[], fault: string): string | undefined {
  const target = /[?&]target_session_attrs=([^&]*)/.exec(url)?.[1]
  return target === undefined || targets.includes(target) ? undefined : fault
}

/**
 * The hosts of a URL that are reached without TLS over a network: other machines, with no parameter that asks for TLS. `pg` also takes
 * it from PGSSLMODE, which is `sslMode` here. Loopback and sockets of the machine are no network.
 */
export function clearTextHosts(url: string, sslMode: string | undefined): readonly string[] {
  return singleHostUrls(url).flatMap((one) => {
    if (!URL.canParse(one)) return []
    const { hostname, searchParams } = new URL(one)
    const host = decodeURIComponent(searchParams.get('host') ?? hostname)
    return isOnThisMachine(host) || asksForTls(searchParams, sslMode) ? [] : [host]
  })
}

function isOnThisMachine(host: string): boolean {
  return host === '' || host.startsWith('/') || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[?::1\]?)$/i.test(host)
}

function asksForTls(parameters: URLSearchParams, sslMode: string | undefined): boolean {
  const mode = parameters.get('sslmode') ?? sslMode
  if (mode) return mode !== 'disable'
  return /^(?:true|1)$/.test(parameters.get('ssl') ?? '') || parameters.has('sslrootcert') || parameters.has('sslcert')
}

function withoutTarget(url: string): string {
  return url.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before: string, after: string) =>
    after === '&' ? before : '',
  )
}

/**
 * `sslmode=prefer`, `require` and `verify-ca` mean `verify-full`, as in `pg` 8; its next major version will weaken them. Encryption
 * without verification does not stop an attacker on the network. `no-verify` and `uselibpqcompat=true` allow it explicitly.
 */
export function strictTls(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
