import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

/** Difference between the clocks of this node and the database. Tokens, sessions and limits depend on both clocks. */
export interface ClockOffset {
  /** Reads the time of the database. Problem: `database_unavailable`. */
  measure(): Promise<void>
  /** The last measured offset. Negative if this node is behind the database. */
  seconds(): number
  /** True if the offset exceeds the warning limit by more than the measurement error. */
  isTooLarge(): boolean
}

/** Well below the tolerance between nodes, and above the usual measurement error. */
const warningMs = 2_000

/** Measures once before it resolves. Problem: `database_unavailable`. */
export async function measureClockOffset(
  database: { ping(): Promise<number> },
  { now, log }: { readonly now: Clock; readonly log: Logger },
): Promise<ClockOffset> {
  let offsetMs = 0
  let isTooLarge = false

  async function measure(): Promise<void> {
    const sentAtMs = now()
    const databaseMs = await database.ping()
    const receivedAtMs = now()
    // The database read its clock at some moment between the two.
    offsetMs = (sentAtMs + receivedAtMs) / 2 - databaseMs
    const wasTooLarge = isTooLarge
    isTooLarge = Math.abs(offsetMs) - (receivedAtMs - sentAtMs) / 2 > warningMs
    const offset = { offsetSeconds: offsetMs / 1_000 }
    if (isTooLarge && !wasTooLarge)
      log.warn(offset, 'the clocks of this node and the database differ: synchronize both with NTP')
    if (!isTooLarge && wasTooLarge) log.info(offset, 'the clocks of this node and the database agree again')
  }

  await measure()
  return { measure, seconds: () => offsetMs / 1_000, isTooLarge: () => isTooLarge }
}
