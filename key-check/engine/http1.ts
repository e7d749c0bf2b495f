import type { buildConnector, Pool } from 'undici'
import { bodyReader, type Carrier } from './carrier.ts'
import type { Limits } from './limits.ts'

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
