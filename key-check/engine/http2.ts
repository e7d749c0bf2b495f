import { validateHeaderValue } from 'node:http'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { bodyReader, type Carrier, type IncomingAnswer, type OutgoingCall } from './carrier.ts'
import { joined } from './http1.ts'
import type { Limits } from './limits.ts'

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
