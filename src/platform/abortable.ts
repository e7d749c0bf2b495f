/** How time passes. Code that waits takes it as a parameter where a simulation plays it (bench/simulation). */
export interface Timers {
  /** Calls `work` after so many milliseconds. The result cancels that. */
  after(ms: number, work: () => void): () => void
}

export const systemTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** The promise, or the signal's reason as soon as that aborts. What the promise does afterwards is ignored. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    const forget = () => signal.removeEventListener('abort', abort)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.finally(forget).then(resolve, reject)
  })
}

/** The promise, or a `TimeoutError` after so many milliseconds. What the promise does afterwards is ignored. */
export function inTime<T>(promise: Promise<T>, ms: number, timers = systemTimers): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(ms, () => reject(new DOMException('no result in time', 'TimeoutError')))
    promise.finally(cancel).then(resolve, reject)
  })
}

/** Waits. True when the time is over, false as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal, timers = systemTimers): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      cancel()
      signal.removeEventListener('abort', stop)
      resolve(isOver)
    }
    const stop = () => end(false)
    const cancel = timers.after(ms, () => end(true))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}
