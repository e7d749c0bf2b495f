import type { Signal } from './control.ts'

/** Waits. True when the pause is over, false as soon as the signal aborts. */
export function pause(ms: number, signal: Signal): Promise<boolean> {
  return new Promise((done) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      signal.off('abort', stop)
      done(isOver)
    }
    const stop = () => end(false)
    const timer = setTimeout(() => end(true), ms)
    if (signal.aborted) return stop()
    signal.once('abort', stop)
  })
}
