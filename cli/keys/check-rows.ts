import type { KeyChecks, Verdict } from '../../key-check/index.ts'
import { verdictOf } from '../../src/key-checks/verdict.ts'
import { Problem } from '../../src/platform/problems.ts'
import { opened } from '../check-key.ts'
import { secondsText } from '../progress.ts'
import { sentencesOf } from '../report-error.ts'
import type { KeyRow, MalformedRow } from './key-rows.ts'
import { createWaitBudget, type WaitBudget } from './wait-budget.ts'

/** The result of one line. It holds nothing of the key, and of the line nothing but the label. */
export interface RowResult {
  readonly line: number
  readonly label: string
  /** Empty where the line names none that is supported. */
  readonly provider: string
  readonly keyType: string
  readonly outcome: 'valid' | 'invalid' | 'undetermined'
  /** Of docs/messages.md; where the outcome is undetermined, of docs/problems.md or `not_checked`. */
  readonly code: string
  readonly message: string
  /** ISO 8601, where the provider tells it. */
  readonly expiresOn?: string
}

export interface CheckRowsOptions {
  readonly keyChecks: KeyChecks
  readonly atOnce: number
  /** The longest wait for a provider in cool-down. */
  readonly waitMs: number
  /** After so many invalid keys the rest is left. Default: none is. */
  readonly stopAfterInvalid?: number | undefined
  /** Ends it: checks under way are not reported. */
  readonly signal: AbortSignal
  readonly onResult: (result: RowResult) => void
  /** A provider is waited for, which is said once in a row for each of them. */
  readonly onWait?: (sentence: string) => void
}

/** Checks every row, some at once, and reports each result as it comes. */
export async function checkRows(rows: readonly (KeyRow | MalformedRow)[], options: CheckRowsOptions): Promise<void> {
  const { signal, atOnce, onResult } = options
  const known = new Set(options.keyChecks.providers().map(({ id }) => id))
  const waitBudget = createWaitBudget(options.waitMs)
  const { stopAfterInvalid = Number.POSITIVE_INFINITY } = options
  const queue = rows.values()
  let invalid = 0
  const resultOfRow = (row: KeyRow | MalformedRow) => {
    if ('reason' in row) return malformed(row)
    return invalid >= stopAfterInvalid ? left(row) : checkRow(row, options, waitBudget)
  }
  const work = async () => {
    // The workers share the iterator: each takes the next row.
    for (const row of queue) {
      if (signal.aborted) return
      const result = await resultOfRow(row)
      if (result?.outcome === 'invalid') invalid += 1
      if (result) onResult(known.has(result.provider) ? result : { ...result, provider: '' })
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, work))
}

function malformed({ line, label, reason }: MalformedRow): RowResult {
  return { line, label, provider: '', keyType: '', outcome: 'undetermined', code: 'input_invalid', message: reason }
}

function left({ line, label, provider, keyType }: KeyRow): RowResult {
  const message = 'The check stopped before this line, after as many invalid keys as --stop-after-invalid allows.'
  return { line, label, provider, keyType, outcome: 'undetermined', code: 'not_checked', message }
}

/** undefined where the signal ended it. */
async function checkRow(
  row: KeyRow,
  { keyChecks, signal, onWait }: CheckRowsOptions,
  waitBudget: WaitBudget,
): Promise<RowResult | undefined> {
  const { line, label, provider, keyType, email, parts, apiKey } = row
  const checked = { line, label, provider, keyType }
  const waits = waitBudget.forKey(provider)
  for (;;) {
    try {
      const key = opened({ provider, keyType, email, parts, apiKey, bulk: true, signal })
      const verdict = await verdictOf(keyChecks.check(key))
      waits.answered()
      return { ...checked, ...resultOf(verdict) }
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof Problem)) throw error
      const { retryAfterSeconds } = error.more
      if (retryAfterSeconds !== undefined) {
        const say = () => onWait?.(`Waiting ${secondsText(retryAfterSeconds)}. ${error.message}`)
        if (await waits.wait(retryAfterSeconds * 1_000, signal, say)) continue
      }
      if (signal.aborted) return undefined
      return { ...checked, outcome: 'undetermined', code: error.code, message: sentencesOf(error) }
    }
  }
}

function resultOf({ outcome, message, details }: Verdict) {
  const { code, expiresOn } = details
  return {
    outcome,
    code,
    message,
    ...(expiresOn !== undefined && { expiresOn }),
  } as const
}
