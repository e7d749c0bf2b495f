import { type Problem, ProblemError } from '@muster/client'
import { muster } from '../../session/muster.ts'
import type { KeyVerdict } from '../credential.ts'
import { batchesOf, linesOf } from './batches.ts'
import type { KeyRow } from './key-file.ts'

/** A line of the answer: docs/checking-keys.md, “Over HTTP”. */
type BatchLine = { readonly index: number } & (
  | KeyVerdict
  | { readonly problem: Problem; readonly retryAfterSeconds?: number }
)

/** What came of one row: a verdict, or why there is none. */
export interface RowAnswer {
  readonly row: KeyRow
  readonly verdict?: KeyVerdict
  readonly problem?: Problem
  readonly retryAfterSeconds?: number
}

interface BatchesOptions {
  readonly signal: AbortSignal
  readonly onAnswers: (answers: readonly RowAnswer[]) => void
}

/**
 * Checks the rows, batch by batch, and passes each answer on as it arrives, in their order. Ends early where the limit of the caller is
 * reached or the service stops, and says after how many seconds to go on. Throws where a batch is refused as a whole.
 */
export async function checkBatches(
  rows: readonly KeyRow[],
  { signal, onAnswers }: BatchesOptions,
): Promise<{ readonly stopped?: Problem; readonly retryAfterSeconds?: number }> {
  for (const batch of batchesOf(rows)) {
    let stop: RowAnswer | undefined
    for await (const lines of answersOf(batch, signal)) {
      onAnswers(lines)
      stop ??= lines.find(({ problem }) => problem?.code === 'rate_limited' || problem?.code === 'shutting_down')
    }
    if (stop?.problem) {
      const { problem, retryAfterSeconds } = stop
      return { stopped: problem, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
    }
  }
  return {}
}

async function* answersOf(rows: readonly KeyRow[], signal: AbortSignal): AsyncGenerator<readonly RowAnswer[]> {
  const body = { keys: rows.map(({ check }) => check) }
  const call = muster.POST('/api/v1/provider/keys/validate-batch', { body, signal, parseAs: 'stream' })
  const { data, error } = await call
  if (error) throw new ProblemError(error)
  if (!data) throw new TypeError('The answer has no body.')
  for await (const lines of linesOf(data)) {
    yield lines.flatMap((line): RowAnswer[] => {
      // Trust boundary: the service writes these lines, and the contract describes them as a text.
      const { index, ...rest } = JSON.parse(line) as BatchLine
      const row = rows[index]
      if (!row) return []
      return 'problem' in rest ? [{ row, ...rest }] : [{ row, verdict: rest }]
    })
  }
}
