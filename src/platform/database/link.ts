import type { ClientConfig } from 'pg'

import { Secret } from '../secret.ts'

/** The URL of the operator or of the embedded server, and the schema of Muster's tables (default: `defaultSchema`). */
export interface Link {
  readonly url: Secret
  readonly schema?: string
}

/** Default of `MUSTER_DATABASE_SCHEMA`. */
export const defaultSchema = 'muster'

/** `pg` settings for a link with one host. */
export function clientConfig(link: Link): ClientConfig {
  // No other schema: an application may have a table with the same name there.
  const searchPath = `-c search_path=${link.schema ?? defaultSchema}`
  const { url, options } = withoutOptions(strictTls(link.url.open()))
  return { connectionString: url, options: [options, searchPath].join(' ').trim() }
}

/** Separates the parameter `options` from the URL: otherwise `pg` lets it replace ours. */
function withoutOptions(url: string): { readonly url: string; readonly options: string } {
  const given = /([?&])options=([^&]*)(&?)/.exec(url)
  if (!given) return { url, options: '' }
  const [parameter, before = '', options = '', after = ''] = given
  return {
    url: url.replace(parameter, after === '&' ? before : ''),
    options: decodeURIComponent(options.replaceAll('+', ' ')),
  }
}

/** One link per host, in order. libpq allows several in a URL: `postgres://user:password@one:5432,two:5432/database`. */
export function singleHostLinks(link: Link): readonly Link[] {
  return singleHostUrls(link.url.open()).map((url) => ({ ...link, url: new Secret(url) }))
}

/** Compares the URLs, because each call of `singleHostLinks` creates new objects. */
export function isSameLink(one: Link, other: Link): boolean {
  return one.url.open() === other.url.open()
}

/** One URL per host, without `target_session_attrs`: Muster finds the primary itself. */
export function singleHostUrls(url: string): readonly string[] {
  const [, head = '', hosts = '', tail = ''] = /^([a-z]+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/i.exec(url) ?? []
  if (!hosts.includes(',')) return [withoutTarget(url)]
  return hosts.split(',').map((host) => withoutTarget(`${head}${host}${tail}`))
}

/** Returns what is wrong with a PostgreSQL URL, or undefined if it is valid. */
export function postgresUrlFault(url: string): string | undefined {
  return (
    addressFault(url) ??
    targetFault(
      url,
      ['any', 'read-write', 'primary'],
      'must not set target_session_attrs to anything but read-write: Muster writes to the database.',
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
 * Returns the hosts that Muster would connect to over the network without TLS. Excludes loopback addresses and Unix sockets. `sslMode` is
 * PGSSLMODE, which `pg` uses if the URL has no `sslmode`.
 */
export function clearTextHosts(url: string, sslMode: string | undefined): readonly string[] {
  return singleHostUrls(url).flatMap((one) => {
    if (!URL.canParse(one)) return []
    const { hostname, searchParams } = new URL(one)
    const host = decodeURIComponent(searchParams.get('host') ?? hostname)
    return isLocal(host) || requestsTls(searchParams, sslMode) ? [] : [host]
  })
}

function isLocal(host: string): boolean {
  return host === '' || host.startsWith('/') || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[?::1\]?)$/i.test(host)
}

function requestsTls(parameters: URLSearchParams, sslMode: string | undefined): boolean {
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
 * Replaces `sslmode=prefer`, `require` and `verify-ca` with `verify-full`. `pg` 8 already treats them so, but the next major version will
 * not. Encryption without verification does not stop a network attacker. `no-verify` and `uselibpqcompat=true` allow it explicitly.
 */
export function strictTls(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
