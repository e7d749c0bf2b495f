import { pause, type Send, type SendInit } from './send.ts'

export interface RetryOptions {
  /** How often a request is sent, the first time included. */
  readonly attempts: number
  /** A longer `Retry-After` is not waited for: the refusal is the answer. */
  readonly waitMsMax: number
  readonly firstWaitMs: number
}

export const retryDefaults: RetryOptions = { attempts: 3, waitMsMax: 10_000, firstWaitMs: 250 }

/** Sends again what `mayRepeat`: after an answer that was lost, and after 429 and 503, not before their `Retry-After`. */
export function withRetries(send: Send, mayRepeat: (request: Request) => boolean, options: RetryOptions): Send {
  return async (request, init) => {
    if (!mayRepeat(request)) return send(request, init)
    for (let attempt = 1; attempt < options.attempts; attempt += 1) {
      const defaultWaitMs = options.firstWaitMs * 2 ** (attempt - 1)
      const response = await sent(send, request, init)
      const waitMs = response === undefined ? defaultWaitMs : waitAfter(response, defaultWaitMs)
      if (response && (waitMs === undefined || waitMs > options.waitMsMax)) return response
      await response?.body?.cancel()
      await pause(init, waitMs ?? defaultWaitMs)
    }
    return send(request, init)
  }
}

/** Nothing where the network failed. `fetch` throws a `TypeError` for that alone; a request that was aborted throws its reason. */
async function sent(send: Send, request: Request, init: SendInit): Promise<Response | undefined> {
  // Outside: an error of ours must not pass for a lost connection.
  const copy = request.clone()
  try {
    return await send(copy, init)
  } catch (error) {
    if (init.signal?.aborted || !(error instanceof TypeError)) throw error
    return undefined
  }
}

/** Nothing where the answer is not one to repeat the request for. */
function waitAfter({ status, headers }: Response, defaultWaitMs: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const retryAfter = headers.get('Retry-After')
  if (retryAfter === null) return defaultWaitMs
  const seconds = Number(retryAfter)
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(retryAfter) - Date.now()) : seconds * 1_000
}
