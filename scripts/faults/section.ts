import type { Stage } from './stage.ts'

/** One fault: what was done, what was promised, and what was seen. */
export interface Finding {
  readonly done: string
  readonly promised: string
  readonly seen: string
  /** Undefined if this machine could not run it. */
  readonly isKept: boolean | undefined
}

/** Options of the command line; most sections need none. */
export interface SectionOptions {
  /** The folder with the installed package of the previous release. */
  readonly from: string | undefined
  readonly accounts: number
}

export interface Section {
  readonly name: string
  /** Time limit; a section that exceeds it is aborted and counts as a broken promise. */
  readonly secondsMax: number
  run(stage: Stage, options: SectionOptions): Promise<readonly Finding[]>
}
