import { isIP, isIPv6, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { refuse } from '../problems.ts'

/** RFC 3986 §3.2.2 and §3.2.3: an IPv6 address in brackets, or a name or IPv4 address; then a port. Without user information. */
const hostForm = /^(?:\[([0-9a-f:.]+)\]|((?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+))(?::(\d*))?$/i

/** The scheme and the authority of a target in absolute form (RFC 9112 §3.2.2). */
const absoluteForm = /^(https?):\/\/([^/?#]*)/i

/** A target in absolute form as the path and query that it names; every other target as it is. */
export function originForm(target: string): string {
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
 * Checks for which host a request is meant: one of `names`, where there are any, and the operation does not answer under every
 * name. Clients send the same line with every request of a connection, so it is read once.
 * Problems: `host_invalid`, `host_unknown`.
 */
export function createHostCheck(
  names: ReadonlySet<string> | undefined,
): (request: HostedRequest, target: string, anyHost: boolean) => void {
  const lastKnown = new WeakMap<Socket, string>()
  return ({ httpVersion, rawHeaders, socket }, target, anyHost) => {
    const line = hostLine(rawHeaders)
    if (line !== undefined && line === lastKnown.get(socket) && target.startsWith('/')) return
    const host = readHost({ httpVersion, line, target })
    if (names && host !== undefined && !isKnownHost(host, names, socket)) {
      if (anyHost) return
      refuse('host_unknown')
    }
    if (line !== undefined) lastKnown.set(socket, line)
  }
}

/**
 * The name or address for which a request is meant, in lower case and without a port; nothing in a request of HTTP/1.0 that
 * names none. The target in absolute form takes the place of the header. Problem: `host_invalid`. Source: RFC 9112 §3.2.
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

/**
 * Whether a client may call by this host: by one of the names, or by the address at which its connection arrived. No foreign page
 * can lead a browser to the latter under a name of its own (DNS rebinding).
 */
function isKnownHost(host: string, names: ReadonlySet<string>, { localAddress }: Socket): boolean {
  if (names.has(host)) return true
  if (localAddress === undefined) return false
  const address = ipaddr.process(localAddress)
  if (host === 'localhost') return address.range() === 'loopback'
  return isIP(host) !== 0 && ipaddr.process(host).toString() === address.toString()
}

/** A name as an operator sets it: without scheme and port. An IPv6 address stands without brackets. */
export function hostNameFault(name: string): string | undefined {
  const isName = isIPv6(name) || (!name.includes(':') && hostForm.test(name))
  return isName ? undefined : 'must contain names or addresses without scheme and port, such as muster.internal.'
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
  if (!isValid) refuse('host_invalid', { detail: 'Host must be a name or an address, and perhaps a port.' })
  return (ipv6 ?? name ?? '').toLowerCase()
}
