import type { Undetermined } from '../../key-checks/engine/provider.ts'

/** What the processes of one node say to each other. `to` names one worker; without it the primary or all siblings are meant. */
export type Message =
  /** To the primary: this worker answers requests now. */
  | { readonly muster: 'ready'; readonly address: string }
  /** To the primary: this worker cannot start. `sentence` is for a person where it was explained, otherwise a stack. */
  | { readonly muster: 'failed'; readonly sentence: string; readonly isExplained: boolean }
  /** To a worker: finish what is in flight, and end. */
  | { readonly muster: 'stop' }
  /** To all siblings: so many more reads of a caller, in a window that ends then. */
  | { readonly muster: 'reads'; readonly key: string; readonly reads: number; readonly endsAtMs: number }
  /** To all siblings: a provider asked for quiet. Kept by the primary for workers that start later. */
  | { readonly muster: 'quiet'; readonly provider: string; readonly outcome: Undetermined; readonly untilMs: number }
  /** To all siblings, and the answer to the one that asked. */
  | { readonly muster: 'count'; readonly question: number; readonly from: number }
  | { readonly muster: 'counted'; readonly question: number; readonly to: number; readonly metrics: readonly object[] }

/** Other messages pass through the same channel: Node's own, and those of libraries. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'muster' in value && typeof value.muster === 'string'
}
