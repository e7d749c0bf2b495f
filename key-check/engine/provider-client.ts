import { randomUUID } from 'node:crypto'
import type { Tunnel } from '../api.ts'
import type { AnsweredCall } from '../calls.ts'
import { type CircuitBreaker, createCircuitBreaker, createQueue, QueueFull } from './backpressure.ts'
import type { IncomingAnswer } from './carriers.ts'
import { brokenOff, explain, failure, type TransportFailure } from './classify.ts'
import { type Connections, type ConnectionsOptions, connectPhaseOf, openConnections, proxyOf } from './connections.ts'
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
import { boundsOf, type FailureBounds } from './shares.ts'
import { readXml } from './xml.ts'

/** Connections, queue and circuit breaker of one provider. Providers share nothing, so a slow one does not affect the others. */
export interface ProviderClient {
  readonly breaker: CircuitBreaker
  readonly callsPerSecondMax: number
  readonly failureBounds: FailureBounds
  /** Runs a check when the queue has room. Returns `overloaded` immediately if too many are waiting. */
  run(check: () => Promise<Outcome>): Promise<Outcome>
  /** Makes one HTTP call. Never throws because of the network or the provider. */
  send(probe: Probe, credential: Credential, sending: Sending): Promise<Sent>
  close(): Promise<void>
}

interface Sending {
  readonly signal: AbortSignal
  /** Added to the clock for signatures, after the provider rejected its time. */
  readonly clockOffsetMs: number
}

export interface Sent {
  /** Without its headers and body. Undefined if the request could not be made. */
  readonly request: AnsweredCall['request'] | undefined
  readonly answer: ProviderAnswer | TransportFailure
}

interface ProviderClientOptions {
  readonly provider: Provider
  /** The address configured by the operator in place of the built-in one. It may be in a private network. */
  readonly baseUrl: string | undefined
  readonly tunnel?: Tunnel | undefined
  readonly limits: Limits
  /** The wall clock, milliseconds since 1970. */
  readonly now: () => number
  /** A steady clock, milliseconds. */
  readonly clock: () => number
}

export function openProviderClient({
  provider,
  baseUrl,
  tunnel,
  limits,
  now,
  clock,
}: ProviderClientOptions): ProviderClient {
  const addresses = openAddresses(provider, baseUrl, { limits, tunnel })
  const isWildcard = [...addresses.values()].some((address) => address.isWildcard)
  const callsPerSecondMax = limits.callsPerSecondMax ?? provider.callsPerSecondMax ?? 50
  const { lockOut = defaultLockOut } = provider
  const checks = createQueue(limits.checksAtOnceMax, limits.checksWaitingMax)

  return {
    callsPerSecondMax,
    failureBounds: boundsOf(
      limits.lockOutFailures ?? lockOut.failures,
      limits.lockOutWindowMs ?? lockOut.windowSeconds * 1_000,
    ),
    breaker: createCircuitBreaker(limits, callsPerSecondMax, clock),
    async run(check) {
      try {
        return await checks.run(check)
      } catch (error) {
        if (error instanceof QueueFull) return undetermined('overloaded', 1)
        throw error
      }
    },
    async send(probe, credential, { signal, clockOffsetMs }) {
      let request: Sent['request']
      try {
        const made = probe.request(openCredential(credential), { nowMs: now() + clockOffsetMs, nonce: randomUUID() })
        request = { method: methodOf(made), path: made.path }
        const response = await call({ addresses, made, probe, signal })
        if ('kind' in response) return { request, answer: withUnknownHost(response, isWildcard) }
        const body = parseBody(response.text, { ...probe, ...response })
        const { keyType, shape } = credential
        return { request, answer: { kind: 'answer', keyType, shape, nowMs: now(), body, ...response } }
      } catch (error) {
        return { request, answer: explain(codeOf(error), signal) }
      }
    },
    close: async () => {
      await Promise.all([...addresses.values()].map((address) => address.close()))
    },
  }
}

/** A proxy says no more about an unknown host than that it is not reachable. */
function withUnknownHost(failure: TransportFailure, isWildcard: boolean): TransportFailure {
  return isWildcard && /^(?:ENOTFOUND|PROXY_5\d\d)$/.test(failure.code) ? { ...failure, isUnknownHost: true } : failure
}

/** A guess for providers that document none. */
const defaultLockOut = { failures: 200, windowSeconds: 300 }

interface ProviderCall {
  readonly addresses: ReadonlyMap<string, Address>
  readonly made: ProviderRequest
  readonly probe: Probe
  readonly signal: AbortSignal
}

async function call({ addresses, made, probe, signal }: ProviderCall): Promise<IncomingAnswer | TransportFailure> {
  const address = addresses.get(made.origin ?? '')
  if (!address) throw new Error(`The provider has no origin of the name ${made.origin}`)
  const origin = address.origin(made.label)
  const { body, type } = contentOf(made)
  const headers = { ...commonHeaders, ...(type !== undefined && { 'content-type': type }), ...made.headers }
  const { host } = address
  let hasHead = false
  const onHead = () => {
    hasHead = true
  }
  try {
    const answer = await origin.call({ method: methodOf(made), path: made.path, headers, body, signal, onHead })
    // We asked for an uncompressed answer and never decode any other, because chained encodings can exhaust a client.
    const isPlain = (answer.headers['content-encoding'] ?? 'identity') === 'identity'
    if (!isPlain) return { ...failure('unexpected_answer', 'CONTENT_ENCODING'), host, phase: 'headers' }
    const isTooLong = answer.isCutOff && !(probe.readsBeginning && answer.status === 200)
    return isTooLong ? { ...failure('unexpected_answer', 'ANSWER_TOO_LONG'), host, phase: 'body' } : answer
  } catch (error) {
    // Do not pass on the error: undici's may contain bytes of the answer, and so an echo of the key.
    const phase = connectPhaseOf(error) ?? (hasHead ? 'body' : signal.aborted ? undefined : 'headers')
    return { ...explain(codeOf(error), signal), host: proxyOf(error) ?? host, phase }
  } finally {
    await address.release(origin)
  }
}

function methodOf({ body, form }: ProviderRequest): AnsweredCall['request']['method'] {
  return body === undefined && form === undefined ? 'GET' : 'POST'
}

function contentOf({ body, form }: ProviderRequest): { body: string | null; type?: string } {
  if (form) return { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' }
  return body === undefined ? { body: null } : { body, type: 'application/json' }
}

const commonHeaders = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'muster/1' }

/** The first code of an error and its causes. For a host with several addresses, Node reports one error per address. */
function codeOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string' && /^[A-Z0-9_]{2,60}$/.test(error.code)) return error.code
  // undici sets no code if the connection ends within an answer.
  if (error.name === 'HTTPParserError') return brokenOff
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause, depth + 1)
}

/** The body of an answer as JSON, or as XML. What is complete of a body that was cut off. */
function parseBody(
  text: string,
  { answersXml, isCutOff }: { answersXml?: true | undefined; isCutOff?: true | undefined },
): unknown {
  const json = parseJson(isCutOff ? completed(text) : text)
  return json === undefined && answersXml ? readXml(text) : json
}

/** undefined if it is not JSON or is nested too deeply. Allows a byte order mark (RFC 8259 §8.1 lets a reader ignore it). */
export function parseJson(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    return undefined
  }
}

/** V8 needs 50 bytes or more per level. */
const jsonDepthMax = 32

function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isInString && character === '\\') at += 1
    else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > jsonDepthMax) return true
  }
  return false
}

/**
 * Completes the beginning of a JSON document, so that it can be parsed: every list and object that is open is closed. A value that is not
 * complete is left out, and so is an entry of a list. `{"zones":[{"id":1},{"id":` becomes `{"zones":[{"id":1}]}`.
 */
export function completed(beginning: string): string {
  const open: ('}' | ']')[] = []
  let kept = { end: 0, closing: '' }
  let isInString = false
  const keep = (end: number) => {
    // Not inside an entry of a list: half an entry could look like a whole one.
    if (open.lastIndexOf(']', -2) < 0) kept = { end, closing: open.toReversed().join('') }
  }
  for (let at = 0; at < beginning.length; at += 1) {
    const character = beginning[at]
    if (character === '"') isInString = !isInString
    else if (isInString && character === '\\') at += 1
    if (isInString) continue
    if (character === ',') keep(at)
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']')
      keep(at + 1)
    } else if (character === '}' || character === ']') {
      open.pop()
      keep(at + 1)
    }
  }
  return beginning.slice(0, kept.end) + kept.closing
}

/** The target of calls: one origin, or one per label that replaces the `*` in the address. */
export interface Address {
  readonly isWildcard: boolean
  /** With a port, and with `*` for a label. */
  readonly host: string
  origin(label: string | undefined): Connections
  /** Call after each request. A wildcard address has too many labels to keep connections open. */
  release(origin: Connections): Promise<void>
  close(): Promise<void>
}

/** The base address has the name ''. If it is configured, the other origins are below it at `/@<name>`. */
export function openAddresses(
  { baseUrl: builtIn, origins = {} }: Provider,
  baseUrl: string | undefined,
  options: ConnectionsOptions,
): ReadonlyMap<string, Address> {
  const configured = baseUrl?.replace(/\/$/, '')
  const further = Object.entries(origins).map(
    ([name, url]) =>
      [
        name,
        openAddress(configured === undefined ? url : `${configured}/@${name}`, configured !== undefined, options),
      ] as const,
  )
  return new Map([['', openAddress(configured ?? builtIn, configured !== undefined, options)], ...further])
}

function openAddress(url: string, isConfigured: boolean, options: ConnectionsOptions): Address {
  const { host } = new URL(url)
  if (isConfigured || !url.includes('*')) {
    const origin = openConnections(new URL(url), isConfigured, options)
    return { isWildcard: false, host, origin: () => origin, release: async () => {}, close: () => origin.close() }
  }
  return {
    isWildcard: true,
    host,
    origin(label = '') {
      if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) throw new Error('A label of a host is malformed')
      return openConnections(new URL(url.replace('*', label)), false, options)
    },
    release: (origin) => origin.close(),
    close: async () => {},
  }
}
