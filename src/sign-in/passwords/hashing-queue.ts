import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import { createBulkhead } from '../../platform/bulkhead.ts'
import type { Clock } from '../../platform/clock.ts'
import { Problem } from '../../platform/problems.ts'
import type { Client } from '../sessions/client.ts'

/** For whom a password is hashed. */
export interface HashingLane {
  /** The client has proved something: a session, a device of the account, a second factor. */
  readonly isKnown: boolean
  /** The widest network that is counted. Absent where the clients' addresses are not known. */
  readonly network?: string | undefined
}

export function hashingLane({ networks }: Pick<Client, 'networks'>, { isKnown = false } = {}): HashingLane {
  return { isKnown, network: networks.at(-1) }
}

/**
 * Hashes passwords in turn: known clients first, then networks without recent failures, then the others. Within these, networks take
 * turns, so a flood from one network delays another network by one hash.
 */
export interface HashingQueue {
  /** Hashes when it is the client's turn. Problem: `overloaded` when no place is free, or the turn does not come within `waitMs`. */
  run<Result>(lane: HashingLane, hash: () => Promise<Result>): Promise<Result>
  /** The same for a whole attempt, with its statements: an attempt that waits or is refused has cost none. It hashes by `hash`. */
  runAttempt<Result>(lane: HashingLane, attempt: () => Promise<Result>): Promise<Result>
  /** Hashes within an attempt. */
  hash<Result>(work: () => Promise<Result>): Promise<Result>
  /** Records that a client without a proof sent a wrong password. */
  failed(lane: HashingLane): void
  /** Whether `run` would not refuse at once. */
  hasPlace(lane: HashingLane): boolean
  /**
   * Problem: `overloaded`, after 250 ms to 1 s. This slows down clients that retry at once, and spreads the answers to requests that
   * arrived together. With too many held refusals, it refuses at once.
   */
  refuse(): Promise<never>
}

export interface HashingLimits {
  /** Hashes at the same time. */
  readonly hashesAtOnce: number
  /** Attempts in progress that do not hash yet, or any more. */
  readonly attemptsBesideHashes: number
  readonly waitMs: number
  /** Clients that may wait. */
  readonly queueMax: number
  /** Of these, known clients of one network, and as many others of it. */
  readonly networkQueueMax: number
  /** Refusals that are held at the same time. */
  readonly delayedRefusalsMax: number
}

/** Attempts that are in progress beside those that hash: their statements take about as long as a hash. */
const attemptsBeside = 3
/** More clients could wait but would not get a turn in time: a hash takes about 25 ms. */
const waitMs = 3_000
const queuePerHash = waitMs / 25

/**
 * Leaves one core for everything else: each hash takes 19 MiB and one of Node's four threads. `signInsPerMinute` is what one network may try.
 */
export function hashingLimits({ signInsPerMinute }: { readonly signInsPerMinute: number }): HashingLimits {
  const turns = Math.max(1, Math.min(4, availableParallelism() - 1))
  return {
    hashesAtOnce: turns,
    attemptsBesideHashes: attemptsBeside,
    waitMs,
    queueMax: turns * queuePerHash,
    networkQueueMax: Math.max(4, signInsPerMinute),
    delayedRefusalsMax: 512,
  }
}

/** Failures of a network count for as long as the units of its bucket take to come back (guessing/buckets.ts). */
const failureMs = 300_000
const failingNetworksMax = 10_000

interface Failures {
  readonly count: number
  readonly endsAtMs: number
}

export function createHashingQueue(limits: HashingLimits, now: Clock): HashingQueue {
  const failing = new LRUCache<string, Failures>({ max: failingNetworksMax })
  const hashes = createBulkhead(limits.hashesAtOnce, Number.POSITIVE_INFINITY)
  const line = createBulkhead(limits.hashesAtOnce + limits.attemptsBesideHashes, limits.queueMax, {
    waiting: limits.networkQueueMax,
    waitMs: limits.waitMs,
    // A network with twice the failures is one level later: a few typos in an office do not put it behind a flood.
    levelOf: (key) => (key.startsWith(known) ? -1 : 32 - Math.clz32(failuresOf(key).count)),
    refusal: overloaded,
  })
  let heldRefusals = 0

  function failuresOf(key: string): Failures {
    const found = failing.get(key)
    return found && now() < found.endsAtMs ? found : { count: 0, endsAtMs: now() + failureMs }
  }

  return {
    run: (lane, hash) => line.run(() => hashes.run(hash), keyOf(lane)),
    runAttempt: (lane, attempt) => line.run(attempt, keyOf(lane)),
    hash: (work) => hashes.run(work),
    failed(lane) {
      if (lane.isKnown || lane.network === undefined) return
      const { count, endsAtMs } = failuresOf(keyOf(lane))
      failing.set(keyOf(lane), { count: count + 1, endsAtMs })
    },
    hasPlace: (lane) => line.hasPlace(keyOf(lane)),
    async refuse() {
      if (heldRefusals < limits.delayedRefusalsMax) {
        heldRefusals += 1
        await new Promise((resolve) => setTimeout(resolve, randomInt(250, 1_000)))
        heldRefusals -= 1
      }
      throw overloaded()
    },
  }
}

const known = 'known '

function keyOf({ isKnown, network = '' }: HashingLane): string {
  return `${isKnown ? known : 'new '}${network}`
}

/** Spreads the next attempts over some seconds. */
function overloaded(): Problem {
  return new Problem('overloaded', { retryAfterSeconds: randomInt(1, 6) })
}
