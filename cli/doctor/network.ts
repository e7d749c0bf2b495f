import { connect, createServer, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { request } from 'undici'
import { type KnownProvider, knownProviders, type Phase } from '../../key-check/index.ts'
import type { Config } from '../../src/config.ts'
import type { IssuerEntry } from '../../src/identity/issuers/entries.ts'
import { fetchKeys } from '../../src/identity/issuers/open-issuers.ts'
import { addressRefused, addressRule, guardedLookup, readAddress } from '../../src/platform/addresses.ts'
import { type MailSettings, serverOf } from '../../src/platform/mail/settings.ts'
import { readTemplates } from '../../src/platform/mail/templates.ts'
import { openTransport } from '../../src/platform/mail/transport.ts'
import { type OutgoingProxy, type Proxies, proxyFor, routeText } from '../../src/platform/outgoing/proxies.ts'
import { openTunnel } from '../../src/platform/outgoing/tunnel.ts'
import { StartError } from '../../src/platform/start-error.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

/** Checks that every configured issuer publishes usable keys, all in parallel. */
export async function checkIssuers({ issuers, outgoingProxies }: Config): Promise<readonly CheckResult[]> {
  return Promise.all(issuers.map((entry) => checkIssuer(entry, outgoingProxies)))
}

async function checkIssuer(entry: IssuerEntry, proxies: Proxies): Promise<CheckResult> {
  const { ok, fail } = resultsOf('issuers')
  const { issuer, keys: source } = entry
  if (source.kind === 'none' || source.kind === 'inline') return ok(`${issuer}: its keys are in the settings.`)
  const route = routeText(proxies, new URL(source.url))
  try {
    const { length } = await fetchKeys(entry, source, { proxies, signal: AbortSignal.timeout(5_000) })
    return ok(`${issuer}: ${length} usable ${length === 1 ? 'key' : 'keys'}, fetched ${route}.`)
  } catch (error) {
    return fail(
      `${issuer}: could not fetch keys from ${source.url} ${route} (${reasonOf(error)}), so its tokens are rejected. Check its entry in MUSTER_ISSUERS and the network.`,
    )
  }
}

/** Only our own words and error codes: nothing that the issuer sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof SyntaxError) return 'the response is not JSON'
  if (error.name === 'TimeoutError') return 'timeout'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/** Checks that the templates are usable, and that the mail server is reachable and accepts the login. Sends nothing. */
export async function checkMailServer(settings: MailSettings): Promise<CheckResult> {
  const { ok, fail } = resultsOf('mail')
  try {
    readTemplates(settings.folder)
  } catch (error) {
    if (error instanceof StartError) return fail(error.message)
    throw error
  }
  const transport = await openTransport(settings)
  const fault = await transport.check()
  transport.close()
  const server = serverOf(settings)
  if (!fault) return ok(`${server} accepts mail. Send a test: muster mail test <address>`)
  return fail(`${server} does not accept mail (${fault.code}). Check MUSTER_SMTP_URL, MUSTER_SMTP_TLS and the network.`)
}

/** Checks that the service can listen on the configured address. A running Muster there is no problem. */
export async function checkPort({ host, port }: Config): Promise<CheckResult> {
  const { ok, fail } = resultsOf('port')
  const code = await listenFault(host, port)
  const place = `${host} port ${port}`
  if (code === undefined) return ok(port === 0 ? `The service will use any free port of ${host}.` : `${place} is free.`)
  if (code === 'EADDRINUSE') {
    if (await isMuster(host, port)) return ok(`Muster is running at ${place}.`)
    return fail(`Another program uses ${place}. Stop it, or set MUSTER_PORT.`)
  }
  if (code === 'EACCES') return fail(`This user cannot use ${place}. Set MUSTER_PORT to a port above 1023.`)
  return fail(`${host} is not an address of this machine (${code}). Set MUSTER_HOST.`)
}

async function listenFault(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  const fault = await new Promise<string | undefined>((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'unknown'))
    server.listen(port, host, () => done(undefined))
  })
  if (fault === undefined) await new Promise((done) => server.close(done))
  return fault
}

/** Recognizes Muster by the title of its OpenAPI document, because any program may answer a health check. */
async function isMuster(host: string, port: number): Promise<boolean> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const url = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/openapi.json`
  try {
    const { body, statusCode } = await request(url, { signal: AbortSignal.timeout(2_000) })
    const text = await body.text()
    return statusCode === 200 && text.includes('"title":"Muster"')
  } catch {
    return false
  }
}

/** Checks that the providers are reachable, all in parallel and without a key. */
export async function* checkProviders({ providers, outgoingProxies }: Config): AsyncGenerator<CheckResult, void, void> {
  const { ok, warn, fail } = resultsOf('providers')
  const known = new Map((await knownProviders()).map((provider) => [provider.id, provider]))
  if (!known.has(providers.defaultId))
    yield fail(`There is no provider ${providers.defaultId}. Set MUSTER_DEFAULT_PROVIDER to one of docs/providers.md.`)
  for (const id of providers.baseUrls.keys())
    if (!known.has(id)) yield warn(`The settings have an address for the provider ${id}, which does not exist.`)

  const reached = await Promise.all(
    [...known.values()].map((provider) => reach(provider, providers.baseUrls, outgoingProxies)),
  )
  const first = reached.find(({ id }) => id === providers.defaultId)
  if (first)
    yield first.fault === undefined
      ? ok(`${first.title} is reachable ${first.route}.`)
      : fail(unreachable([first], first))
  const others = reached.filter((one) => one !== first)
  // One result for all reachable providers, and one for each reason why others are not; each for one route.
  for (const route of new Set(others.map((one) => one.route))) {
    const sameRoute = others.filter((one) => one.route === route)
    for (const fault of new Set(sameRoute.map((one) => one.fault))) {
      const group = sameRoute.filter((one) => one.fault === fault)
      if (fault !== undefined) yield warn(unreachable(group, { route, fault }))
      else yield ok(`${group.length} of ${others.length} other providers are reachable ${route}.`)
    }
  }
}

interface Reached {
  readonly id: string
  readonly title: string
  readonly host: string
  /** `directly`, or through which proxy. */
  readonly route: string
  readonly fault: string | undefined
}

async function reach(
  { id, title, baseUrl }: KnownProvider,
  configured: ReadonlyMap<string, string>,
  proxies: Proxies,
): Promise<Reached> {
  const url = new URL(configured.get(id) ?? baseUrl)
  const fault = await reachFault(url, configured.has(id), proxyFor(proxies, url))
  return { id, title, host: url.host, route: routeText(proxies, url), fault }
}

function unreachable(group: readonly Reached[], { route, fault }: Pick<Reached, 'route' | 'fault'>): string {
  const names = group.map(({ title, host }) => `${title} (${host})`).join(', ')
  return `Not reachable ${route} (${fault}): ${names}. Check network, DNS, firewall and proxy.`
}

/** Node runs only four name lookups in parallel, so the last of many hosts waits for the others. */
const connectTimeoutMs = 10_000

/**
 * Opens a connection to the host of this URL, with TLS for https, and sends nothing. Returns the step that failed and its error code,
 * or undefined. Allows the same addresses as a key check.
 */
async function reachFault(
  url: URL,
  isConfigured: boolean,
  proxy: OutgoingProxy | undefined,
): Promise<string | undefined> {
  const { protocol, hostname, port } = url
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isAllowed = addressRule(hostname, isConfigured)
  if (readAddress(hostname) && !isAllowed(host)) return `connect: ${codeOf(addressRefused())}`
  if (proxy) return faultThrough(proxy, url)
  const isTls = protocol === 'https:'
  const target = { host, port: Number(port) || (isTls ? 443 : 80), lookup: guardedLookup(isAllowed) }
  const socket = isTls ? connectTls({ ...target, ...serverName(hostname) }) : connect(target)
  return connectFault(socket, isTls ? 'secureConnect' : 'connect', readAddress(hostname) ? 'connect' : 'dns')
}

async function faultThrough(proxy: OutgoingProxy, { protocol, hostname, port }: URL): Promise<string | undefined> {
  try {
    const socket = await openTunnel(proxy, { protocol, hostname, port }, connectTimeoutMs)
    if (protocol === 'https:')
      return await connectFault(connectTls({ socket, ...serverName(hostname) }), 'secureConnect', 'tls')
    socket.destroy()
    return undefined
  } catch (error) {
    return `proxy: ${codeOf(error)}`
  }
}

/** For TLS. An IP address is no server name. */
function serverName(hostname: string): { readonly servername?: string } {
  return readAddress(hostname) ? {} : { servername: hostname }
}

async function connectFault(socket: Socket, success: string, first: Phase): Promise<string | undefined> {
  let phase = first
  socket.on('lookup', (error) => {
    if (!error) phase = 'connect'
  })
  socket.once('connect', () => {
    phase = 'tls'
  })
  try {
    return await new Promise<string | undefined>((done) => {
      socket.setTimeout(connectTimeoutMs, () => done(`${phase}: timeout`))
      socket.once(success, () => done(undefined))
      socket.on('error', (error) => done(`${phase}: ${codeOf(error)}`))
    })
  } finally {
    socket.destroy()
  }
}

/** For a host with several addresses, Node reports one error per address. */
function codeOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error && 'code' in first ? String(first.code) : 'unknown'
}
