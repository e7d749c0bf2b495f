import { type Control, createControl } from './control.ts'

/** Checks under way. Callers with the same question share one flight. */
export interface Flights<T> {
  /**
   * Joins the flight of that name or starts it. A caller whose signal aborts leaves alone (the promise rejects with the
   * signal's reason); `start` gets a control that is aborted only when the last caller has left, and may abort it itself.
   */
  join(name: string, signal: AbortSignal | undefined, start: (control: Control) => Promise<T>): Promise<T>
  /** Aborts every flight; their callers get what the flights make of it. */
  stop(): void
}

/** The reason with which a flight is aborted when nobody waits for it any more. */
export const everybodyLeft = 'everybody left'

interface Flight<T> {
  readonly landing: Promise<T>
  readonly control: Control
  callers: number
  hasLanded: boolean
}

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>()

  function take(name: string, start: (control: Control) => Promise<T>): Flight<T> {
    const existing = flights.get(name)
    if (existing) return existing
    const control = createControl()
    const landing = start(control).finally(() => {
      flight.hasLanded = true
      remove(name, flight)
    })
    const flight: Flight<T> = { landing, control, callers: 0, hasLanded: false }
    flights.set(name, flight)
    return flight
  }

  function remove(name: string, flight: Flight<T>): void {
    if (flights.get(name) === flight) flights.delete(name)
  }

  function leave(name: string, flight: Flight<T>): void {
    flight.callers -= 1
    if (flight.callers > 0 || flight.hasLanded) return
    // Taken off the list first: a caller who comes now must not board a flight that is being aborted.
    remove(name, flight)
    flight.control.abort(everybodyLeft)
  }

  return {
    async join(name, signal, start) {
      signal?.throwIfAborted()
      const flight = take(name, start)
      flight.callers += 1
      const exit = signal && exitOf(signal)
      try {
        return await (exit ? Promise.race([flight.landing, exit.left]) : flight.landing)
      } finally {
        exit?.forget()
        leave(name, flight)
      }
    },
    stop() {
      for (const { control } of flights.values()) control.abort('stopped')
    },
  }
}

/** A promise that rejects when the signal aborts, and the way to stop listening. */
function exitOf(signal: AbortSignal): { left: Promise<never>; forget: () => void } {
  let forget = () => {}
  const left = new Promise<never>((_, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    forget = () => signal.removeEventListener('abort', leave)
  })
  return { left, forget }
}
