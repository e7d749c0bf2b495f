import type { Send } from './send.ts'

interface Remembered {
  readonly etag: string
  readonly headers: Headers
  readonly body: string
}

const answersMax = 100

/**
 * Asks whether an answer has changed before it is sent again, and answers a 304 from memory. A tag is a hash of the answer, so that the
 * answer to one user is never that to another.
 */
export function withEtags(send: Send): Send {
  const answers = new Map<string, Remembered>()

  function remember(key: string, answer: Remembered): void {
    answers.delete(key)
    answers.set(key, answer)
    const [oldest] = answers.keys()
    if (answers.size > answersMax && oldest !== undefined) answers.delete(oldest)
  }

  return async (request, init) => {
    if (request.method !== 'GET' || request.headers.has('If-None-Match')) return send(request, init)
    const key = `${request.url} ${request.headers.get('Accept')}`
    const known = answers.get(key)
    if (known) request.headers.set('If-None-Match', known.etag)
    const response = await send(request, init)
    if (known && response.status === 304) {
      remember(key, known)
      return new Response(known.body, { headers: known.headers })
    }
    const etag = response.headers.get('ETag')
    if (response.status === 200 && etag !== null)
      remember(key, { etag, headers: response.headers, body: await response.clone().text() })
    return response
  }
}
