import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseCoding } from './accept.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { addVary } from './vary.ts'

/**
 * Content that is the same for every reader. It is loaded for its first reader, and compressed for the first one who prefers that coding;
 * no reader waits for a coding of others. What failed is tried again for the next reader.
 */
export interface StaticDocument {
  plain(): Promise<Representation>
  /** Nothing for content that the coding makes no smaller. */
  compressed(coding: Coding): Promise<Representation | undefined>
}

interface Representation {
  readonly bytes: Buffer
  /** Of its own for each coding: a strong validator names bytes (RFC 9110 §8.8.3.3). */
  readonly etag: string
}

/** The preferred one first. */
const codings = ['br', 'gzip'] as const

type Coding = (typeof codings)[number]

/** `load` gives the text, or the bytes of a file. */
export function staticDocument(load: () => string | Buffer | Promise<string | Buffer>): StaticDocument {
  const plain = keepOnce(async () => {
    const bytes = Buffer.from(await load())
    return { bytes, etag: etagOf(bytes) }
  })
  const compressedAs = (coding: Coding) =>
    keepOnce(async () => {
      const { bytes, etag } = await plain()
      const compressed = await compress[coding](bytes)
      return compressed.length < bytes.length ? { bytes: compressed, etag: etagOf(`${coding} ${etag}`) } : undefined
    })
  const made = { br: compressedAs('br'), gzip: compressedAs('gzip') }
  return { plain, compressed: (coding) => made[coding]() }
}

/** The result of the first call that succeeds. */
function keepOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)]

/** For a script of 4 MB, brotli's quality 9 takes three times as long as 5, and saves 4 %; the highest takes seconds. */
const compress: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => deflate(bytes),
}

/** Sends the document, or 304 to a reader who has it. */
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
