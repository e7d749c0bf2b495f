/** Limits how much work runs in parallel. Other work waits in order of arrival, and is rejected if too much is waiting. */
interface Queue {
  /** Rejects with `QueueFull`, or with the error of the work. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

export function createQueue(runningMax: number, waitingMax = Number.POSITIVE_INFINITY): Queue {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(work) {
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
