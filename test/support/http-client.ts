import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { checkAnswer } from './contract-check.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** Parsed, where the body is JSON. */
  readonly body: unknown
}

export interface Call {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Sent as it is. */
  readonly rawBody?: string | Buffer
}

/** Calls over HTTP. Every answer is checked against the contract. */
export interface HttpClient {
  get(path: string, call?: Call): Promise<Answer>
  post(path: string, call?: Call): Promise<Answer>
  call(method: string, path: string, call?: Call): Promise<Answer>
}

/** With `acceptsGzip` it asks for compressed answers, as browsers do, unless a call has its own `accept-encoding`, and decodes them. */
export function httpClient(url: string, { acceptsGzip = false } = {}): HttpClient {
  const call: HttpClient['call'] = async (method, path, { token, headers = {}, body, rawBody } = {}) => {
    const answer = await request(`${url}${path}`, {
      method: method as 'GET',
      headers: {
        ...(acceptsGzip && { 'accept-encoding': 'gzip' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(rawBody !== undefined && { body: rawBody }),
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    const isCompressed = acceptsGzip && answer.headers['content-encoding'] === 'gzip'
    const text = (isCompressed && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString()
    const isJson = /[/+]json\b/.test(String(answer.headers['content-type']))
    const received = {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
    checkAnswer(method, path, received)
    return received
  }
  return {
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, options) => call('POST', path, options),
  }
}
