import { Agent, request } from 'undici'
import { parseBoundedJson } from '../../platform/json-text.ts'
import type { Proxies } from '../../platform/outgoing/proxies.ts'
import { outgoingConnector } from '../../platform/outgoing/tunnel.ts'

/** Far above the size of any key set. */
const responseBytesMax = 65_536

const connectTimeoutMs = 3_000

/** How to fetch: through which proxies, and until when. */
export interface Fetching {
  readonly proxies: Proxies
  readonly signal: AbortSignal
}

/**
 * Fetches a JSON document of an issuer. Accepts only status 200, without redirects (they could lead anywhere) and
 * without content encoding (decompression bombs), at most 64 KiB and 32 levels of nesting. Rejects with the reason, or
 * when `signal` aborts.
 */
export async function fetchJson(url: URL, { proxies, signal }: Fetching): Promise<unknown> {
  const connect = outgoingConnector(proxies, { timeoutMs: connectTimeoutMs })
  const { statusCode, headers, body } = await request(url, {
    dispatcher: new Agent({ allowH2: false, pipelining: 1, maxHeaderSize: 16_384, connect }),
    signal,
    reset: true, // the next request is minutes away; an idle connection would only keep the process running
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
