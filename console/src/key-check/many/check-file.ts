import { type Problem, ProblemError } from '@muster/client'
import { useEffect, useRef, useState } from 'react'
import { muster } from '../../session/muster.ts'
import type { KeyVerdict } from '../credential.ts'
import { batchesOf, type KeyRow, wholeLines } from './key-file.ts'

export interface FileCheck {
  readonly isBusy: boolean
  /** By line. */
  readonly answers: ReadonlyMap<number, RowAnswer>
  /** Why it ended before the last row. */
  readonly error: unknown
  readonly retryAfterSeconds: number | undefined
  run(rows: readonly KeyRow[]): void
  cancel(): void
  /** Another file: nothing of the former one stays. */
  forget(): void
}

/** Checks rows once at a time; it ends when the screen is left. */
export function useFileCheck(): FileCheck {
  const [isBusy, setIsBusy] = useState(false)
  const [answers, setAnswers] = useState<ReadonlyMap<number, RowAnswer>>(new Map())
  const [stop, setStop] = useState<{ readonly error?: unknown; readonly retryAfterSeconds?: number }>({})
  const control = useRef<AbortController>(undefined)
  useEffect(() => () => control.current?.abort(), [])

  const cancel = () => {
    control.current?.abort()
    setIsBusy(false)
  }
  const run = async (rows: readonly KeyRow[]) => {
    control.current?.abort()
    const own = new AbortController()
    const { signal } = own
    control.current = own
    setIsBusy(true)
    setStop({})
    const onAnswers = (arrived: readonly RowAnswer[]) => {
      if (!signal.aborted)
        setAnswers((former) => new Map([...former, ...arrived.map((one) => [one.row.line, one] as const)]))
    }
    const ended = await checkBatches(rows, { signal, onAnswers }).then(
      ({ stopped, retryAfterSeconds }) => ({
        ...(stopped && { error: new ProblemError(stopped) }),
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      }),
      (error: unknown) => ({ error }),
    )
    if (signal.aborted) return
    setIsBusy(false)
    setStop(ended)
  }
  const forget = () => {
    cancel()
    setAnswers(new Map())
    setStop({})
  }
  const { error, retryAfterSeconds } = stop
  return { isBusy, answers, error, retryAfterSeconds, run: (rows) => void run(rows), cancel, forget }
}

/** Rows that have no verdict yet, and may get one. What is wrong with a line stays wrong. */
export function rowsLeft(rows: readonly KeyRow[], answers: ReadonlyMap<number, RowAnswer>): readonly KeyRow[] {
  return rows.filter(({ line }) => {
    const answer = answers.get(line)
    const code = answer?.problem?.code
    return answer?.verdict === undefined && code !== 'input_invalid' && code !== 'provider_unsupported'
  })
}

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
async function checkBatches(
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
  for await (const lines of wholeLines(data)) {
    yield lines.flatMap((line): RowAnswer[] => {
      // Trust boundary: the service writes these lines, and the contract describes them as a text.
      const { index, ...rest } = JSON.parse(line) as BatchLine
      const row = rows[index]
      if (!row) return []
      return 'problem' in rest ? [{ row, ...rest }] : [{ row, verdict: rest }]
    })
  }
}
