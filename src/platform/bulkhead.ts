/**
 * Bounds how much of one kind of work runs at once, and how much of that one caller can take. Tasks beyond the bound wait or are refused.
 * Callers that wait are served in turn, so one caller with many tasks delays another caller by one task at most.
 */
export interface Bulkhead {
  /** Runs the task when it is its turn. Rejects with the refusal of the share, by default `BulkheadFull`, or as the task does. */
  run<T>(task: () => Promise<T>, caller?: string): Promise<T>
  /** The same, but returns at once the result of a task that needs no promise and may run now. */
  start(task: () => unknown, caller?: string): unknown
  /** Whether `run` would start or wait, and not refuse at once. */
  hasPlace(caller?: string): boolean
}

/** What one caller can take, and how its tasks wait. */
export interface BulkheadShare {
  /** Tasks of one caller that run at once. Default: as many as may run in all. */
  readonly running?: number
  /** Tasks of one caller that wait. Default: as many as may wait in all. */
  readonly waiting?: number
  /** A task that has waited this long is refused. Default: no limit. */
  readonly waitMs?: number
  /** Callers of a lower level are served first, except that every fourth turn goes to the caller that has waited longest for one. */
  readonly levelOf?: (caller: string) => number
  /** The error of a refused task. `isOwnShare`: the caller has all of its share, whatever others take. */
  readonly refusal?: (isOwnShare: boolean) => Error
}

export class BulkheadFull extends Error {
  override readonly name = 'BulkheadFull'
}

export function createBulkhead(runningMax: number, waitingMax = 0, share: BulkheadShare = {}): Bulkhead {
  const { running = runningMax, waiting = waitingMax, ...rest } = share
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
      return turn ? turn.then(() => settle(state, caller, task)) : settle(state, caller, task)
    },
    hasPlace(caller = '') {
      const group = groupOf(state, caller)
      return isFree(state, group) || placeFor(state, group) !== undefined
    },
  }
}

const defaults = { levelOf: () => 0, refusal: () => new BulkheadFull('No further task may run or wait.') }

interface Limits extends Required<Pick<BulkheadShare, 'levelOf' | 'refusal'>>, Pick<BulkheadShare, 'waitMs'> {
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
  /** Groups with waiting tasks. A group that gets a turn goes to the end. */
  readonly queue: Set<Group>
  running: number
  waiting: number
  turns: number
}

/** One of this many turns ignores the levels. Otherwise callers of the lowest level could stop all others. */
const turnsByLevel = 4

function groupOf({ groups }: State, caller: string): Group {
  return groups.get(caller) ?? { caller, running: 0, waiting: [] }
}

function enter(state: State, caller: string): Promise<void> | undefined {
  const { runningOfCaller, waitingOfCaller, refusal } = state.limits
  const group = groupOf(state, caller)
  if (isFree(state, group)) return begin(state, group)
  const place = placeFor(state, group)
  const isOwnShare = group.running + group.waiting.length >= runningOfCaller + waitingOfCaller
  if (place === undefined) return Promise.reject(refusal(isOwnShare))
  if (place !== 'free') place.waiting.at(-1)?.refuse()
  return wait(state, group)
}

function isFree(state: State, group: Group): boolean {
  return group.waiting.length === 0 && mayRun(state, group)
}

function mayRun({ running, limits }: State, group: Group): boolean {
  return running < limits.runningMax && group.running < limits.runningOfCaller
}

/** `free`, or the group whose newest task leaves for the newcomer: of the highest level, and there the one with most tasks. */
function placeFor(state: State, group: Group): 'free' | Group | undefined {
  const { waitingMax, waitingOfCaller, levelOf } = state.limits
  if (group.waiting.length >= waitingOfCaller) return undefined
  if (state.waiting < waitingMax) return 'free'
  // There are never a million tasks.
  const rank = ({ caller, waiting }: Group, more = 0) => levelOf(caller) * 1_000_000 + waiting.length + more
  const [first, ...others] = state.queue
  const worst = first && others.reduce((found, one) => (rank(one) > rank(found) ? one : found), first)
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
        clearTimeout(late)
        begin(state, group)
        remove(state, group, waiter)
        resolve()
      },
      refuse() {
        clearTimeout(late)
        remove(state, group, waiter)
        reject(refusal(false))
      },
    }
    const late = waitMs === undefined ? undefined : setTimeout(() => waiter.refuse(), waitMs)
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
  forgetIdle(state, group)
}

function forgetIdle({ groups }: State, group: Group): void {
  if (group.running + group.waiting.length === 0) groups.delete(group.caller)
}

/** Runs a task that has its turn. */
function settle(state: State, caller: string, task: () => unknown): unknown {
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
  forgetIdle(state, group)
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
  if (!first || state.turns % turnsByLevel === 0) return first
  return others.reduce((best, one) => (levelOf(one.caller) < levelOf(best.caller) ? one : best), first)
}
