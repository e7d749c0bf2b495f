import type { Dispatcher, Pool } from 'undici'

import type { Signal } from './control.ts'
import type { Credential } from './credential.ts'
import { openCredential } from './credential.ts'
import type { Limits } from './limits.ts'
import type { Step } from './provider.ts'

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
    send: async (step, credential, signal) => call(await opened(), prefix, step, credential, signal),
    close: async () => (await pool)?.destroy(),
  }
}

function call(pool: Pool, prefix: string, step: Step, credential: Credential, signal: Signal): Promise<Sent> {
  return new Promise((done) => {
    const reader = new Reader(signal, done)
    try {
      const { path, headers, body = null } = step.request(openCredential(credential))
      const options = { path: `${prefix}${path}`, method: body === null ? 'GET' : 'POST', body } as const
      pool.dispatch({ ...options, headers: Object.assign(body === null ? forGet() : forPost(), headers) }, reader)
    } catch (error) {
      reader.onResponseError(undefined, error)
    }
  })
}

const forGet = () => ({ accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'muster/1' })
const forPost = () => ({ ...forGet(), 'content-type': 'application/json' })

/**
 * Reads one answer as it arrives. undici's own `request` makes a stream of each body, which costs more than reading it; and an abort
 * that comes while there is no connection yet is heard here at once, and not first when connecting has timed out.
 */
class Reader implements Dispatcher.DispatchHandler {
  readonly #signal: Signal
  readonly #done: (sent: Sent) => void
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: AnswerHeaders = {}
  /** At most as many as `maxResponseSize` allows. */
  readonly #chunks: Buffer[] = []

  constructor(signal: Signal, done: (sent: Sent) => void) {
    this.#signal = signal
    this.#done = done
    if (signal.isAborted) this.#giveUp()
    else signal.wake = () => this.#giveUp()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Aborted while it waited for a connection: it is not sent.
    if (this.#signal.isAborted) this.#giveUp()
  }

  /** Also called for an interim answer (1xx), which the real one replaces. */
  onResponseStart(_: unknown, status: number, headers: NodeJS.Dict<string | string[]>): void {
    this.#status = status
    this.#headers = flatten(headers)
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    // Not asked for, and a chain of encodings is a known way to blow up a client: never decoded.
    const isPlain = (this.#headers['content-encoding'] ?? 'identity') === 'identity'
    const text = Buffer.concat(this.#chunks).toString()
    this.#settle(
      isPlain
        ? { kind: 'answer', status: this.#status, headers: this.#headers, text }
        : failure('unexpected_answer', 'CONTENT_ENCODING'),
    )
  }

  /** The error itself stays here: undici puts bytes of the answer, and so maybe an echo of the key, into some. */
  onResponseError(_: unknown, error: unknown): void {
    this.#settle(explain(codeOf(error), this.#signal))
  }

  #giveUp(): void {
    this.#settle(explain('', this.#signal))
    this.#controller?.abort(new Error('given up'))
  }

  #settle(sent: Sent): void {
    this.#signal.wake = undefined
    this.#done(sent)
  }
}

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
  if (signal.isAborted || timeouts.has(code)) return failure('timeout', signal.isAborted ? 'DEADLINE' : code)
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
