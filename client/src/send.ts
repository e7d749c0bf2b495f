/**
 * One step on the way of a request: `fetch`, or something around it. The signal is passed beside the request, because a request that
 * was garbage-collected no longer passes on the signal that it was made with (nodejs/undici, `Request`).
 */
export type Send = (request: Request, init: SendInit) => Promise<Response>

export interface SendInit {
  /** Null for a call that cannot be aborted. */
  readonly signal: AbortSignal | null
}

/** RFC 9110 §9.2.1: the methods of the API that change nothing. */
export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Rejects when the signal aborts; what others wait for as well goes on. */
export async function unlessAborted<T>({ signal }: SendInit, work: Promise<T>): Promise<T> {
  if (!signal) return work
  signal.throwIfAborted()
  const { promise: aborted, stop } = abortOf(signal)
  try {
    return await Promise.race([work, aborted])
  } finally {
    stop()
  }
}

export async function pause(init: SendInit, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await unlessAborted(init, over).finally(() => clearTimeout(timer))
}

function abortOf(signal: AbortSignal): { promise: Promise<never>; stop: () => void } {
  let onAbort = () => {}
  const promise = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
  })
  return { promise, stop: () => signal.removeEventListener('abort', onAbort) }
}
