import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import { createBulkhead } from '../../platform/bulkhead.ts'
import type { Clock } from '../../platform/clock.ts'
import { Problem } from '../../platform/problems.ts'
import type { Client } from '../sessions/client.ts'

/** The client for which a password is hashed. */
export interface HashingLane {
  /** The client has a session, a known device, or has passed a second factor. */
  readonly isKnown: boolean
  /** The client's widest network. Absent if client addresses are unknown. */
  readonly network?: string | undefined
}

export function hashingLane({ networks }: Pick<Client, 'networks'>, { isKnown = false } = {}): HashingLane {
  return { isKnown, network: networks.at(-1) }
}

/**
 * Queues password hashing: known clients first, then networks without recent failures, then the others. Within each
 * group, networks take turns, so that a flood from one network delays another network by one hash.
 */
export interface HashingQueue {
  /** Queues one hash. Problem: `overloaded` if the queue is full, or after `waitMs`. */
  run<Result>(lane: HashingLane, hash: () => Promise<Result>): Promise<Result>
  /**
   * Queues a whole attempt including its statements, so that a rejected attempt costs no statement. The attempt hashes
   * with `hash`.
   */
  runAttempt<Result>(lane: HashingLane, attempt: () => Promise<Result>): Promise<Result>
  /** Hashes within an attempt. */
  hash<Result>(work: () => Promise<Result>): Promise<Result>
  /** Records a wrong password of an unknown client. */
  failed(lane: HashingLane): void
  /** Whether the queue has room for this client. */
  hasPlace(lane: HashingLane): boolean
  /**
   * Rejects with `overloaded` after 250 ms to 1 s, to slow down clients that retry immediately and to spread the
   * responses to a burst. Rejects immediately if too many rejections are already delayed.
   */
  refuse(): Promise<never>
}

export interface HashingLimits {
  /** Parallel hashes. */
  readonly hashesAtOnce: number
  /** Further attempts in progress, which run their statements. */
  readonly attemptsBesideHashes: number
  readonly waitMs: number
  /** Maximum number of queued attempts. */
  readonly queueMax: number
  /** Maximum number of queued attempts per network: of known clients, and the same number of unknown ones. */
  readonly networkQueueMax: number
  /** Maximum number of delayed rejections. */
  readonly delayedRefusalsMax: number
}

/** Statements of an attempt take about as long as its hash. */
const attemptsBesideHashes = 3
/** A hash takes about 25 ms, so that a longer queue would only time out. */
const waitMs = 3_000
const queuePerHash = waitMs / 25

/**
 * Leaves one core for everything else: each hash takes 19 MiB and one of Node's four threads. `signInsPerMinute` is the
 * limit of one network.
 */
export function hashingLimits({ signInsPerMinute }: { readonly signInsPerMinute: number }): HashingLimits {
  const hashesAtOnce = Math.max(1, Math.min(4, availableParallelism() - 1))
  return {
    hashesAtOnce,
    attemptsBesideHashes,
    waitMs,
    queueMax: hashesAtOnce * queuePerHash,
    networkQueueMax: Math.max(4, signInsPerMinute),
    delayedRefusalsMax: 512,
  }
}

/**
 * How long a failure of a network counts: as long as the units of its bucket take to come back (sessions/buckets.ts).
 */
const failureMs = 300_000
const failingNetworksMax = 10_000

interface Failures {
  readonly count: number
  readonly endsAtMs: number
}

export function createHashingQueue(limits: HashingLimits, now: Clock): HashingQueue {
  const failing = new LRUCache<string, Failures>({ maxSize: failingNetworksMax, sizeCalculation: () => 1 })
  const hashes = createBulkhead(limits.hashesAtOnce, Number.POSITIVE_INFINITY)
  const line = createBulkhead(limits.hashesAtOnce + limits.attemptsBesideHashes, limits.queueMax, {
    waiting: limits.networkQueueMax,
    waitMs: limits.waitMs,
    // Each doubling of the failures lowers the priority by one level, so that a few typos in an office do not put it
    // behind a flood.
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
    hasPlace: (lane) => line.hasCapacity(keyOf(lane)),
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

/** A random delay spreads the retries over some seconds. */
function overloaded(): Problem {
  return new Problem('overloaded', { retryAfterSeconds: randomInt(1, 6) })
}
