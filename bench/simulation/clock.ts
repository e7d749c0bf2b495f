import type { Timers } from '../../src/platform/abortable.ts'

/** Time that passes from one event to the next, whatever happens in between. In milliseconds, from 0. */
export interface SimulatedClock extends Timers {
  now(): number
  /** Calls `work`, and goes on when everything that follows from it has happened, as `after` does; unless `work` returns false. */
  plan(inMs: number, work: () => unknown): void
  /** Plays all events up to a time. */
  runUntil(ms: number): Promise<void>
}

interface PlannedEvent {
  readonly atMs: number
  /** Of two events at one time the one that was planned first is the first. */
  readonly order: number
  readonly work: () => unknown
  isCancelled: boolean
}

export function createClock(): SimulatedClock {
  const queue = createQueue()
  let nowMs = 0
  let planned = 0

  function add(inMs: number, work: () => unknown): PlannedEvent {
    planned += 1
    const event = { atMs: nowMs + Math.max(0, inMs), order: planned, work, isCancelled: false }
    queue.add(event)
    return event
  }

  return {
    now: () => nowMs,
    after(ms, work) {
      const event = add(ms, () => {
        work()
      })
      return () => {
        event.isCancelled = true
      }
    },
    plan: (inMs, work) => void add(inMs, work),
    async runUntil(ms) {
      for (let event = queue.takeUntil(ms); event; event = queue.takeUntil(ms)) {
        if (event.isCancelled) continue
        nowMs = event.atMs
        // What is played uses promises only: all of them have settled before the next turn of the event loop.
        if (event.work() !== false) await new Promise(setImmediate)
      }
      nowMs = ms
    },
  }
}

/** Events in the order of their time: a binary heap. */
function createQueue() {
  const heap: PlannedEvent[] = []
  const isBefore = (one: PlannedEvent, other: PlannedEvent) =>
    one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)

  function up(event: PlannedEvent): void {
    let place = heap.length
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (!parent || isBefore(parent, event)) break
      heap[place] = parent
      place = above
    }
    heap[place] = event
  }

  function down(event: PlannedEvent): void {
    let place = 0
    for (;;) {
      const left = 2 * place + 1
      const [one, other] = [heap[left], heap[left + 1]]
      const below = one && other && isBefore(other, one) ? left + 1 : left
      const child = heap[below]
      if (!child || isBefore(event, child)) break
      heap[place] = child
      place = below
    }
    heap[place] = event
  }

  return {
    add: up,
    /** The next event that is due by then. */
    takeUntil(ms: number): PlannedEvent | undefined {
      const [first] = heap
      if (!first || first.atMs > ms) return undefined
      const last = heap.pop()
      if (last && last !== first) down(last)
      return first
    },
  }
}
