/** What one process is to run, written to a file that `MUSTER_MUTATION_PLAN` names; it adds lines to `out`. */
export type Plan =
  | { readonly kind: 'without faults'; readonly out: string; readonly tests: readonly string[] }
  | { readonly kind: 'faults'; readonly out: string; readonly trials: readonly Trial[] }

/** A mutant, and the tests that reach it. */
export interface Trial {
  readonly id: number
  readonly source: string
  /** Evaluated while modules are loaded: they have to be loaded anew. */
  readonly isAtLoad: boolean
  readonly runs: readonly TrialRun[]
}

export interface TrialRun {
  readonly file: string
  /** The ids of the tests; all of the file's where it is absent. */
  readonly tests?: readonly string[]
  readonly costMs: number
  readonly timeoutMs: number
}

/** One test file without a fault. */
export interface FileReach {
  readonly file: string
  readonly ms: number
  /** Numbers that were reached outside of its tests: while its service starts and stops. */
  readonly around: readonly number[]
  readonly tests: readonly {
    readonly id: string
    readonly name: string
    readonly ms: number
    readonly reached: readonly number[]
  }[]
  /** By the constant that was being initialized, or 1 where no constant was. */
  readonly atLoad: readonly (readonly [top: number, reached: readonly number[]])[]
  /** The first failure. */
  readonly failure?: string
}

export type Line =
  | { readonly kind: 'reach'; readonly reach: FileReach }
  | { readonly kind: 'started'; readonly id: number }
  | {
      readonly kind: 'ended'
      readonly id: number
      readonly status: 'killed' | 'survived' | 'timeout'
      readonly file?: string
      readonly by?: string
      readonly ms: number
    }
