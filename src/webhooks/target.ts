import { promisify } from 'node:util'
import type { Dispatcher } from 'undici'
import { guardedConnector, guardedLookup, readAddress } from '../platform/addresses.ts'
import { errorCode } from '../platform/error-code.ts'
import { networkTest } from '../platform/http/client-address.ts'
import type { Proxies, Target } from '../platform/outgoing/proxies.ts'
import type { WebhookSettings } from './settings.ts'

const urlLengthMax = 2_048

/** Why an address is not allowed; undefined if it is. Resolved addresses are checked again on each connection. */
export function urlFault(text: string, settings: WebhookSettings): string | undefined {
  if (!URL.canParse(text)) return 'must be an address that starts with https://'
  if (text.length > urlLengthMax) return `must have at most ${urlLengthMax} characters`
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && settings.allowsLoopback && isLoopbackHost(url)))
    return 'must start with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hash !== '') return 'must not have a fragment'
  const isAllowed = addressTest(settings)
  if (readAddress(url.hostname) && !isAllowed(url.hostname)) return 'must not be an address of a private network'
  return undefined
}

function isLoopbackHost({ hostname }: URL): boolean {
  return hostname === 'localhost' || readAddress(hostname)?.range() === 'loopback'
}

function addressTest({ allowedNetworks, allowsLoopback }: WebhookSettings): (address: string) => boolean {
  const isListed = networkTest(allowedNetworks)
  return (address) => {
    const range = readAddress(address)?.range()
    return range === 'unicast' || (range === 'loopback' && allowsLoopback) || isListed(address.replace(/^\[|\]$/g, ''))
  }
}

/** One attempt, with the body and its signature. */
interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The result of an attempt: only the status, and the retry time. */
export type Answered =
  | { readonly status: number; readonly retryAfterSeconds: number | undefined }
  /** The name of the proxy, if it gave no connection. */
  | { readonly fault: string; readonly proxy?: string }

export interface Sending {
  send(message: Message): Promise<Answered>
  close(): Promise<void>
}

/** The time for the whole attempt: connecting, sending and reading the response headers. */
const timeoutMs = 15_000
const connectTimeoutMs = 5_000
const headerBytesMax = 16_384
/** Longer responses are cut off and their connections closed. */
const bodyBytesMax = 16_384

/** Connections to endpoints, and only to addresses that the settings allow. Does not follow redirects. */
export async function openSending(
  settings: WebhookSettings,
  { proxies, timeout = timeoutMs }: { readonly proxies: Proxies; readonly timeout?: number },
): Promise<Sending> {
  // Imported on demand: the command line only checks addresses and does not need undici, a quarter of all code.
  const { Agent, buildConnector, request } = await import('undici')
  const { outgoingConnector, proxyFaultOf } = await import('../platform/outgoing/tunnel.ts')
  const isAllowed = addressTest(settings)
  const lookup = guardedLookup(isAllowed)
  const direct = guardedConnector(buildConnector({ timeout: connectTimeoutMs, lookup }), isAllowed)
  const lookUp = promisify(lookup)
  // The proxy resolves the name again, so this protects only if the proxy rejects private addresses too.
  const check = async ({ hostname }: Target) => void (await lookUp(hostname.replace(/^\[(.*)\]$/, '$1'), { all: true }))
  const agent = new Agent({
    connect: outgoingConnector(proxies, { timeoutMs: connectTimeoutMs, direct, check }),
    connections: 8,
    maxHeaderSize: headerBytesMax,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
  return {
    async send({ url, headers, body }) {
      const signal = AbortSignal.timeout(timeout)
      try {
        // undici handles an abort only after connecting, so a connection that hangs needs this timeout.
        const answer = await Promise.race([
          request(url, { method: 'POST', headers, body, dispatcher: agent, signal }),
          abortOf(signal),
        ])
        await drain(answer.body, signal)
        return { status: answer.statusCode, retryAfterSeconds: secondsOf(answer.headers['retry-after']) }
      } catch (error) {
        const { proxy } = proxyFaultOf(error)
        return { fault: faultOf(error), ...(proxy !== undefined && { proxy }) }
      }
    },
    close: () => agent.destroy(),
  }
}

/** Rejects with the signal's reason when it aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

/** The status has decided. A response that is too long or breaks off changes nothing. */
async function drain(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<void> {
  await body.dump({ limit: bodyBytesMax, signal }).catch(() => undefined)
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function secondsOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000))
}

/** Its code, and never its text, because undici's errors may contain bytes of the response. */
function faultOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'TIMEOUT'
  return errorCode(error) ?? 'FAILED'
}
