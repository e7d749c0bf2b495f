/** Bounds how much of one kind of work runs at once: so many tasks run, so many wait in their order, and one more is refused. */
export interface Bulkhead {
  /** Runs the task when there is room. Rejects with `BulkheadFull` at once where the queue is full, and otherwise as the task does. */
  run<T>(task: () => Promise<T>): Promise<T>
}

export class BulkheadFull extends Error {
  override readonly name = 'BulkheadFull'
}

export function createBulkhead(runningMax: number, waitingMax = 0): Bulkhead {
  const waiting: (() => void)[] = []
  let running = 0

  /** The place of a task that ends goes to the one that waits longest. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return {
    async run(task) {
      if (running < runningMax) running += 1
      else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve))
      else throw new BulkheadFull('No further task may run or wait.')
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
