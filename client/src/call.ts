import type { Operations, Problem } from './api.ts'
import { isProblemAnswer, UnexpectedAnswerError } from './problems.ts'
import type { Send } from './send.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Key = keyof Operations & string

/** The paths that have an operation with the method. */
type Path<M extends Method> = { [K in Key]: K extends `${M} ${infer P}` ? P : never }[Key]
type OperationOf<M extends Method, P extends string> = Operations[`${M} ${P}` & Key]

/** What every call takes beside the parameters and the body of its operation. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** `stream`: the body as it arrives, in place of the whole. */
  readonly parseAs?: 'stream'
}

/** `data` of a success, or `error`, the problem for which the service refused the call. */
export type CallAnswer<Data, Refusal extends Problem = Problem> =
  | { readonly data: Data; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: Refusal; readonly response: Response }

type Options<O extends { input: unknown }> = O['input'] & CallOptions
/** Left out where the operation needs nothing. */
type Arguments<O extends { input: unknown }, Given> = object extends O['input'] ? [options?: Given] : [options: Given]
type DataOf<O extends { data: unknown }, Given> = Given extends { readonly parseAs: 'stream' }
  ? Response['body']
  : O['data']

/** Calls the operation with this method at this path. */
export type Call<M extends Method> = <P extends Path<M>, Given extends Options<OperationOf<M, P>>>(
  path: P,
  ...options: Arguments<OperationOf<M, P>, Given>
) => Promise<CallAnswer<DataOf<OperationOf<M, P>, Given>, OperationOf<M, P>['problem']>>

export type Calls = { readonly [M in Method]: Call<M> }

/** Calls of the service at this address. What is neither a success nor a problem throws an `UnexpectedAnswerError`. */
export function callsTo(baseUrl: string, send: Send): Calls {
  const call =
    (method: Method) =>
    async (path: string, options: AnyOptions = {}) => {
      const { signal = null } = options
      const response = await send(requestOf(baseUrl, method, path, options), { signal })
      if (response.ok || response.status === 304) return { data: await dataOf(response, options), response }
      if (!isProblemAnswer(response)) throw new UnexpectedAnswerError(response)
      return { error: await response.json(), response }
    }
  // The types come from the contract, and the service's tests check that it follows the contract.
  return Object.fromEntries(methods.map((method) => [method, call(method)])) as unknown as Calls
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

interface AnyOptions extends CallOptions {
  readonly params?: {
    readonly path?: Readonly<Record<string, unknown>>
    readonly query?: Readonly<Record<string, unknown>>
    readonly header?: Readonly<Record<string, unknown>>
  }
  readonly body?: unknown
}

function requestOf(
  baseUrl: string,
  method: Method,
  path: string,
  { params = {}, body, ...options }: AnyOptions,
): Request {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params.path?.[name])))
  const query = new URLSearchParams(given(params.query)).toString()
  const headers = new Headers([...given(params.header), ...given(options.headers)])
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  return new Request(`${baseUrl.replace(/\/$/, '')}${filled}${query === '' ? '' : `?${query}`}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(options.signal && { signal: options.signal }),
  })
}

/** Without what is undefined. A list is sent as one entry for each value. */
function given(values: Readonly<Record<string, unknown>> = {}): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[name, String(one)]])),
  )
}

async function dataOf(response: Response, { parseAs }: CallOptions): Promise<unknown> {
  if (parseAs === 'stream') return response.body
  const text = await response.text()
  if (text === '') return undefined
  return response.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : text
}
