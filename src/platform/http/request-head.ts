import { isIP, isIPv6, type Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Problem, refuse } from '../problems.ts'

const urlLengthMax = 8_192
const headerLinesMax = 200
/** Total size of all header names and values. */
export const headBytesMax = 16_384

/** Methods of a path, including `HEAD` with `GET`. Empty for an unknown path. */
export type MethodsAt = (path: string) => readonly string[]

/**
 * Checks request line and headers before the body is read.
 * Problems: `version_unsupported`, `host_invalid`, `host_unknown`, `request_malformed`, `uri_too_long`, `headers_too_large`,
 * `expectation_failed`, `route_unknown`, `method_not_allowed`.
 */
export function createHeadCheck(
  hostNames: readonly string[] | undefined,
  methodsAt: MethodsAt,
): (request: FastifyRequest) => void {
  const checkHost = createHostCheck(hostNames && new Set(hostNames))
  return (request) => {
    const { originalUrl: target, raw } = request
    const { httpVersion, headers, rawHeaders } = raw
    if (httpVersion !== '1.1' && httpVersion !== '1.0') refuse('version_unsupported')
    checkHost(raw, target, request.routeOptions.config.anyHost === true)
    // RFC 9112 §6.1: the length of a body with another transfer coding is unknown.
    const coding = headers['transfer-encoding']
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') refuse('request_malformed')
    if (target.length > urlLengthMax) refuse('uri_too_long')
    if (isTooLarge(rawHeaders)) refuse('headers_too_large')
    if (httpVersion === '1.1' && headers.expect !== undefined && !/^100-continue$/i.test(headers.expect))
      refuse('expectation_failed')
    // The CORS plugin mounts a route for OPTIONS, and has already answered preflight requests.
    if (request.is404 || request.method === 'OPTIONS') throw unroutedProblem(target, methodsAt)
  }
}

function isTooLarge(rawHeaders: readonly string[]): boolean {
  let length = 0
  for (const text of rawHeaders) length += text.length
  return length > headBytesMax || rawHeaders.length > headerLinesMax * 2
}

function unroutedProblem(target: string, methodsAt: MethodsAt): Problem {
  if (!isDecodable(target)) return new Problem('request_malformed')
  const methods = methodsAt(originForm(target).split('?', 1)[0] ?? '')
  if (methods.length === 0) return new Problem('route_unknown')
  return new Problem('method_not_allowed', {
    headers: { allow: methods.join(', ') },
    detail: `Use ${methods.join(' or ')}.`,
  })
}

/** The path and query for the router, which would answer a longer or undecodable URL without any hook. The head check rejects those. */
export function routedUrl(url: string): string {
  const target = originForm(url).slice(0, urlLengthMax)
  return isDecodable(target) ? target : target.replaceAll('%', '%25')
}

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

/** RFC 3986 §3.2.2 and §3.2.3: an IPv6 address in brackets, or a name or IPv4 address, with an optional port. No user information. */
const hostForm = /^(?:\[([0-9a-f:.]+)\]|((?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+))(?::(\d*))?$/i

/** Scheme and authority of a request target in absolute form (RFC 9112 §3.2.2). */
const absoluteForm = /^(https?):\/\/([^/?#]*)/i

/** Converts a target in absolute form to path and query. Returns other targets unchanged. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const [absolute] = absoluteForm.exec(target) ?? []
  if (absolute === undefined) return target
  const rest = target.slice(absolute.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

interface HostedRequest {
  readonly httpVersion: string
  readonly rawHeaders: readonly string[]
  readonly socket: Socket
}

/**
 * Checks that the host of a request is valid, and is one of `names` unless `anyHost`. Without `names`, accepts every valid host.
 * Remembers the last accepted header of each connection, because clients repeat it.
 * Problems: `host_invalid`, `host_unknown`.
 */
function createHostCheck(
  names: ReadonlySet<string> | undefined,
): (request: HostedRequest, target: string, anyHost: boolean) => void {
  const lastAccepted = new WeakMap<Socket, string>()
  return ({ httpVersion, rawHeaders, socket }, target, anyHost) => {
    const line = hostLine(rawHeaders)
    if (line !== undefined && line === lastAccepted.get(socket) && target.startsWith('/')) return
    const host = readHost({ httpVersion, line, target })
    if (names && host !== undefined && !isKnownHost(host, names, socket)) {
      if (anyHost) return
      refuse('host_unknown')
    }
    if (line !== undefined) lastAccepted.set(socket, line)
  }
}

/**
 * Returns the host in lower case, without port. A target in absolute form takes precedence over the header. Returns undefined for HTTP/1.0
 * without Host. Problem: `host_invalid`. Source: RFC 9112 §3.2.
 */
function readHost({
  httpVersion,
  line,
  target,
}: {
  readonly httpVersion: string
  readonly line: string | undefined
  readonly target: string
}): string | undefined {
  if (line === undefined && httpVersion === '1.1') refuse('host_invalid', { detail: 'Send a Host header.' })
  const fromHeader = line === undefined ? undefined : nameOf(line)
  const authority = target.startsWith('/') ? undefined : absoluteForm.exec(target)?.[2]
  return authority === undefined ? fromHeader : nameOf(authority)
}

/** Whether the host is one of the names or the local address of the connection. DNS rebinding cannot fake an address as the host. */
function isKnownHost(host: string, names: ReadonlySet<string>, { localAddress }: Socket): boolean {
  if (names.has(host)) return true
  if (localAddress === undefined) return false
  const address = ipaddr.process(localAddress)
  if (host === 'localhost') return address.range() === 'loopback'
  return isIP(host) !== 0 && ipaddr.process(host).toString() === address.toString()
}

/** Returns what is wrong with a host name in a setting, or undefined. IPv6 addresses have no brackets here. */
export function hostNameFault(name: string): string | undefined {
  const isName = isIPv6(name) || (!name.includes(':') && hostForm.test(name))
  return isName ? undefined : 'must contain names or addresses without scheme or port, such as muster.internal.'
}

function hostLine(rawHeaders: readonly string[]): string | undefined {
  let line: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue
    if (line !== undefined) refuse('host_invalid', { detail: 'Send one Host header.' })
    line = rawHeaders[index + 1]
  }
  return line
}

function nameOf(authority: string): string {
  const [matched, ipv6, name, port] = hostForm.exec(authority) ?? []
  const isValid = matched !== undefined && Number(port ?? 0) <= 65_535 && (ipv6 === undefined || isIPv6(ipv6))
  if (!isValid) refuse('host_invalid', { detail: 'Host must be a name or an address, with an optional port.' })
  return (ipv6 ?? name ?? '').toLowerCase()
}
