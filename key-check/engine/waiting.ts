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

export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/** Limits how much work runs in parallel. Other work waits in order of arrival, and is rejected if too much is waiting. */
export function createQueue(runningMax: number, waitingMax = Number.POSITIVE_INFINITY) {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    /** Rejects with `QueueFull`, or with the error of the work. */
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      if (running < runningMax) running += 1
      else if (waiting.length >= waitingMax) throw new QueueFull('The queue is full.')
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        // Hands the place to the next in line without freeing it.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}

/** The abort reason when no caller waits for a run any more. */
export const abandoned = new Error('No caller is waiting any more')

interface Run<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  callers: number
}

type Work<T> = (controller: AbortController) => Promise<T>

/** Coalesces identical work: all callers with the same key share one run. */
export function createSingleFlight<T>() {
  const runs = new Map<string, Run<T>>()

  function start(key: string, work: Work<T>): Run<T> {
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
    /**
     * Joins the run of that key, or starts it. If a caller's signal aborts, its promise rejects with the signal's reason and the run
     * continues for the others. When the last caller leaves, the run's controller aborts with `abandoned`. The work may also abort the
     * controller, for example at a deadline.
     */
    async run(key: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
      signal?.throwIfAborted()
      const run = runs.get(key) ?? start(key, work)
      run.callers += 1
      try {
        return await (signal ? abortable(run.result, signal) : run.result)
      } finally {
        run.callers -= 1
        // Remove it first, so that a new caller does not join an aborted run. A finished run is removed already.
        if (run.callers === 0 && remove(key, run)) run.controller.abort(abandoned)
      }
    },
    /** Aborts every run. Callers get the result of the aborted run. */
    abortAll(): void {
      for (const { controller } of runs.values()) controller.abort()
    },
  }
}
