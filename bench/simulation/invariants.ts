/** What must hold at every moment of a simulation. */
export const invariants = {
  lease: 'no answer lacks a change that was committed longer ago than the lease',
  look: 'no answer lacks a change that the node has read, or had to read',
  own: 'the next call on the node that made a change sees it',
  once: 'each node reads every change once, or begins anew',
  replica: 'nothing is read on a replica that lacks an older change than allowed',
  alive: 'a node that reaches the database caches',
} as const

export type Invariant = keyof typeof invariants

export interface Violation {
  readonly invariant: Invariant
  readonly atMs: number
  readonly detail: string
}

/** Counts the violations, and keeps the first ones. */
export interface Violations {
  add(invariant: Invariant, detail: string): void
  count(): number
  first(): readonly Violation[]
}

const keptMax = 20

export function createViolations(nowMs: () => number): Violations {
  const kept: Violation[] = []
  let count = 0
  return {
    add(invariant, detail) {
      count += 1
      if (kept.length < keptMax) kept.push({ invariant, atMs: Math.round(nowMs()), detail })
    },
    count: () => count,
    first: () => kept,
  }
}
