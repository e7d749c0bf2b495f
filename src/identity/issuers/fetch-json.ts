import { Agent, request } from 'undici'
import { parseBoundedJson } from '../../platform/json-text.ts'

/** Far above any key set: an issuer publishes a handful of keys. */
const responseBytesMax = 65_536

const dispatcher = new Agent({ allowH2: false, pipelining: 1, maxHeaderSize: 16_384, connect: { timeout: 3_000 } })

/**
 * A JSON document of an issuer: status 200 only, no redirects (they could lead anywhere), no encodings (a decompression bomb), at most
 * 64 KiB, and at most 32 levels of JSON. Rejects with the reason, or when `signal` aborts.
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const { statusCode, headers, body } = await request(url, {
    dispatcher,
    signal,
    reset: true, // the next request is ten minutes away: a kept-alive connection would only keep the process running
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'muster/1' },
  })
  const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity'
  if (statusCode !== 200 || isEncoded) {
    body.on('error', () => undefined).destroy()
    throw new Error(isEncoded ? 'the response is encoded' : `the status is ${statusCode}`)
  }
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > responseBytesMax) throw new Error(`the response is longer than ${responseBytesMax} bytes`)
    parts.push(part)
  }
  return parseBoundedJson(Buffer.concat(parts).toString('utf8'))
}
