import { networkFault, networkTest } from '../http/client-address.ts'
import { Secret } from '../secret.ts'
import type { SettingsReader } from '../settings.ts'

/** An HTTP proxy through which the service calls others. */
export interface OutgoingProxy {
  /** Host and port, such as `proxy.example:3128`. */
  readonly name: string
  /** `http://` or `https://` and the name: without credentials. */
  readonly origin: string
  /** Value of `Proxy-Authorization`. */
  readonly authorization: Secret | undefined
}

/** The proxies by the protocol of the target, and the targets that need none. */
export interface Proxies {
  readonly http: OutgoingProxy | undefined
  readonly https: OutgoingProxy | undefined
  readonly isExempt: (host: string, port: number) => boolean
}

/** The host of an outgoing call. A `URL` is one. */
export interface Target {
  readonly protocol: string
  /** IPv6 with or without brackets. */
  readonly hostname: string
  /** Empty for the port of the protocol. */
  readonly port: string
}

/** Reads MUSTER_OUTGOING_PROXY, or without it the variables that curl reads. */
export function readProxies(read: SettingsReader): Proxies {
  const own = read.secret(
    'MUSTER_OUTGOING_PROXY',
    'HTTP proxy for all outgoing calls except mail and the database: http://user:password@proxy.example:3128. Without it, HTTPS_PROXY and HTTP_PROXY apply; set it to nothing to use no proxy. NO_PROXY lists exceptions. See docs/deploying.md.',
    proxyFault,
  )
  const ofEveryTarget = own && proxyAt(own)
  const isReplaced = own !== undefined || read.isEmpty('MUSTER_OUTGOING_PROXY')
  const proxyOf = (name: string) => (isReplaced ? ofEveryTarget : readVariable(read, name))
  return {
    http: proxyOf('HTTP_PROXY'),
    https: proxyOf('HTTPS_PROXY'),
    isExempt: exemptionTest(read.lookup('no_proxy') ?? read.lookup('NO_PROXY') ?? ''),
  }
}

/** The name in lower case wins, as in curl. */
function readVariable(read: SettingsReader, upperCase: string): OutgoingProxy | undefined {
  for (const name of [upperCase.toLowerCase(), upperCase]) {
    const value = read.lookup(name)
    if (value === undefined) continue
    const fault = proxyFault(value)
    if (fault !== undefined) read.faults.push(`${name} ${fault}`)
    return proxyAt(new Secret(value))
  }
  return undefined
}

/** Never quotes the value, which may contain a password. */
function proxyFault(value: string): string | undefined {
  const url = urlOf(value)
  const isAddress = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  if (!isAddress) return 'must be the address of an HTTP proxy, such as http://proxy.example:3128.'
  return authorizationOf(url) === undefined
    ? 'has a user name or password with a % that is not percent-encoded: write %25.'
    : undefined
}

/** Undefined if the value has a fault, which is reported elsewhere. */
function proxyAt(value: Secret): OutgoingProxy | undefined {
  const url = urlOf(value.open())
  if (!url || proxyFault(value.open()) !== undefined) return undefined
  const name = `${url.hostname}:${portOf(url)}`
  const authorization = authorizationOf(url)
  return {
    name,
    origin: `${url.protocol}//${name}`,
    authorization: authorization ? new Secret(authorization) : undefined,
  }
}

/** curl takes an address without a scheme for one of `http`. */
function urlOf(value: string): URL | undefined {
  const text = value.includes('://') ? value : `http://${value}`
  return URL.canParse(text) ? new URL(text) : undefined
}

/** Empty without credentials. Undefined if they cannot be decoded. */
function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return ''
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(credentials).toString('base64')}`
  } catch {
    return undefined
  }
}

export function portOf({ protocol, port }: Pick<Target, 'protocol' | 'port'>): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/** Returns the proxy of a target, or undefined if it is called directly. */
export function proxyFor(proxies: Proxies, target: Target): OutgoingProxy | undefined {
  const proxy = target.protocol === 'https:' ? proxies.https : proxies.http
  return proxy && !proxies.isExempt(hostOf(target.hostname), portOf(target)) ? proxy : undefined
}

/** For reports: how calls to the target go. */
export function routeText(proxies: Proxies, target: Target): string {
  const proxy = proxyFor(proxies, target)
  return proxy ? `through the proxy ${proxy.name}` : 'directly'
}

/**
 * Reads NO_PROXY: names (with their subdomains), `.suffixes`, `*.subdomains`, `*`, addresses and networks, separated by commas or spaces.
 * All but networks may have a port.
 */
function exemptionTest(noProxy: string): Proxies['isExempt'] {
  const tests = noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(entryTest)
  return (host, port) => tests.some((test) => test(host, port))
}

function entryTest(entry: string): Proxies['isExempt'] {
  const [, name = entry, port] = /^(\[.+\]|[^:]+)(?::(\d+))?$/.exec(entry) ?? []
  const isHost = hostTest(hostOf(name))
  return (host, targetPort) => (port === undefined || Number(port) === targetPort) && isHost(host)
}

function hostTest(name: string): (host: string) => boolean {
  if (name === '*') return () => true
  if (networkFault(name) === undefined) return networkTest([name])
  const suffix = name.replace(/^\*?\.?/, '.')
  return name.startsWith('*') ? (host) => host.endsWith(suffix) : (host) => `.${host}`.endsWith(suffix)
}

/** Lower case, without the brackets of IPv6 and the dot at the end of a full name. A network may be `[fd00::]/8`. */
function hostOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\[(.*)\](\/\d+)?$/, '$1$2')
    .replace(/(.)\.$/, '$1')
}
