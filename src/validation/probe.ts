import type { Pool } from 'undici'

import type { Signal } from './control.ts'
import type { Credential } from './credential.ts'
import { openCredential } from './credential.ts'
import type { Limits } from './limits.ts'
import type { Step } from './outcome.ts'

/** What one call brought: an answer, or the reason why there is none. No error object and no text of one leaves here. */
export type Sent =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: AnswerHeaders; readonly text: string }
  | {
      readonly kind: 'failure'
      readonly reason: 'unreachable' | 'timeout' | 'unexpected_answer'
      /** The code of the error, for the log. */
      readonly code: string
      readonly isRetryable: boolean
    }

export type AnswerHeaders = Readonly<Record<string, string>>

export interface Probe {
  /** Makes one call. It never throws for what the network or the provider does. */
  send(step: Step, credential: Credential, signal: Signal): Promise<Sent>
  close(): Promise<void>
}

export interface ProbeOptions {
  readonly baseUrl: string
  /** The operator named this address, so it may lie in a private network. */
  readonly isConfigured: boolean
  readonly limits: Limits
}

/**
 * The only way out: one pool of connections to one origin. Redirects are not followed (they would carry the credential
 * elsewhere), cookies are not kept, and the address that was really connected to is checked against the rule.
 */
export function openProbe({ baseUrl, isConfigured, limits }: ProbeOptions): Probe {
  const base = new URL(baseUrl)
  let pool: Promise<Pool> | undefined
  // The client is a quarter of all code there is: it is loaded for the first call, not for the start.
  const opened = () => {
    pool ??= import('./guarded-pool.ts').then(({ openGuardedPool }) => openGuardedPool(base, isConfigured, limits))
    return pool
  }
  const prefix = base.pathname.replace(/\/$/, '')
  return {
    send: (step, credential, signal) =>
      untilAborted(
        opened().then((pool) => send(pool, prefix, step, credential, signal)),
        signal,
      ),
    close: async () => (await pool)?.destroy(),
  }
}

/**
 * undici hears of an abort only once it has a connection: without this, a call that waits for one would outlast its deadline by the
 * timeout of connecting. It is not sent afterwards, for then undici looks.
 */
async function untilAborted(sending: Promise<Sent>, signal: Signal): Promise<Sent> {
  let stop = () => {}
  const aborted = new Promise<Sent>((done) => {
    stop = () => done(explain('', signal))
    signal.once('abort', stop)
  })
  try {
    return await Promise.race([sending, aborted])
  } finally {
    signal.off('abort', stop)
  }
}

async function send(pool: Pool, prefix: string, step: Step, credential: Credential, signal: Signal): Promise<Sent> {
  try {
    const { path, headers, body } = step.request(openCredential(credential))
    const answer = await pool.request({
      path: `${prefix}${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...fixedHeaders, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body ?? null,
      signal,
    })
    const kept = flatten(answer.headers)
    // Read to its end, which `maxResponseSize` bounds: giving up on a body raises an error that nobody awaits.
    const text = await answer.body.text()
    // Not asked for, and a chain of encodings is a known way to blow up a client: never decoded.
    if ((kept['content-encoding'] ?? 'identity') !== 'identity') return failure('unexpected_answer', 'CONTENT_ENCODING')
    return { kind: 'answer', status: answer.statusCode, headers: kept, text }
  } catch (error) {
    // The error itself stays here: undici puts bytes of the answer, and so maybe an echo of the key, into some.
    return explain(codeOf(error), signal)
  }
}

const fixedHeaders = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'muster/1' }

function flatten(headers: NodeJS.Dict<string | string[]>): AnswerHeaders {
  const flat: Record<string, string> = {}
  for (const name in headers) flat[name] = String(headers[name] ?? '')
  return flat
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code) ? code : 'UNKNOWN'
}

function explain(code: string, signal: Signal): Sent {
  // Only the deadline and the last caller's leaving abort, and to a caller who left it does not matter which.
  if (signal.aborted || timeouts.has(code)) return failure('timeout', signal.aborted ? 'DEADLINE' : code)
  if (passing.has(code)) return { ...failure('unreachable', code), isRetryable: true }
  const isAnswer = code.startsWith('HPE_') || (code.startsWith('UND_ERR_') && code !== 'UND_ERR_INVALID_ARG')
  return failure(isAnswer ? 'unexpected_answer' : 'unreachable', code)
}

function failure(reason: 'unreachable' | 'timeout' | 'unexpected_answer', code: string) {
  return { kind: 'failure', reason, code, isRetryable: false } as const
}

const timeouts: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

/** Failures to connect and broken connections, which one more try may get past. */
const passing: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
])
