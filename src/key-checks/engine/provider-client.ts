import { randomUUID } from 'node:crypto'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import type { Pool } from 'undici'
import { abortable } from '../../platform/abortable.ts'
import { addressRule, guardedConnector, guardedLookup } from './addresses.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import type { TransportFailure } from './classify.ts'
import { type Credential, openCredential } from './credential.ts'
import type { Limits } from './limits.ts'
import {
  type Outcome,
  type Probe,
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
  undetermined,
} from './provider.ts'
import { readXml } from './xml.ts'

/** Connections, bulkhead and circuit breaker of one provider. A provider that hangs takes nothing from another. */
export interface ProviderClient {
  readonly breaker: CircuitBreaker
  readonly callsPerSecondMax: number
  readonly bulkFailuresMax: number
  /** Runs a check when the bulkhead has room. Where its queue is full, the outcome is `overloaded` at once. */
  run(check: () => Promise<Outcome>): Promise<Outcome>
  /** Makes one HTTP call. It does not throw for what the network or the provider does. */
  send(probe: Probe, credential: Credential, sending: Sending): Promise<ProviderAnswer | TransportFailure>
  close(): Promise<void>
}

export interface Sending {
  readonly signal: AbortSignal
  /** Added to the clock for signatures, after the provider refused its time. */
  readonly clockOffsetMs: number
  /** The call that is about to be made, without its headers and its body. */
  readonly onRequest?: (sent: SentRequest) => void
}

/** `path` may hold parts of the credential that are no secret. */
export interface SentRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
}

export interface ProviderClientOptions {
  readonly provider: Provider
  /** The address the operator configured in place of the built-in one. It may lie in a private network. */
  readonly baseUrl: string | undefined
  readonly limits: Limits
  /** The wall clock, milliseconds since 1970. */
  readonly now: () => number
  /** A steady clock, milliseconds. */
  readonly clock: () => number
}

export function openProviderClient({ provider, baseUrl, limits, now, clock }: ProviderClientOptions): ProviderClient {
  const addresses = openAddresses(provider, baseUrl, limits)
  const isWildcard = [...addresses.values()].some((address) => address.isWildcard)
  const callsPerSecondMax = limits.callsPerSecondMax ?? provider.callsPerSecondMax ?? 50
  const checks = bulkhead(limits.checksAtOnceMax, limits.checksWaitingMax)

  return {
    callsPerSecondMax,
    bulkFailuresMax: limits.bulkFailuresMax ?? provider.bulkFailuresMax ?? 200,
    breaker: createCircuitBreaker(limits, callsPerSecondMax / limits.workers, clock),
    async run(check) {
      try {
        // cockatiel 3.2.1 is not given a signal: a queued task that was aborted would not free its place in the queue.
        return await checks.execute(check)
      } catch (error) {
        if (error instanceof BulkheadRejectedError) return undetermined('overloaded', 1)
        throw error
      }
    },
    async send(probe, credential, { signal, clockOffsetMs, onRequest }) {
      try {
        const moment = { nowMs: now() + clockOffsetMs, nonce: randomUUID() }
        const made = probe.request(openCredential(credential), moment)
        onRequest?.({ method: methodOf(made), path: made.path })
        const response = await call(addresses, made, signal)
        // Plain was asked for, and chained encodings are a known way to exhaust a client: an encoded answer is never decoded.
        if ((response.headers['content-encoding'] ?? 'identity') !== 'identity')
          return failure('unexpected_answer', 'CONTENT_ENCODING')
        const { keyType, shape } = credential
        return { kind: 'answer', keyType, shape, nowMs: now(), body: parseBody(probe, response.text), ...response }
      } catch (error) {
        // The error itself stays here: undici puts bytes of the answer, and so perhaps an echo of the key, into some.
        const code = codeOf(error)
        const found = explain(code, signal)
        return isWildcard && code === 'ENOTFOUND' ? { ...found, isUnknownHost: true } : found
      }
    },
    close: async () => {
      await Promise.all([...addresses.values()].map((address) => address.close()))
    },
  }
}

/** One address of a provider: its connections, made with the first call, and what goes before the path of a request. */
interface Origin {
  readonly prefix: string
  pool(): Promise<Pool>
  close(): Promise<void>
}

/** Where calls go: one origin, or one for each label that stands for the `*` in the address. */
interface Address {
  readonly isWildcard: boolean
  origin(label: string | undefined): Origin
  /** The call is over. Labels are too many to keep connections to each. */
  release(origin: Origin): Promise<void>
  close(): Promise<void>
}

/** The base address has the name ''. A configured one has the further origins below it, at `/@<name>`. */
function openAddresses(
  { baseUrl: builtIn, origins = {} }: Provider,
  baseUrl: string | undefined,
  limits: Limits,
): ReadonlyMap<string, Address> {
  const configured = baseUrl?.replace(/\/$/, '')
  const further = Object.entries(origins).map(
    ([name, url]) =>
      [
        name,
        openAddress(configured === undefined ? url : `${configured}/@${name}`, configured !== undefined, limits),
      ] as const,
  )
  return new Map([['', openAddress(configured ?? builtIn, configured !== undefined, limits)], ...further])
}

function openAddress(url: string, isConfigured: boolean, limits: Limits): Address {
  if (isConfigured || !url.includes('*')) {
    const origin = openOrigin(url, isConfigured, limits)
    return { isWildcard: false, origin: () => origin, release: async () => {}, close: () => origin.close() }
  }
  return {
    isWildcard: true,
    origin(label = '') {
      if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) throw new Error('A label of a host is malformed')
      return openOrigin(url.replace('*', label), false, limits)
    },
    release: (origin) => origin.close(),
    close: async () => {},
  }
}

function openOrigin(url: string, isConfigured: boolean, limits: Limits): Origin {
  const base = new URL(url)
  let pool: Promise<Pool> | undefined
  return {
    prefix: base.pathname.replace(/\/$/, ''),
    pool() {
      // Its code comes from the disk: a load that failed, such as without a free descriptor, is tried again with the next call.
      pool ??= openPool(base, isConfigured, limits).catch((error: unknown) => {
        pool = undefined
        throw error
      })
      return pool
    },
    close: async () => (await pool)?.destroy(),
  }
}

/** Connections to one origin, and to no address that the rule refuses. undici, a quarter of all code, is loaded with the first call. */
async function openPool(base: URL, isConfigured: boolean, limits: Limits): Promise<Pool> {
  const { buildConnector, Pool } = await import('undici')
  const isAllowed = addressRule(base.hostname, isConfigured)
  const connect = buildConnector({ timeout: limits.connectTimeoutMs, lookup: guardedLookup(isAllowed) })
  return new Pool(base.origin, {
    connections: limits.connectionsMax,
    // A connection for each call: an answer that comes twice on a kept one would be taken for that of the next credential.
    pipelining: 0,
    allowH2: false,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: limits.answerBytesMax,
    maxHeaderSize: limits.headerBytesMax,
    connect: guardedConnector(connect, isAllowed),
  })
}

/** Redirects are not followed (they would carry the credential elsewhere), and cookies are not kept. */
async function call(addresses: ReadonlyMap<string, Address>, made: ProviderRequest, signal: AbortSignal) {
  const address = addresses.get(made.origin ?? '')
  if (!address) throw new Error(`The provider has no origin of the name ${made.origin}`)
  const origin = address.origin(made.label)
  try {
    return await send(origin, made, signal)
  } finally {
    await address.release(origin)
  }
}

async function send({ pool, prefix }: Origin, made: ProviderRequest, signal: AbortSignal) {
  const { body, type } = contentOf(made)
  const request = (await pool()).request({
    path: `${prefix}${made.path}`,
    method: methodOf(made),
    headers: { ...commonHeaders, ...(type !== undefined && { 'content-type': type }), ...made.headers },
    body,
    signal,
  })
  // undici acts on an abort only once it has a connection; a connection that is never made must not outlast the deadline.
  const response = await abortable(request, signal)
  return { status: response.statusCode, headers: flatten(response.headers), text: await response.body.text() }
}

function methodOf({ body, form }: ProviderRequest): SentRequest['method'] {
  return body === undefined && form === undefined ? 'GET' : 'POST'
}

function contentOf({ body, form }: ProviderRequest): { body: string | null; type?: string } {
  if (form) return { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' }
  return body === undefined ? { body: null } : { body, type: 'application/json' }
}

const commonHeaders = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'muster/1' }

function flatten(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

function parseBody({ answersXml }: Probe, text: string): unknown {
  const json = parseJson(text)
  return json === undefined && answersXml ? readXml(text) : json
}

/** undefined when it is not JSON. A byte order mark is allowed (RFC 8259 §8.1 lets a reader ignore it). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code)) return code
  // undici gives no code where the connection ends within an answer.
  return error instanceof Error && error.name === 'HTTPParserError' ? brokenOff : 'UNKNOWN'
}

function explain(code: string, signal: AbortSignal): TransportFailure {
  // Aborted at the deadline, or abandoned: then no caller is left to see the reason.
  if (signal.aborted) return failure('timeout', 'DEADLINE')
  if (timeouts.has(code)) return failure('timeout', code)
  if (transient.has(code)) return { ...failure('unreachable', code), isTransient: true }
  const isAnswer = code.startsWith('HPE_') || (code.startsWith('UND_ERR_') && code !== 'UND_ERR_INVALID_ARG')
  return failure(isAnswer ? 'unexpected_answer' : 'unreachable', code)
}

function failure(reason: TransportFailure['reason'], code: string): TransportFailure {
  return { kind: 'failure', reason, code, isTransient: false }
}

const timeouts: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

/** llhttp's code. */
const brokenOff = 'HPE_INVALID_EOF_STATE'

/** Failures to connect and broken connections, which one more try may get past. */
const transient: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  brokenOff,
])
