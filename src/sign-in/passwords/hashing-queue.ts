import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { createBulkhead } from '../../platform/bulkhead.ts'
import { atMost } from '../../platform/cache-bounds.ts'
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
  const failing = new LRUCache<string, Failures>(atMost(failingNetworksMax))
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
        await sleep(randomInt(250, 1_000))
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

/**
 * Delays rejections of passwords until the slowest stored hash would have been compared. Otherwise the response time
 * would reveal which emails have an account (docs/decisions/passwords.md).
 */
export interface RefusalFloor {
  /** Call it before the comparisons. The returned function resolves when the rejection may be sent. */
  begin(comparisons: number): () => Promise<void>
}

interface RefusalFloorOptions {
  /** One stored hash per outdated scheme and cost. */
  readonly outdated: () => Promise<readonly OutdatedHash[]>
  /** Measures how many milliseconds a comparison with the hash takes, or with the decoy if it is absent. */
  readonly measureMs: (stored?: string) => Promise<number>
  readonly now: Clock
  readonly log: Pick<Logger, 'error'>
  readonly timing?: Timing
}

export interface OutdatedHash {
  readonly cost: string
  readonly stored: string
}

interface Timing {
  readonly monotonicMs: () => number
  readonly sleep: typeof sleep
  /** From 0 to 1. */
  readonly random: () => number
}

/** How long a floor is used before the stored hashes are read again. */
const floorLifeMs = 600_000
/** Samples per hash. The slowest of 5 approximates the 95th percentile. */
const samples = 5
/** The longest delay. Imported hashes that take longer reveal which emails have them. */
const floorMsMax = 3_000
/**
 * Factor on the slowest sample: 5 samples may miss the slowest case, and the rejection is recorded in the same time.
 */
const headroom = 1.25
/** Maximum random addition, as a fraction of the floor. It hides comparisons that take nearly as long as the floor. */
const jitter = 0.05
/** A rejection that takes longer than the floor raises the floor by this fraction, to cover a busy machine. */
const loadStep = 0.05
/** Each time the stored hashes are read, the raise shrinks to this fraction. */
const loadDecay = 0.5

/** By the global timer, which tests replace. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Without outdated hashes every comparison takes equally long, and no rejection is delayed. */
export function createRefusalFloor({
  outdated,
  measureMs,
  now,
  log,
  timing = { monotonicMs: () => performance.now(), sleep, random: Math.random },
}: RefusalFloorOptions): RefusalFloor {
  const measured = new Map<string, number>()
  let reading: Promise<number> | undefined
  let isMeasuring = false
  let known: { readonly floorMs: number; readonly atMs: number } | undefined
  let loadFactor = 1

  function measureInBackground(hashes: readonly Partial<OutdatedHash>[]): void {
    if (isMeasuring) return
    isMeasuring = true
    measure(hashes, measureMs, measured)
      .catch((err: unknown) => log.error({ err }, 'could not measure a password hash'))
      .finally(() => {
        isMeasuring = false
      })
  }

  /** Returns the longest delay while a scheme or cost is not measured yet. */
  async function read(): Promise<number> {
    const hashes = await outdated()
    const all: readonly Partial<OutdatedHash>[] = hashes.length === 0 ? [] : [{}, ...hashes]
    const unmeasured = all.filter(({ cost = '' }) => !measured.has(cost))
    if (unmeasured.length > 0) {
      measureInBackground(unmeasured)
      return floorMsMax
    }
    const slowestMs = Math.max(0, ...all.map(({ cost = '' }) => measured.get(cost) ?? 0))
    loadFactor = Math.max(1, loadFactor * loadDecay)
    known = { floorMs: slowestMs * headroom, atMs: now() }
    return known.floorMs
  }

  function current(): Promise<number> | number {
    if (known && now() - known.atMs < floorLifeMs) return known.floorMs
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    begin(comparisons) {
      const beganAtMs = timing.monotonicMs()
      return async () => {
        const floorMs = Math.min((await current()) * loadFactor, floorMsMax) * comparisons
        const waitMs = beganAtMs + floorMs * (1 + jitter * timing.random()) - timing.monotonicMs()
        if (waitMs > 0) await timing.sleep(waitMs)
        else if (floorMs > 0 && floorMs < floorMsMax * comparisons) loadFactor *= 1 + loadStep
      }
    },
  }
}

/** Stores the slowest comparison of each scheme and cost in `measured`. */
async function measure(
  hashes: readonly Partial<OutdatedHash>[],
  measureMs: RefusalFloorOptions['measureMs'],
  measured: Map<string, number>,
): Promise<void> {
  for (const { cost = '', stored } of hashes) {
    let slowestMs = 0
    for (let sample = 0; sample < samples && slowestMs < floorMsMax; sample += 1)
      slowestMs = Math.max(slowestMs, await measureMs(stored))
    measured.set(cost, slowestMs)
  }
}
