import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

import type { SimulatedAnswer } from './routes.ts'

/** Writes an answer with a fault. `answer` is the answer without the fault. */
type Fault = (response: ServerResponse, answer: SimulatedAnswer) => void

/** Every kind of fault. A token `simulate_<name>`, padded with `_` to 40 characters, selects one. */
export const faults = {
  // Time
  delay_headers: (response, answer) => later(response, 30_000, () => write(response, answer)),
  delay_body: (response, answer) => {
    head(response, answer)
    response.write(answer.body.slice(0, 10))
    later(response, 30_000, () => response.end(answer.body.slice(10)))
  },
  drip: (response, answer) => {
    head(response, answer)
    const timer = setInterval(() => response.write(' '), 100)
    response.on('close', () => clearInterval(timer))
  },

  // Connection
  reset_before_headers: (response) => reset(response),
  reset_after_headers: (response, answer) => {
    head(response, answer)
    response.flushHeaders()
    setImmediate(() => reset(response))
  },
  reset_mid_body: (response, answer) => {
    head(response, answer)
    response.write(answer.body.slice(0, 20), () => reset(response))
  },
  informational: (response) => {
    // Endless interim responses without a final one (RFC 9110 §15.2).
    const timer = setInterval(() => response.writeProcessing(), 5)
    response.on('close', () => clearInterval(timer))
  },
  header_flood: (response, answer) =>
    write(response, { ...answer, headers: { ...answer.headers, 'x-flood': 'x'.repeat(1_000_000) } }),
  endless_body: (response, answer) => {
    head(response, answer)
    const timer = setInterval(() => response.write(' '.repeat(65_536)), 1)
    response.on('close', () => clearInterval(timer))
  },
  huge_body: (response, answer) => write(response, { ...answer, body: ' '.repeat(1_000_000) + answer.body }),

  // Content
  truncated_json: (response, answer) => write(response, { ...answer, body: answer.body.slice(0, -5) }),
  empty_200: (response, answer) => write(response, { ...answer, status: 200, body: '' }),
  empty_204: (response, answer) => write(response, { ...answer, status: 204, body: '' }),
  json_null: (response, answer) => write(response, { ...answer, body: 'null' }),
  json_list: (response, answer) => write(response, { ...answer, body: '[]' }),
  gzip: (response, answer) => {
    response.writeHead(answer.status, { ...answer.headers, 'content-encoding': 'gzip' })
    response.end(gzipSync(answer.body))
  },
  nested_encoding: (response, answer) => {
    response.writeHead(answer.status, { ...answer.headers, 'content-encoding': Array(1_000).fill('gzip').join(', ') })
    response.end(gzipSync(answer.body))
  },
  html_200: (response) => write(response, page(200, 'Sign in to the network')),
  html_502: (response) => write(response, page(502, 'api.cloudflare.com | 502: Bad gateway')),
  html_520: (response) =>
    write(response, page(520, 'api.cloudflare.com | 520: Web server is returning an unknown error')),
  html_524: (response) => write(response, page(524, 'api.cloudflare.com | 524: A timeout occurred')),
  text_1015: (response) =>
    write(response, { status: 429, headers: { 'content-type': 'text/plain' }, body: 'error code: 1015' }),
  challenge: (response) => {
    const { status, headers, body } = page(403, 'Just a moment...')
    write(response, { status, headers: { ...headers, 'cf-mitigated': 'challenge' }, body })
  },
  redirect: (response, answer) =>
    write(response, {
      status: 301,
      headers: { ...answer.headers, location: 'http://127.0.0.1:9/elsewhere' },
      body: '',
    }),

  // Meaning
  success_false_200: rewritten((body) => ({ ...body, success: false }), 200),
  success_text: rewritten((body) => ({ ...body, success: 'true' })),
  missing_members: rewritten(({ success, errors }) => ({ success, errors })),
  extra_members: rewritten((body) => ({ ...body, result_info: null, messages: ['text'], future: { a: [1] } })),
  reversed_members: rewritten((body) => Object.fromEntries(Object.entries(body).reverse())),
  code_as_text: rewritten((body) => JSON.parse(JSON.stringify(body).replace(/"code":(\d+)/g, '"code":"$1"'))),
  status_revoked: rewritten((body) => ({ ...body, result: { id: '1', status: 'revoked' } })),

  // Rejections
  lock_out: refusal(403, 10502, 'Too many authentication failures. Please try again later.'),
  max_auth_failures: refusal(403, 9109, 'Max auth failures reached, please check your Authorization header.'),
  rate_limit_971: refusal(429, 971, 'Please wait and consider throttling your request speed'),
  rate_limit_10429: refusal(429, 10429, 'Rate limited. Please wait and consider throttling your request speed'),
  transient_10000: refusal(403, 10000, 'Authentication error'),
  transient_10001: refusal(403, 10001, 'Unable to authenticate request'),
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

/** The fault that the credential selects, if any. */
export function faultOf(credential: string): FaultName | undefined {
  const name = /^simulate_([a-z0-9_]*?)_*$/.exec(credential)?.[1] ?? ''
  return isFaultName(name) ? name : undefined
}

/** The token that selects a fault, in the form of an old user or account token. */
export function faultToken(name: FaultName): string {
  return `simulate_${name}`.padEnd(40, '_')
}

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faults, name)
}

export function write(response: ServerResponse, answer: SimulatedAnswer): void {
  head(response, answer)
  response.end(answer.status === 204 ? undefined : answer.body)
}

function head(response: ServerResponse, { status, headers }: SimulatedAnswer): void {
  response.writeHead(status, { ...headers })
}

function later(response: ServerResponse, ms: number, then: () => void): void {
  const timer = setTimeout(then, ms)
  response.on('close', () => clearTimeout(timer))
}

function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

function page(status: number, title: string): SimulatedAnswer {
  const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body></body></html>`
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body }
}

function rewritten(change: (body: Record<string, unknown>) => unknown, status?: number): Fault {
  return (response, answer) =>
    write(response, {
      ...answer,
      status: status ?? answer.status,
      body: JSON.stringify(change(JSON.parse(answer.body))),
    })
}

function refusal(status: number, code: number, message: string): Fault {
  return (response, answer) =>
    write(response, {
      status,
      headers: { ...answer.headers, ...(status === 429 && { 'retry-after': '7' }) },
      body: JSON.stringify({ success: false, errors: [{ code, message }], messages: [], result: null }),
    })
}
