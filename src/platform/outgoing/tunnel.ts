import { Socket } from 'node:net'
import { buildConnector, Client } from 'undici'
import { errorCode } from '../error-code.ts'
import { type OutgoingProxy, type Proxies, portOf, proxyFor, type Target } from './proxies.ts'

/**
 * The proxy gave no connection, so nothing is known about the target. `code`: `PROXY_` with the status of the response, `TIMEOUT`, or the
 * error code of the connection to the proxy. Contains no credentials.
 */
class ProxyError extends Error {
  readonly code: string
  /** Host and port. */
  readonly proxy: string

  constructor({ name }: OutgoingProxy, reason: string) {
    super(`no connection through the proxy ${name}`)
    this.name = 'ProxyError'
    this.code = `PROXY_${reason}`
    this.proxy = name
  }
}

/** For the log: the proxy that gave no connection, and the reason. Empty for any other error. */
export function proxyFaultOf(error: unknown): { readonly proxy?: string; readonly proxyFault?: string } {
  return error instanceof ProxyError ? { proxy: error.proxy, proxyFault: error.code } : {}
}

/**
 * Opens a connection to the target with CONNECT (RFC 9110 §9.3.6), also for plain HTTP: what arrives through it is certainly from the
 * target, and an error of the proxy cannot be taken for an answer. Throws `ProxyError`.
 */
export async function openTunnel(proxy: OutgoingProxy, target: Target, timeoutMs: number): Promise<Socket> {
  const client = new Client(proxy.origin, { allowH2: false, connect: { timeout: timeoutMs }, maxHeaderSize: 16_384 })
  const timer = setTimeout(() => void client.destroy(new ProxyError(proxy, 'TIMEOUT')), timeoutMs)
  const authority = authorityOf(target)
  const { authorization } = proxy
  const headers = { host: authority, ...(authorization && { 'proxy-authorization': authorization.open() }) }
  try {
    const { statusCode, socket } = await client.connect({ path: authority, headers })
    if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket) return socket
    socket.on('error', () => undefined).destroy()
    throw new ProxyError(proxy, String(statusCode))
  } catch (error) {
    throw error instanceof ProxyError ? error : new ProxyError(proxy, reasonOf(error))
  } finally {
    clearTimeout(timer)
  }
}

function authorityOf(target: Target): string {
  const { hostname } = target
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname
  return `${host}:${portOf(target)}`
}

/** undici's own codes say nothing to an operator. */
function reasonOf(error: unknown): string {
  const code = errorCode(error) ?? 'FAILED'
  if (code.includes('TIMEOUT')) return 'TIMEOUT'
  return code.startsWith('UND_ERR') || code.startsWith('HPE_') ? 'FAILED' : code
}

interface ConnectorOptions {
  readonly timeoutMs: number
  /** Connects directly. Default: to any address. */
  readonly direct?: buildConnector.connector
  /** Checks the target before a proxy gets its name. Rejects if it is not allowed. */
  readonly check?: (target: Target) => Promise<void>
}

/** Connects to targets as `proxies` says, for undici. */
export function outgoingConnector(proxies: Proxies, options: ConnectorOptions): buildConnector.connector {
  const { timeoutMs, check = async () => undefined } = options
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false })
  const { direct = connect } = options
  return (target, done) => {
    const proxy = proxyFor(proxies, target)
    if (!proxy) return direct(target, done)
    const open = async () => {
      await check(target)
      // Less than the time of the caller, whose own deadline would hide that the proxy is the reason.
      return openTunnel(proxy, target, timeoutMs * 0.8)
    }
    open().then(
      (httpSocket) =>
        target.protocol === 'https:' ? connect({ ...target, httpSocket }, done) : done(null, httpSocket),
      (error: unknown) => done(error instanceof Error ? error : new Error('not connected', { cause: error }), null),
    )
  }
}
