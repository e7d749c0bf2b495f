import type { Signal } from './control.ts'

/** Waits. True when the pause is over, false as soon as the signal aborts. */
export function pause(ms: number, signal: Signal): Promise<boolean> {
  if (signal.isAborted) return Promise.resolve(false)
  return new Promise((done) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      signal.wake = undefined
      done(isOver)
    }
    const timer = setTimeout(() => end(true), ms)
    signal.wake = () => end(false)
  })
}
