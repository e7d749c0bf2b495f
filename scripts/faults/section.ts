import type { Stage } from './stage.ts'

/** One fault: what was done, what was promised, and what was seen. */
export interface Finding {
  readonly done: string
  readonly promised: string
  readonly seen: string
  /** Undefined where this machine could not try it. */
  readonly isKept: boolean | undefined
}

/** What the command line says; most sections need none of it. */
export interface SectionOptions {
  /** The folder in which the package of the release before is installed. */
  readonly from: string | undefined
  readonly accounts: number
}

export interface Section {
  readonly name: string
  /** It is broken off and counts as a broken promise after that time. */
  readonly secondsMax: number
  run(stage: Stage, options: SectionOptions): Promise<readonly Finding[]>
}
