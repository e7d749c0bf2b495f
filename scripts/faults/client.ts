import { type Dispatcher, request } from 'undici'

interface Reply {
  readonly status: number
  readonly text: string
  /** The code of a problem. */
  readonly code?: string | undefined
}

export interface Ask {
  readonly token?: string
  readonly method?: 'GET' | 'POST'
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly dispatcher?: Dispatcher
  readonly timeoutMs?: number
}

/** Rejects if the answer is incomplete. */
export async function ask(url: string, options: Ask = {}): Promise<Reply> {
  const { token, method = 'GET', body, headers, dispatcher, timeoutMs = 20_000 } = options
  const answer = await request(url, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(dispatcher && { dispatcher }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, text, code: codeOf(text) }
}

function codeOf(text: string): string | undefined {
  return /"code":"([a-z_]+)"/.exec(text)?.[1]
}

/** The status, or the reason why there is none. */
export function outcomeOf(url: string, options: Ask = {}): Promise<string> {
  return ask(url, options).then(
    ({ status, code }) => (code === undefined ? String(status) : `${status} ${code}`),
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )
}

/** `3 × 200, 1 × ECONNRESET` */
export function countsOf(outcomes: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', ')
}
