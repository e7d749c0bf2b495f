import type { ClientConfig } from 'pg'

import { Secret } from '../secret.ts'

/** How to reach a database: the URL of the operator or of the embedded server, and the schema of Muster's tables. */
export interface Link {
  readonly url: Secret
  readonly schema?: string
}

/** `MUSTER_DATABASE_SCHEMA`, by default. */
export const defaultSchema = 'muster'

/** The settings of `pg` for a link with one host. */
export function clientConfig(link: Link): ClientConfig {
  // Nothing else is searched: an application may have a table of the same name in another schema.
  const searchPath = `-c search_path=${link.schema ?? defaultSchema}`
  const { url, options } = withoutOptions(strictTls(link.url.open()))
  return { connectionString: url, options: [options, searchPath].join(' ').trim() }
}

/** The parameter `options` of the URL apart, because `pg` would let it replace ours. */
function withoutOptions(url: string): { readonly url: string; readonly options: string } {
  const given = /([?&])options=([^&]*)(&?)/.exec(url)
  if (!given) return { url, options: '' }
  const [parameter, before = '', options = '', after = ''] = given
  return {
    url: url.replace(parameter, after === '&' ? before : ''),
    options: decodeURIComponent(options.replaceAll('+', ' ')),
  }
}

/** One link for each host, in their order. libpq allows several in a URL: `postgres://user:password@one:5432,two:5432/database`. */
export function linksOf(link: Link): readonly Link[] {
  return singleHostUrls(link.url.open()).map((url) => ({ ...link, url: new Secret(url) }))
}

/** Whether two links lead to the same place. Links of one URL are made anew each time. */
export function isSameLink(one: Link, other: Link): boolean {
  return one.url.open() === other.url.open()
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
