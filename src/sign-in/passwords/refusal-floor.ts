import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'

/**
 * Refused passwords are answered after the same time, whichever hash they were compared with: a refusal waits until the slowest hash of
 * the database would have been compared. Otherwise the time tells which addresses have an account (docs/decisions/passwords.md).
 */
export interface RefusalFloor {
  /** Called when so many comparisons begin. Its result resolves when their refusal may be answered. */
  begin(comparisons: number): () => Promise<void>
}

interface RefusalFloorOptions {
  /** One hash of each scheme and cost that is not that of new hashes. */
  readonly outdated: () => Promise<readonly OutdatedHash[]>
  /** Milliseconds in which a password is compared with the hash; without one with the decoy. */
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

/** An import, and the last sign-in with a slow hash, are noticed after so long. */
const floorLifeMs = 600_000
/** The slowest of so many stands for the 95th percentile. */
const samples = 5
/** No refusal waits longer. An operator who imports hashes that take longer shows which addresses have them. */
const floorMsMax = 3_000
/** The floor is so many times the slowest sample: five do not show the slowest, and the refusal is recorded in the same time. */
const headroom = 1.25
/** At most so much is added to the floor by chance. Less than the floor would show the comparisons that take nearly as long. */
const jitter = 0.05
/** A refusal that comes after the floor raises it by so much, until it covers what a busy machine takes. */
const loadStep = 0.05
/** With each look at the stored hashes, what was raised falls to so much. */
const loadDecay = 0.5

/** Without outdated hashes every comparison takes the same, and nothing waits. */
export function createRefusalFloor({
  outdated,
  measureMs: timeOf,
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
    measure(hashes, timeOf, measured)
      .catch((err: unknown) => log.error({ err }, 'the time of a password hash could not be measured'))
      .finally(() => {
        isMeasuring = false
      })
  }

  /** The longest, as long as a scheme or cost is not measured. */
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

/** Keeps the slowest comparison of each scheme and cost in `measured`. */
async function measure(
  hashes: readonly Partial<OutdatedHash>[],
  timeOf: RefusalFloorOptions['measureMs'],
  measured: Map<string, number>,
): Promise<void> {
  for (const { cost = '', stored } of hashes) {
    let slowestMs = 0
    for (let sample = 0; sample < samples && slowestMs < floorMsMax; sample += 1)
      slowestMs = Math.max(slowestMs, await timeOf(stored))
    measured.set(cost, slowestMs)
  }
}
