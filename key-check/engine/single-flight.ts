import { abortable } from './pause.ts'

/** Coalesces identical work: while it runs, every caller with the same key waits for the one run. */
export interface SingleFlight<T> {
  /**
   * Waits for the run of that key, or starts it. A caller may abandon it by its own signal: the promise then rejects with that
   * signal's reason, and the run goes on for the others. The run's controller aborts with `abandoned` when its last caller has
   * abandoned it; the work may abort it, too, such as at a deadline.
   */
  run(key: string, work: (controller: AbortController) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Aborts every run. Callers get what the runs make of that. */
  abortAll(): void
}

/** The reason with which a run is aborted when no caller waits for it any more. */
export const abandoned = new Error('No caller waits for this any more')

interface Run<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  callers: number
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const runs = new Map<string, Run<T>>()

  function start(key: string, work: (controller: AbortController) => Promise<T>): Run<T> {
    const controller = new AbortController()
    const result = work(controller).finally(() => remove(key, run))
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
        if (run.callers === 0 && remove(key, run)) run.controller.abort(abandoned)
      }
    },
    abortAll() {
      for (const { controller } of runs.values()) controller.abort()
    },
  }
}
