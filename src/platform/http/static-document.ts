import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseCoding } from './accept.ts'
import { etagOf, isUnchanged } from './etag.ts'
import { addVary } from './vary.ts'

/** Content that is the same for every reader, in the forms in which it is sent: nothing is encoded or compressed for a request. */
export interface StaticDocument {
  readonly plain: Representation
  /** The preferred one first; none for content that compression makes no smaller. */
  readonly codings: ReadonlyMap<'br' | 'gzip', Representation>
}

interface Representation {
  readonly bytes: Buffer
  /** Of its own for each coding: a strong validator names bytes (RFC 9110 §8.8.3.3). */
  readonly etag: string
}

/** Text, or the bytes of a file. */
export async function staticDocument(content: string | Buffer): Promise<StaticDocument> {
  const bytes = Buffer.from(content)
  const etag = etagOf(bytes)
  const compressed = [
    ['br', await promisify(brotliCompress)(bytes, { params: brotliParams })],
    ['gzip', await promisify(gzip)(bytes)],
  ] as const
  const codings = compressed
    .filter(([, encoded]) => encoded.length < bytes.length)
    .map(([coding, encoded]) => [coding, { bytes: encoded, etag: etagOf(`${coding} ${etag}`) }] as const)
  return { plain: { bytes, etag }, codings: new Map(codings) }
}

/** The highest quality takes seconds for a script of 4 MB, and saves some hundredths. */
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 9 }

/** Sends the document, or 304 to a reader who has it. */
export function sendDocument(
  { plain, codings }: StaticDocument,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { type, cacheControl }: { readonly type: string; readonly cacheControl: string },
): FastifyReply {
  const coding = chooseCoding(request.headers['accept-encoding'], [...codings.keys()])
  const { bytes, etag } = (coding && codings.get(coding)) ?? plain
  reply.headers({ 'cache-control': cacheControl, etag })
  addVary(reply, 'Accept-Encoding')
  if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (coding) reply.header('content-encoding', coding)
  return reply.type(type).send(bytes)
}

export const jsonType = 'application/json; charset=utf-8'
