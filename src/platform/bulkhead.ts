/**
 * Limits how many tasks of one kind run at once, in all and per caller. Tasks over the limit wait or are rejected.
 * Waiting callers take turns, so one caller with many tasks delays another caller by at most one task.
 */
export interface Bulkhead {
  /** Runs the task when there is capacity. Rejects with the task's error, or with `CallerLimits.refusal` (default: `BulkheadFull`). */
  run<T>(task: () => Promise<T>, caller?: string): Promise<T>
  /** Like `run`, but returns the result synchronously if the task is synchronous and may run now. */
  start(task: () => unknown, caller?: string): unknown
  /** False if `run` would reject immediately. */
  hasCapacity(caller?: string): boolean
}

/** Limits per caller, and how tasks wait. */
export interface CallerLimits {
  /** Running tasks per caller. Default: `runningMax`. */
  readonly running?: number
  /** Waiting tasks per caller. Default: `waitingMax`. */
  readonly waiting?: number
  /** Rejects a task that has waited this long. Default: no limit. */
  readonly waitMs?: number
  /** Lower levels run first. Every fourth turn ignores levels and goes to the caller that has waited longest. */
  readonly levelOf?: (caller: string) => number
  /** Creates the error of a rejected task. `isCallerLimit`: the caller has reached its own limit. */
  readonly refusal?: (isCallerLimit: boolean) => Error
}

export class BulkheadFull extends Error {
  override readonly name = 'BulkheadFull'
}

export function createBulkhead(runningMax: number, waitingMax = 0, callerLimits: CallerLimits = {}): Bulkhead {
  const { running = runningMax, waiting = waitingMax, ...rest } = callerLimits
  const limits: Limits = {
    ...defaults,
    ...rest,
    runningMax,
    waitingMax,
    runningOfCaller: running,
    waitingOfCaller: waiting,
  }
  const state: State = { limits, groups: new Map(), queue: new Set(), running: 0, waiting: 0, turns: 0 }
  return {
    async run(task, caller = '') {
      const turn = enter(state, caller)
      if (turn) await turn
      try {
        return await task()
      } finally {
        leave(state, caller)
      }
    },
    start(task, caller = '') {
      const turn = enter(state, caller)
      return turn ? turn.then(() => runNow(state, caller, task)) : runNow(state, caller, task)
    },
    hasCapacity(caller = '') {
      const group = groupOf(state, caller)
      return canStart(state, group) || queueSlotFor(state, group) !== undefined
    },
  }
}

const defaults = { levelOf: () => 0, refusal: () => new BulkheadFull('Too many tasks are running or waiting.') }

interface Limits extends Required<Pick<CallerLimits, 'levelOf' | 'refusal'>>, Pick<CallerLimits, 'waitMs'> {
  readonly runningMax: number
  readonly waitingMax: number
  readonly runningOfCaller: number
  readonly waitingOfCaller: number
}

interface Waiter {
  start(): void
  refuse(): void
}

/** The tasks of one caller. */
interface Group {
  readonly caller: string
  running: number
  readonly waiting: Waiter[]
}

interface State {
  readonly limits: Limits
  readonly groups: Map<string, Group>
  /** Groups with waiting tasks. A group moves to the end when one of its tasks starts. */
  readonly queue: Set<Group>
  running: number
  waiting: number
  turns: number
}

/** Every nth turn ignores levels. Otherwise callers of the lowest level could starve all others. */
const turnsPerFairTurn = 4

function groupOf({ groups }: State, caller: string): Group {
  return groups.get(caller) ?? { caller, running: 0, waiting: [] }
}

function enter(state: State, caller: string): Promise<void> | undefined {
  const { runningOfCaller, waitingOfCaller, refusal } = state.limits
  const group = groupOf(state, caller)
  if (canStart(state, group)) return begin(state, group)
  const slot = queueSlotFor(state, group)
  const isCallerLimit = group.running + group.waiting.length >= runningOfCaller + waitingOfCaller
  if (slot === undefined) return Promise.reject(refusal(isCallerLimit))
  if (slot !== 'free') slot.waiting.at(-1)?.refuse()
  return wait(state, group)
}

function canStart(state: State, group: Group): boolean {
  return group.waiting.length === 0 && mayRun(state, group)
}

function mayRun({ running, limits }: State, group: Group): boolean {
  return running < limits.runningMax && group.running < limits.runningOfCaller
}

/**
 * Returns `free`, or the group whose newest task must leave the queue for the new one: the group of the highest level with most
 * waiting tasks. Returns undefined if the new task must be rejected.
 */
function queueSlotFor(state: State, group: Group): 'free' | Group | undefined {
  const { waitingMax, waitingOfCaller, levelOf } = state.limits
  if (group.waiting.length >= waitingOfCaller) return undefined
  if (state.waiting < waitingMax) return 'free'
  // Levels outweigh task counts, which stay far below a million.
  const rank = ({ caller, waiting }: Group, more = 0) => levelOf(caller) * 1_000_000 + waiting.length + more
  const [first, ...others] = state.queue
  const worst = first && others.reduce((worst, other) => (rank(other) > rank(worst) ? other : worst), first)
  return worst && rank(group, 1) < rank(worst) ? worst : undefined
}

function begin(state: State, group: Group): undefined {
  state.running += 1
  group.running += 1
  state.groups.set(group.caller, group)
}

function wait(state: State, group: Group): Promise<void> {
  const { waitMs, refusal } = state.limits
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      start() {
        clearTimeout(timeout)
        begin(state, group)
        remove(state, group, waiter)
        resolve()
      },
      refuse() {
        clearTimeout(timeout)
        remove(state, group, waiter)
        reject(refusal(false))
      },
    }
    const timeout = waitMs === undefined ? undefined : setTimeout(() => waiter.refuse(), waitMs)
    group.waiting.push(waiter)
    state.waiting += 1
    state.groups.set(group.caller, group)
    state.queue.add(group)
  })
}

function remove(state: State, group: Group, waiter: Waiter): void {
  group.waiting.splice(group.waiting.indexOf(waiter), 1)
  state.waiting -= 1
  if (group.waiting.length === 0) state.queue.delete(group)
  deleteIdle(state, group)
}

function deleteIdle({ groups }: State, group: Group): void {
  if (group.running + group.waiting.length === 0) groups.delete(group.caller)
}

/** Runs a task that has already been counted as running. */
function runNow(state: State, caller: string, task: () => unknown): unknown {
  let result: unknown
  try {
    result = task()
  } catch (error) {
    leave(state, caller)
    throw error
  }
  if (result instanceof Promise) return result.finally(() => leave(state, caller))
  leave(state, caller)
  return result
}

function leave(state: State, caller: string): void {
  const group = groupOf(state, caller)
  state.running -= 1
  group.running -= 1
  deleteIdle(state, group)
  if (state.waiting === 0) return
  for (let next = nextGroup(state); next; next = nextGroup(state)) {
    state.turns += 1
    state.queue.delete(next)
    state.queue.add(next)
    next.waiting[0]?.start()
  }
}

function nextGroup(state: State): Group | undefined {
  const { levelOf } = state.limits
  const [first, ...others] = [...state.queue].filter((group) => mayRun(state, group))
  if (!first || state.turns % turnsPerFairTurn === 0) return first
  return others.reduce((best, other) => (levelOf(other.caller) < levelOf(best.caller) ? other : best), first)
}
