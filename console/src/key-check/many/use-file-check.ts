import { ProblemError } from '@muster/client'
import { useEffect, useRef, useState } from 'react'
import { checkBatches, type RowAnswer } from './check-batches.ts'
import type { KeyRow } from './key-file.ts'

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
