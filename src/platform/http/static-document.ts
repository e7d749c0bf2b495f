import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addVary, chooseCoding, etagOf, matchesEtag } from './negotiation.ts'

/**
 * Content that is the same for every client. Loads it for the first request, and compresses it for the first request that prefers a
 * coding. Retries a failed load with the next request.
 */
interface StaticDocument {
  plain(): Promise<Representation>
  /** Undefined if the coding does not make the content smaller. */
  compressed(coding: Coding): Promise<Representation | undefined>
}

interface Representation {
  readonly bytes: Buffer
  /** Differs per coding, because a strong validator identifies bytes (RFC 9110 §8.8.3.3). */
  readonly etag: string
}

/** In order of preference. */
const codings = ['br', 'gzip'] as const

type Coding = (typeof codings)[number]

/** `load` returns text or bytes. */
export function staticDocument(load: () => string | Buffer | Promise<string | Buffer>): StaticDocument {
  const plain = cacheResult(async () => {
    const bytes = Buffer.from(await load())
    return { bytes, etag: etagOf(bytes) }
  })
  const compressedAs = (coding: Coding) =>
    cacheResult(async () => {
      const { bytes, etag } = await plain()
      const compressed = await compress[coding](bytes)
      return compressed.length < bytes.length ? { bytes: compressed, etag: etagOf(`${coding} ${etag}`) } : undefined
    })
  const representations = { br: compressedAs('br'), gzip: compressedAs('gzip') }
  return { plain, compressed: (coding) => representations[coding]() }
}

/** Calls `create` until it succeeds once, and caches the result. */
function cacheResult<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let cached: Promise<Value> | undefined
  return () => {
    cached ??= create().catch((error: unknown) => {
      cached = undefined
      throw error
    })
    return cached
  }
}

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)]

/** For a script of 4 MB, brotli quality 9 takes three times as long as 5 and saves only 4 %. The highest quality takes seconds. */
const compress: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => deflate(bytes),
}

/** Sends the document, or 304 if the client already has it. */
export async function sendDocument(
  document: StaticDocument,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { type, cacheControl }: { readonly type: string; readonly cacheControl: string },
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding'], codings)
  const compressed = coding && (await document.compressed(coding))
  const { bytes, etag } = compressed ?? (await document.plain())
  reply.headers({ 'cache-control': cacheControl, etag })
  addVary(reply, 'Accept-Encoding')
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (compressed) reply.header('content-encoding', coding)
  return reply.type(type).send(bytes)
}

export const jsonType = 'application/json; charset=utf-8'

/** A file from a build, such as a script. */
export interface BuiltFile {
  readonly type: string
  readonly document: StaticDocument
}

/** Derives the media type from the file extension. */
export function builtFile(name: string, read: () => Buffer | Promise<Buffer>): BuiltFile {
  return { type: mediaTypes[extname(name)] ?? 'application/octet-stream', document: staticDocument(read) }
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
