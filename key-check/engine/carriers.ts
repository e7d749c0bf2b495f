import { validateHeaderValue } from 'node:http'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { buildConnector, Pool } from 'undici'
import type { Limits } from './limits.ts'

export interface OutgoingCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal
  /** Called when the head of the answer has arrived. */
  readonly onHead: () => void
}

export interface IncomingAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Only the beginning was read, because the answer is longer than `answerBytesMax`. */
  readonly isCutOff?: true
}

/** The text of an answer, up to the limit. Reads no further. */
function bodyReader(bytesMax: number) {
  const chunks: Buffer[] = []
  let room = bytesMax
  return {
    /** Whether the limit is exceeded. */
    add(chunk: Buffer): boolean {
      chunks.push(chunk.subarray(0, room))
      room -= chunk.length
      return room < 0
    },
    end: () => ({ text: Buffer.concat(chunks).toString('utf8'), ...(room < 0 && { isCutOff: true as const }) }),
  }
}

/** The transport of calls: one HTTP/2 connection, or HTTP/1.1 connections with one call each. */
export interface Carrier {
  /** `full`: the next call must wait for another to finish. `ended`: no more calls can start. */
  state(): 'ready' | 'full' | 'ended'
  call(call: OutgoingCall): Promise<IncomingAnswer>
  /** Starts no more calls; calls in progress finish. */
  retire(): void
  destroy(): Promise<void>
}

/**
 * HTTP/1.1 connections with one call each. On a reused connection, a duplicate answer would be taken for the answer to the next credential.
 * `onEnd` runs when no more calls can start.
 */
export function http1Carrier(pool: Pool, limits: Limits, onEnd: () => void): Carrier {
  return {
    // The pool opens a connection for each call.
    state: () => 'ready',
    async call({ onHead, ...call }) {
      const { statusCode: status, headers, body } = await pool.request(call)
      onHead()
      const reader = bodyReader(limits.answerBytesMax)
      // Leaving the loop destroys the body, and so the connection.
      for await (const chunk of body) if (reader.add(chunk)) break
      return { status, headers: joined(headers), ...reader.end() }
    },
    retire() {
      onEnd()
      void pool.close()
    },
    async destroy() {
      onEnd()
      await pool.destroy()
    },
  }
}

export function http1Options(limits: Limits, connect: buildConnector.connector): Pool.Options {
  return {
    connections: limits.connectionsMax,
    pipelining: 0,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    connect,
  }
}

/** Joins repeated header lines. */
export function joined(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/**
 * Maximum number of parallel calls, all of which fail if the connection breaks. A server should allow 100 or more (RFC 9113 §6.5.2), and
 * announces its limit.
 */
const callsMax = 32

/** Our error codes, besides those of Node (`ERR_HTTP2_…`). */
export const http2Codes = {
  headersTimeout: 'HEADERS_TIMEOUT',
  bodyTimeout: 'BODY_TIMEOUT',
  cut: 'STREAM_CUT',
}

/**
 * One HTTP/2 connection with many parallel calls. Each answer names its call; an answer to no call closes the connection (RFC 9113 §5.1).
 */
export function http2Carrier(socket: TLSSocket, origin: string, limits: Limits): Carrier {
  const session = connect(origin, { createConnection: () => socket, settings: { enablePush: false } })
  let underWay = 0
  /** Node keeps the socket open until the server closes it too, which a server may never do. */
  const closeUnused = () => {
    if (underWay > 0) return
    session.destroy()
    socket.destroy()
  }
  const retire = () => {
    session.close()
    closeUnused()
  }
  // Each call in progress gets the error itself.
  session.on('error', () => undefined)
  session.on('goaway', retire)
  // Closes a connection that is idle for this long.
  session.setTimeout(limits.connectionAgeMs, retire)
  // The deadline of a running check keeps the process alive, not the connection.
  session.unref()

  return {
    state() {
      if (session.closed || session.destroyed) return 'ended'
      const room = Math.min(callsMax, session.remoteSettings.maxConcurrentStreams ?? callsMax)
      return underWay < Math.max(1, room) ? 'ready' : 'full'
    },
    async call(call) {
      underWay += 1
      try {
        return await answerOf(begin(session, call), limits, call.onHead)
      } finally {
        underWay -= 1
        if (session.closed || session.destroyed) closeUnused()
      }
    },
    retire,
    async destroy() {
      session.destroy()
      socket.destroy()
    },
  }
}

function begin(session: ClientHttp2Session, { method, path, headers, body, signal }: OutgoingCall): ClientHttp2Stream {
  // Node validates header values for HTTP/1.1 only.
  for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value)
  const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) }
  const stream = session.request(
    { ':method': method, ':path': path, ...headers, ...length },
    { endStream: body === null, signal },
  )
  if (body !== null) stream.end(body)
  return stream
}

function answerOf(stream: ClientHttp2Stream, limits: Limits, onHead: () => void): Promise<IncomingAnswer> {
  return new Promise((resolve, reject) => {
    const reader = bodyReader(limits.answerBytesMax)
    let isAnswered = false
    let head: Pick<IncomingAnswer, 'status' | 'headers'> | undefined
    const fail = (code: string) => {
      reject(Object.assign(new Error('The call over HTTP/2 failed'), { code }))
      stream.close(constants.NGHTTP2_CANCEL)
    }
    stream.setTimeout(limits.headersTimeoutMs, () => fail(head ? http2Codes.bodyTimeout : http2Codes.headersTimeout))
    stream.once('response', ({ ':status': status, ...headers }) => {
      head = { status: Number(status), headers: joined(headers) }
      onHead()
      stream.setTimeout(limits.bodyTimeoutMs)
    })
    stream.on('data', (chunk: Buffer) => {
      if (!head || isAnswered || !reader.add(chunk)) return
      isAnswered = true
      resolve({ ...head, ...reader.end() })
      stream.close(constants.NGHTTP2_CANCEL)
    })
    stream.once('end', () => {
      // Node also emits `end` when the connection breaks.
      if (!head || stream.rstCode !== constants.NGHTTP2_NO_ERROR) return
      isAnswered = true
      resolve({ ...head, ...reader.end() })
    })
    stream.once('error', reject)
    // The stream closed without `end` or `error`, for example because the server cancelled it.
    stream.once('close', () => {
      if (!isAnswered) fail(http2Codes.cut)
    })
  })
}
