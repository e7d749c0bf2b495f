import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Problem } from '../../platform/problems.ts'

/** For whom a password is hashed. */
export type HashingLane =
  /** A client that has proved something: a session, a device of the account, a second factor. */
  | { readonly isKnown: true }
  /** Any other. `network` is the widest that is counted; absent where the clients' addresses are not known. */
  | { readonly isKnown: false; readonly network?: string | undefined }

/** The known wait for no one but each other; the others share what is left by network, so that a flood of one network fills only its own part. */
export interface HashingQueue {
  /** Runs the work when it is its turn. Problem: `overloaded`, where there is no place or the turn does not come in time. */
  run<Result>(lane: HashingLane, work: () => Promise<Result>): Promise<Result>
  /** Whether `run` would not refuse at once. It spares the statements before the hash. */
  hasPlace(lane: HashingLane): boolean
  /**
   * Problem: `overloaded`, after a quarter of a second to a second. A client that asks again at once thereby slows itself, and what came
   * together is not answered together. Where too many are held already, it is refused at once.
   */
  refuse(): Promise<never>
}

export interface HashingLimits {
  /** Hashes at the same time. */
  readonly turns: number
  /** Of these, of clients that are not known. */
  readonly freshTurns: number
  readonly waitMs: number
  /** Places to wait in. */
  readonly knownPlaces: number
  readonly freshPlaces: number
  readonly networkTurns: number
  readonly networkPlaces: number
  /** Refusals that are held at the same time. */
  readonly heldRefusals: number
}

/** One of `workers` processes. A core is left for everything else, and each hash takes 19 MiB and a thread of Node's pool of four. */
export function hashingLimits(workers: number): HashingLimits {
  const turns = Math.max(1, Math.min(4, Math.floor((availableParallelism() - 1) / workers)))
  return {
    turns,
    freshTurns: Math.max(1, turns - 1),
    waitMs: 1_000,
    knownPlaces: 32,
    freshPlaces: 64,
    networkTurns: 1,
    networkPlaces: 4,
    heldRefusals: 512,
  }
}

interface Waiter {
  start(): void
  refuse(): void
}

/** Those of one network that run and wait. */
interface Group {
  readonly network: string
  running: number
  readonly turns: number
  readonly places: number
  readonly waiting: Waiter[]
}

interface State {
  readonly limits: HashingLimits
  readonly known: Group
  /** In the order in which they are served: a network that was served goes to the end. */
  readonly networks: Map<string, Group>
  running: number
  /** Of these, of clients that are not known. */
  freshRunning: number
  heldRefusals: number
}

export function createHashingQueue(limits: HashingLimits): HashingQueue {
  const known: Group = { network: '', running: 0, turns: limits.turns, places: limits.knownPlaces, waiting: [] }
  const state: State = { limits, known, networks: new Map(), running: 0, freshRunning: 0, heldRefusals: 0 }
  return {
    async run(lane, work) {
      const group = groupOf(state, lane)
      await turnOf(state, group)
      try {
        return await work()
      } finally {
        end(state, group)
      }
    },
    hasPlace(lane) {
      const group = groupOf(state, lane)
      const hasPlace = hasTurn(state, group) || roomFor(state, group) !== undefined
      forgetIdle(state, group)
      return hasPlace
    },
    async refuse() {
      if (state.heldRefusals < limits.heldRefusals) {
        state.heldRefusals += 1
        await new Promise((resolve) => setTimeout(resolve, randomInt(250, 1_000)))
        state.heldRefusals -= 1
      }
      throw overloaded()
    },
  }
}

function groupOf({ limits, known, networks }: State, lane: HashingLane): Group {
  if (lane.isKnown) return known
  const network = lane.network ?? ''
  const found = networks.get(network)
  if (found) return found
  const group: Group =
    lane.network === undefined
      ? { network, running: 0, turns: limits.freshTurns, places: limits.freshPlaces, waiting: [] }
      : { network, running: 0, turns: limits.networkTurns, places: limits.networkPlaces, waiting: [] }
  networks.set(network, group)
  return group
}

function turnOf(state: State, group: Group): Promise<void> {
  if (hasTurn(state, group)) {
    begin(state, group)
    return Promise.resolve()
  }
  const room = roomFor(state, group)
  if (room === undefined) {
    forgetIdle(state, group)
    return Promise.reject(overloaded())
  }
  if (room !== 'free') room.waiting.pop()?.refuse()
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      group.waiting.splice(group.waiting.indexOf(waiter), 1)
      waiter.refuse()
    }, state.limits.waitMs)
    const waiter: Waiter = {
      start() {
        clearTimeout(late)
        begin(state, group)
        resolve()
      },
      refuse() {
        clearTimeout(late)
        forgetIdle(state, group)
        reject(overloaded())
      },
    }
    group.waiting.push(waiter)
  })
}

function mayStart({ limits, known, running, freshRunning }: State, group: Group): boolean {
  if (running >= limits.turns || group.running >= group.turns) return false
  return group === known || (freshRunning < limits.freshTurns && known.waiting.length === 0)
}

function hasTurn(state: State, group: Group): boolean {
  return group.waiting.length === 0 && mayStart(state, group)
}

/** A free place, or the group whose newest waiter leaves for the newcomer: that of the network with most waiters, so that the flood pays for the flood. */
function roomFor({ limits, known, networks }: State, group: Group): 'free' | Group | undefined {
  if (group.waiting.length >= group.places) return undefined
  if (group === known) return 'free'
  const groups = [...networks.values()]
  if (groups.reduce((sum, one) => sum + one.waiting.length, 0) < limits.freshPlaces) return 'free'
  const longest = groups.reduce((most, one) => (one.waiting.length > most.waiting.length ? one : most))
  return group.waiting.length + 1 < longest.waiting.length ? longest : undefined
}

function begin(state: State, group: Group): void {
  state.running += 1
  group.running += 1
  if (group !== state.known) state.freshRunning += 1
}

function end(state: State, group: Group): void {
  const { known, networks } = state
  state.running -= 1
  group.running -= 1
  if (group !== known) {
    state.freshRunning -= 1
    networks.delete(group.network)
    if (group.running + group.waiting.length > 0) networks.set(group.network, group)
  }
  for (let next = nextGroup(state); next; next = nextGroup(state)) next.waiting.shift()?.start()
}

function nextGroup(state: State): Group | undefined {
  const { known, networks } = state
  if (known.waiting.length > 0) return mayStart(state, known) ? known : undefined
  for (const group of networks.values()) if (group.waiting.length > 0 && mayStart(state, group)) return group
  return undefined
}

function forgetIdle({ known, networks }: State, group: Group): void {
  if (group !== known && group.running + group.waiting.length === 0) networks.delete(group.network)
}

/** Not all at the same moment again. */
function overloaded(): Problem {
  return new Problem('overloaded', { retryAfterSeconds: randomInt(1, 6) })
}
