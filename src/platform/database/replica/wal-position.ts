import type { MonotonicClock } from '../freshness.ts'

/** A place in the write-ahead log, of PostgreSQL's type `pg_lsn`. Places of one history can be compared. */
export type WalPosition = bigint

/** Two hexadecimal numbers of 32 bits, such as `16/B374D848`. */
export function walPositionOf(text: string): WalPosition {
  const [, high = '', low = ''] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text) ?? []
  if (low === '') throw new TypeError(`No place in the log: ${text}`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function walTextOf(position: WalPosition): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase()
}

/** Where the log of the primary ended, and when. */
export interface PrimaryPositions {
  /** Called before the primary is asked; the result is called with its answer. */
  ask(): (position: WalPosition) => void
  /**
   * A server that has replayed the log up to `position` shows everything that was confirmed so many seconds ago, or earlier. Infinite where
   * nothing is known.
   */
  ageSecondsAt(position: WalPosition): number
  /** Of another history no place can be compared with these. */
  forget(): void
}

/**
 * Measures with the clock of this node alone, so that the clocks of the servers may differ, and by places in the log, so that a primary that
 * writes nothing makes no replica look late.
 */
export function createPrimaryPositions(now: MonotonicClock): PrimaryPositions {
  let known: { position: WalPosition; askedAtMs: number }[] = []
  return {
    ask() {
      const askedAtMs = now()
      return (position) => {
        // Nothing was written since: the same place proves the later time.
        if (known.at(-1)?.position === position) known.pop()
        known.push({ position, askedAtMs })
        if (known.length > knownMax) known.shift()
      }
    },
    ageSecondsAt(position) {
      const reached = known.findLast((one) => one.position <= position)
      return reached ? Math.max(0, now() - reached.askedAtMs) / 1_000 : Number.POSITIVE_INFINITY
    },
    forget() {
      known = []
    },
  }
}

/** At one a second a lag of ten minutes can still be named. */
const knownMax = 600
