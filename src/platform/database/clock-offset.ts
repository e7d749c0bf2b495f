import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

/** How far the clock of this node is ahead of that of the database. Tokens, sessions and limits depend on both. */
export interface ClockOffset {
  /** Asks the database for its time, and so whether it answers. Problems: `database_unavailable`. */
  measure(): Promise<void>
  /** As last measured; negative where this node is behind. */
  seconds(): number
  /** Whether it was more than a slow answer explains, and more than is good. */
  isFar(): boolean
}

/** Well below the tolerance between nodes, and above what a slow answer makes of equal clocks. */
const warningMs = 2_000

/** Measures once. Problems: `database_unavailable`. */
export async function measureClockOffset(
  database: { ping(): Promise<number> },
  { now, log }: { readonly now: Clock; readonly log: Logger },
): Promise<ClockOffset> {
  let offsetMs = 0
  let isFar = false

  async function measure(): Promise<void> {
    const askedAtMs = now()
    const databaseMs = await database.ping()
    const answeredAtMs = now()
    // The database took its time at some moment between the two.
    offsetMs = (askedAtMs + answeredAtMs) / 2 - databaseMs
    const wasFar = isFar
    isFar = Math.abs(offsetMs) - (answeredAtMs - askedAtMs) / 2 > warningMs
    const offset = { offsetSeconds: offsetMs / 1_000 }
    if (isFar && !wasFar) log.warn(offset, 'the clock of this node differs from that of the database: set both by NTP')
    if (!isFar && wasFar) log.info(offset, 'the clock of this node agrees with that of the database again')
  }

  await measure()
  return { measure, seconds: () => offsetMs / 1_000, isFar: () => isFar }
}
