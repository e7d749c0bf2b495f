import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'

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

export interface Timing {
  readonly monotonicMs: () => number
  readonly sleep: (ms: number) => Promise<unknown>
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

/** Without outdated hashes every comparison takes equally long, and no rejection is delayed. */
export function createRefusalFloor({
  outdated,
  measureMs,
  now,
  log,
  timing = { monotonicMs: () => performance.now(), sleep: (ms) => setTimeout(ms), random: Math.random },
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
