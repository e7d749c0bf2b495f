/** Limits how much of one kind of work runs at once. Work beyond the limit waits in order of arrival, or is refused where too much waits. */
export interface Queue {
  /** Rejects with `QueueFull`, or as the work does. */
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
      else if (waiting.length >= waitingMax) throw new QueueFull('No further work may wait.')
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        // The place goes to the next in line, without becoming free in between.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
