/** Rejects with the signal's reason as soon as it aborts, and then ignores the promise. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    const forget = () => signal.removeEventListener('abort', abort)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.finally(forget).then(resolve, reject)
  })
}

/** Resolves to true after the time, or to false as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(isOver)
    }
    const stop = () => end(false)
    const timer = setTimeout(end, ms, true)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}
