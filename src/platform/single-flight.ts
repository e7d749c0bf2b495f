import { abortable } from './abortable.ts'

/** Coalesces identical work: while it runs, every caller with the same key waits for the one run. */
export interface SingleFlight<T> {
  /**
   * Waits for the run of that key, or starts it. A caller may abandon it by its own signal: the promise then rejects with that
   * signal's reason, and the run goes on for the others. The run's signal aborts when its last caller has abandoned it.
   */
  run(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Aborts the signal of every run. Callers get what the runs make of that. */
  abortAll(): void
}

interface Run<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  callers: number
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const runs = new Map<string, Run<T>>()

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Run<T> {
    const controller = new AbortController()
    const result = work(controller.signal).finally(() => remove(key, run))
    const run: Run<T> = { result, controller, callers: 0 }
    runs.set(key, run)
    return run
  }

  function remove(key: string, run: Run<T>): boolean {
    return runs.get(key) === run && runs.delete(key)
  }

  return {
    async run(key, work, signal) {
      signal?.throwIfAborted()
      const run = runs.get(key) ?? start(key, work)
      run.callers += 1
      try {
        return await (signal ? abortable(run.result, signal) : run.result)
      } finally {
        run.callers -= 1
        // Removed first: a caller who comes now must not join a run that is being aborted. A finished run is removed already.
        if (run.callers === 0 && remove(key, run)) run.controller.abort()
      }
    },
    abortAll() {
      for (const { controller } of runs.values()) controller.abort()
    },
  }
}
