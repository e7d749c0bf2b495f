import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type JsonScan, scanJson } from '../json-text.ts'
import { Problem, refuse } from '../problems.ts'
import { createBodyMemory, type HoldMemory, largeBytes } from './body-memory.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of this request. Undefined if it has none. */
    incoming: IncomingBody | undefined
  }
  interface FastifyContextConfig {
    /** The handler gets the raw bytes. */
    takesBytes?: boolean
    /** Maximum number of members and list elements in the body. Default: `bodyItemsMax`. */
    bodyItemsMax?: number | undefined
  }
}

/** Default maximum of members and list elements. Far above any valid body of 16 KiB, so that usual mistakes get a precise error. */
export const bodyItemsMax = 1_000

/** How much of a body is received before the gate has accepted the request. */
const earlyBytesMax = 16_384

/**
 * Reads request bodies, which must be `application/json` in UTF-8. Checks size, depth and number of items while bytes arrive, and rejects
 * the body at the first byte over a limit. Treats an empty body as missing, whatever its Content-Type. Call the returned function for each
 * request with a body, when the request begins.
 * Problems: `body_too_large`, `overloaded`, `content_type_unsupported`, `body_malformed`, `input_invalid`.
 */
export function readBodies(
  app: FastifyInstance,
  cutOff: CutOff,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const parse = jsonParser(app)
  const waitForParseTurn = createParseTurns()
  const shared = { holdMemory: createBodyMemory(), dropBody: createDropBody(cutOff), cutOff }
  app.decorateRequest('incoming', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const body = await request.incoming?.read()
    if (!body || body.bytes.length === 0) return undefined
    if (body.bytes.length > largeBytes) await waitForParseTurn()
    return body.scan ? parse(request, body.bytes, body.scan) : body.bytes
  })
  return (request, reply) => {
    request.incoming = receive(request, reply, shared)
  }
}

/** Answers, and closes the connection right after the response. */
type CutOff = (request: FastifyRequest, reply: FastifyReply) => void

interface IncomingBody {
  /** Returns the whole body once it has arrived. Rejects with the problem of the first exceeded limit. */
  read(): Promise<ReceivedBody>
  /** Discards the data that has arrived and that still arrives. */
  drop(): void
}

interface ReceivedBody {
  readonly bytes: Buffer
  /** Undefined if the operation gets raw bytes. */
  readonly scan: JsonScan | undefined
}

interface Reader {
  readonly scan: JsonScan | undefined
  readonly resolve: (body: ReceivedBody) => void
  readonly reject: (error: unknown) => void
}

/**
 * Receives a body from its first byte, and pauses after `earlyBytesMax` until `read` is called. Not left to Node, which keeps each unread
 * piece as a separate `Buffer`: 4 MiB in chunks of one byte would take more than a gigabyte.
 */
function receive(request: FastifyRequest, reply: FastifyReply, { holdMemory, dropBody, cutOff }: Shared): IncomingBody {
  const { raw } = request
  const { bodyLimit, config } = request.routeOptions
  const body = createBuffer(bodyLimit)
  const check = createChecks(request, reply, { bodyLimit, holdMemory })
  let state: 'arriving' | 'complete' | 'refused' | 'dropped' = 'arriving'
  let reader: Reader | undefined

  function receivePiece(piece: Buffer): void {
    if (state !== 'arriving') return
    const length = body.add(piece)
    if (reader) advance(reader)
    else if (length > earlyBytesMax) raw.pause()
  }

  function advance({ scan, resolve, reject }: Reader): void {
    try {
      check(body.bytes(), scan)
      if (state === 'complete') resolve({ bytes: body.bytes(), scan })
    } catch (error) {
      state = 'refused'
      body.clear()
      reject(error)
    }
  }

  function drop(): void {
    if (state === 'dropped' || raw.readableEnded || raw.socket.destroyed) return
    state = 'dropped'
    body.clear()
    dropBody(request, reply)
  }

  limitPieces(request, reply, cutOff)
  raw.on('data', receivePiece)
  raw.once('end', () => {
    if (state !== 'arriving') return
    state = 'complete'
    if (reader) advance(reader)
  })
  raw.once('error', (error) => reader?.reject(error))
  reply.raw.once('finish', drop) // the operation may not have read the body
  return {
    drop,
    read: () =>
      new Promise((resolve, reject) => {
        const scan = config.takesBytes ? undefined : scanJson(config.bodyItemsMax ?? bodyItemsMax)
        reader = { scan, resolve, reject }
        raw.resume()
        advance(reader)
      }),
  }
}

interface Shared {
  readonly holdMemory: HoldMemory
  readonly dropBody: DropBody
  readonly cutOff: CutOff
}

/** Parsing and validating 4 MiB takes up to 50 ms. Parses one large body per event loop iteration, so that other requests run in between. */
function createParseTurns(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => new Promise(setImmediate))
    return last
  }
}

/** A buffer that grows to `bytesMax`, or a little more with the last piece. */
function createBuffer(bytesMax: number) {
  let buffer = Buffer.alloc(0)
  let length = 0
  return {
    /** Returns the new length. */
    add(piece: Buffer): number {
      const needed = length + piece.length
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(bytesMax, 2 * buffer.length)))
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      piece.copy(buffer, length)
      length = needed
      return length
    },
    bytes: () => buffer.subarray(0, length),
    clear(): void {
      buffer = Buffer.alloc(0)
      length = 0
    },
  }
}

/** Throws the problem of the first exceeded limit. Uses the declared length and the bytes that have arrived. */
function createChecks(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  { bodyLimit, holdMemory }: { readonly bodyLimit: number; readonly holdMemory: HoldMemory },
) {
  const { headers } = request
  const declared = Number(headers['content-length'] ?? 0)
  let isHeld = false
  return (bytes: Buffer, scan: JsonScan | undefined): void => {
    const length = Math.max(bytes.length, declared)
    if (length > bodyLimit) refuse('body_too_large')
    if (length > 0) checkType(headers)
    const fault = scan?.read(bytes)
    if (fault) throw inputProblem([fault])
    if (length <= largeBytes || isHeld) return
    isHeld = true
    holdMemory({ caller: request.caller, address: request.client.address }, declared || bodyLimit, response)
  }
}

function checkType(headers: IncomingHttpHeaders): void {
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(headers['content-type'] ?? ''))
    refuse('content_type_unsupported', { detail: 'Send application/json in UTF-8.' })
  // RFC 9110 §8.4: an encoded body must not be read as plain. RFC 7694: the response names the accepted coding.
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    refuse('content_type_unsupported', {
      detail: 'Send the body without Content-Encoding.',
      headers: { 'accept-encoding': 'identity' },
    })
}

/** Parses a scanned body. Rejects members that poison prototypes. */
function jsonParser(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  return (request: FastifyRequest, bytes: Buffer, { ambiguities }: JsonScan): unknown => {
    let parsed: unknown
    parse(request, decode(utf8, bytes), (error, value) => {
      if (error) throw error
      parsed = value
    })
    if (ambiguities.length > 0) throw inputProblem(ambiguities)
    return parsed
  }
}

function decode(utf8: InstanceType<typeof TextDecoder>, bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    return refuse('body_malformed', { detail: 'The body is not UTF-8.', cause })
  }
}

function inputProblem(errors: JsonScan['ambiguities']): Problem {
  return new Problem('input_invalid', { errors, detail: 'See `errors` for every invalid value.' })
}

/** Rejects a body with more pieces than this and fewer bytes per piece than this: each piece costs 450 bytes and a microsecond. */
const piecesMax = 2_000
const pieceBytesMin = 16

/** Bytes to discard before the next body gets its turn. Enough to detect tiny pieces, which a paused stream would buffer. */
const turnBytes = 32_768
const waitingMax = 100

/** Rejects a body that arrives in thousands of tiny pieces and closes its connection. */
function limitPieces(request: FastifyRequest, reply: FastifyReply, cutOff: CutOff): void {
  const { raw } = request
  let pieces = 0
  let received = 0
  const count = (piece: Buffer) => {
    pieces += 1
    received += piece.length
    if (pieces <= piecesMax || received >= pieces * pieceBytesMin) return
    // Discard further data until the connection closes. Without a listener, the stream would buffer it.
    raw.removeAllListeners('data').on('data', () => undefined)
    cutOff(request, reply)
  }
  raw.on('data', count)
}

/**
 * Reads and discards the rest of a rejected or unneeded body, so that a client that is still sending gets the response (RFC 9112 §9.6).
 * Resumes one body per event loop iteration, so that other requests are answered in between.
 */
type DropBody = (request: FastifyRequest, reply: FastifyReply) => void

function createDropBody(cutOff: CutOff): DropBody {
  const waiting: IncomingMessage[] = []

  function resumeNext(): void {
    let body = waiting.shift()
    while (body?.destroyed) body = waiting.shift() // the client has disconnected
    body?.resume()
    if (waiting.length > 0) setImmediate(resumeNext)
  }

  function waitForTurn(body: IncomingMessage): void {
    body.pause()
    if (waiting.push(body) === 1) setImmediate(resumeNext)
  }

  return (request, reply) => {
    const { raw } = request
    let dropped = 0
    raw.on('data', (piece: Buffer) => {
      dropped += piece.length
      if (dropped < turnBytes) return
      dropped = 0
      if (waiting.length < waitingMax) waitForTurn(raw)
      else cutOff(request, reply)
    })
    raw.resume()
  }
}
