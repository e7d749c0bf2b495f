import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesGzip } from './accept.ts'
import { etagOf, isUnchanged } from './etag.ts'
import { addVary } from './vary.ts'

/** A text that is the same for every reader, in the forms in which it is sent: nothing is encoded or compressed for a request. */
export interface StaticDocument {
  readonly plain: Representation
  readonly gzip: Representation
}

interface Representation {
  readonly bytes: Buffer
  /** Of its own for each coding: a strong validator names bytes (RFC 9110 §8.8.3.3). */
  readonly etag: string
}

export async function staticDocument(text: string): Promise<StaticDocument> {
  const bytes = Buffer.from(text)
  const compressed = await promisify(gzip)(bytes)
  return {
    plain: { bytes, etag: etagOf(text) },
    gzip: { bytes: compressed, etag: etagOf(`gzip ${text}`) },
  }
}

/** Sends the document, or 304 to a reader who has it. */
export function sendDocument(
  document: StaticDocument,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { type, maxAgeSeconds }: { readonly type: string; readonly maxAgeSeconds: number },
): FastifyReply {
  const isCompressed = takesGzip(request.headers['accept-encoding'])
  const { bytes, etag } = isCompressed ? document.gzip : document.plain
  reply.headers({ 'cache-control': `public, max-age=${maxAgeSeconds}`, etag })
  addVary(reply, 'Accept-Encoding')
  if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (isCompressed) reply.header('content-encoding', 'gzip')
  return reply.type(type).send(bytes)
}

export const jsonType = 'application/json; charset=utf-8'
