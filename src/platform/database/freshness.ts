/** Proof that this node knows the changes of the database, and for how long it counts. */
export interface Freshness {
  /** Whether every change is known that was committed `proofSeconds` before the answer leaves, or earlier. One comparison. */
  isProven(): boolean
  /** Called when a look at the changes begins; the result is called when it has arrived. What was committed before the beginning is known then. */
  begin(): () => void
  /** Discards the proof. Looks that are already under way prove nothing any more. */
  withdraw(): void
  /** Since the last proof, or since the start where there has been none. */
  ageSeconds(): number
}

/** Milliseconds of a clock that is never set back, so that no correction of the time prolongs a proof. */
export type MonotonicClock = () => number

/** For the way from the look at a proof to the answer on the wire: a collection of garbage may be in it. */
const answerMs = 100

export function createFreshness(
  proofSeconds: number,
  now: MonotonicClock = performance.now.bind(performance),
): Freshness {
  let provenUntilMs = Number.NEGATIVE_INFINITY
  let lastProofMs = now()
  let withdrawals = 0

  return {
    isProven: () => now() < provenUntilMs,
    begin() {
      const beganAtMs = now()
      const withdrawnBefore = withdrawals
      return () => {
        if (withdrawals !== withdrawnBefore) return
        lastProofMs = beganAtMs
        provenUntilMs = beganAtMs + proofSeconds * 1_000 - answerMs
      }
    },
    withdraw() {
      withdrawals += 1
      provenUntilMs = Number.NEGATIVE_INFINITY
    },
    ageSeconds: () => (now() - lastProofMs) / 1_000,
  }
}
