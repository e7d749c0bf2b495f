import type { Logger } from 'pino'

/** Says once that a limit was reached, and again when that happens after a minute without. */
export interface LimitLog {
  reached(limit: string, max: number): void
  /** How often each limit was reached since the start. */
  counts(): ReadonlyMap<string, number>
}

const restMs = 60_000

export function createLimitLog(log: Logger, elapsedMs: () => number = () => performance.now()): LimitLog {
  const counts = new Map<string, number>()
  const lastMs = new Map<string, number>()
  return {
    reached(limit, max) {
      counts.set(limit, (counts.get(limit) ?? 0) + 1)
      const last = lastMs.get(limit)
      lastMs.set(limit, elapsedMs())
      if (last === undefined || elapsedMs() - last >= restMs) log.warn({ limit, max }, 'limit reached')
    },
    counts: () => counts,
  }
}
