import type { Logger } from 'pino'

/** Counts how often limits are reached. Logs the first time, and again after a minute without. */
export interface LimitLog {
  reached(limit: string, max: number): void
  /** How often each limit was reached since the process started. */
  counts(): ReadonlyMap<string, number>
}

const quietMs = 60_000

export function createLimitLog(log: Logger, elapsedMs: () => number = () => performance.now()): LimitLog {
  const counts = new Map<string, number>()
  const lastMs = new Map<string, number>()
  return {
    reached(limit, max) {
      counts.set(limit, (counts.get(limit) ?? 0) + 1)
      const last = lastMs.get(limit)
      lastMs.set(limit, elapsedMs())
      if (last === undefined || elapsedMs() - last >= quietMs) log.warn({ limit, max }, 'limit reached')
    },
    counts: () => counts,
  }
}
