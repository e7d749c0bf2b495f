/** What a simulation counts. */
export interface Tally {
  request(isHit: boolean): void
  failure(): void
  /** An answer, and how long ago the oldest change was committed that it lacks; 0 where it lacks none. */
  answer(ageMs: number): void
  /** So long after its commit a node knew of a change. */
  known(ageMs: number, count: number): void
  /** Forgets everything: what counts begins now. */
  begin(): void
  result(): Tallied
}

export interface Tallied {
  readonly requests: number
  readonly hitRate: number
  readonly failures: number
  readonly answers: number
  /** Answers that lacked a change, as a share, and how old the oldest was. */
  readonly staleShare: number
  readonly oldestMs: number
  /** How many changes the nodes have read, and how old they were. */
  readonly changesRead: number
  readonly knownAfterMs: { readonly p50: number; readonly p99: number; readonly max: number }
}

const agesMax = 200_000

export function createTally(): Tally {
  let counts = { requests: 0, hits: 0, failures: 0, answers: 0, stale: 0, oldestMs: 0, changesRead: 0 }
  let ages: number[] = []
  return {
    request(isHit) {
      counts.requests += 1
      if (isHit) counts.hits += 1
    },
    failure() {
      counts.failures += 1
    },
    answer(ageMs) {
      counts.answers += 1
      if (ageMs > 0) counts.stale += 1
      counts.oldestMs = Math.max(counts.oldestMs, ageMs)
    },
    known(ageMs, count) {
      counts.changesRead += count
      if (ages.length < agesMax) ages.push(ageMs)
      else ages[counts.changesRead % agesMax] = ageMs
    },
    begin() {
      counts = { requests: 0, hits: 0, failures: 0, answers: 0, stale: 0, oldestMs: 0, changesRead: 0 }
      ages = []
    },
    result() {
      const { requests, hits, failures, answers, stale, oldestMs, changesRead } = counts
      const sorted = ages.toSorted((one, other) => one - other)
      const at = (share: number) =>
        Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
      return {
        requests,
        hitRate: requests === 0 ? 0 : hits / requests,
        failures,
        answers,
        staleShare: answers === 0 ? 0 : stale / answers,
        oldestMs: Math.round(oldestMs),
        changesRead,
        knownAfterMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
      }
    },
  }
}
