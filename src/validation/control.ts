import { EventEmitter } from 'node:events'

/** Ends the calls of a check from outside: its deadline, or the last caller's leaving. */
export interface Control {
  readonly signal: Signal
  /** The first reason holds. */
  abort(reason: string): void
}

/** Emits `abort` once. */
export interface Signal extends EventEmitter {
  readonly aborted: boolean
  readonly reason: string | undefined
}

/** An emitter and not an AbortController: undici takes either, and the other costs a good tenth of the CPU of a check. */
export function createControl(): Control {
  const state: { aborted: boolean; reason: string | undefined } = { aborted: false, reason: undefined }
  const signal = Object.assign(new EventEmitter(), state)
  return {
    signal,
    abort(reason) {
      if (signal.aborted) return
      signal.aborted = true
      signal.reason = reason
      signal.emit('abort')
    },
  }
}
