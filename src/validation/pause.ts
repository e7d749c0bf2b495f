/** Waits. True when the pause is over, false as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((done) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      done(isOver)
    }
    const stop = () => end(false)
    const timer = setTimeout(() => end(true), ms)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
