import { setTimeout } from 'node:timers/promises'
import type { KeyChecks, Verdict } from '../../key-check/index.ts'
import { verdictOf } from '../../src/key-checks/library.ts'
import { Problem } from '../../src/platform/problems.ts'
import { sentencesOf } from '../errors.ts'
import { secondsText } from '../progress.ts'
import { openCredential } from './credential.ts'
import type { KeyRow, MalformedRow } from './key-rows.ts'

/** Result of one line. Contains nothing of the key, and only the label of the line. */
export interface RowResult {
  readonly line: number
  readonly label: string
  /** Empty if the line names no supported provider. */
  readonly provider: string
  readonly keyType: string
  readonly outcome: 'valid' | 'invalid' | 'undetermined'
  /** A code of docs/messages.md; if undetermined, of docs/problems.md or `not_checked`. */
  readonly code: string
  readonly message: string
  /** ISO 8601, if the provider tells it. */
  readonly expiresOn?: string
}

interface CheckRowsOptions {
  readonly keyChecks: KeyChecks
  readonly atOnce: number
  /** Maximum wait for a provider in cool-down. */
  readonly waitMs: number
  /** Leaves the rest unchecked after this many invalid keys. Default: no limit. */
  readonly stopAfterInvalid?: number | undefined
  /** Also sends keys whose failure is known. */
  readonly fresh?: boolean | undefined
  /** Stops all checks. Checks in progress are not reported. */
  readonly signal: AbortSignal
  readonly onResult: (result: RowResult) => void
  /** Called once when the wait for a provider starts. */
  readonly onWait?: (sentence: string) => void
}

/** Checks `atOnce` rows in parallel and reports each result immediately. */
export async function checkRows(rows: readonly (KeyRow | MalformedRow)[], options: CheckRowsOptions): Promise<void> {
  const { signal, atOnce, onResult } = options
  const { keyChecks } = options
  const waitBudget = createWaitBudget(options.waitMs)
  const { stopAfterInvalid = Number.POSITIVE_INFINITY } = options
  const queue = rows.values()
  let invalid = 0
  const resultOfRow = (row: KeyRow | MalformedRow) => {
    if ('reason' in row) return malformed(row)
    return invalid >= stopAfterInvalid ? unchecked(row) : checkRow(row, options, waitBudget)
  }
  const work = async () => {
    // The workers share the iterator, so each takes the next row.
    for (const row of queue) {
      if (signal.aborted) return
      const result = await resultOfRow(row)
      if (result?.outcome === 'invalid') invalid += 1
      if (result) onResult({ ...result, provider: keyChecks.providerId(result.provider) ?? '' })
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, work))
}

function malformed({ line, label, reason }: MalformedRow): RowResult {
  return { line, label, provider: '', keyType: '', outcome: 'undetermined', code: 'input_invalid', message: reason }
}

function unchecked({ line, label, provider, keyType }: KeyRow): RowResult {
  const message = 'Not checked: the number of invalid keys reached --stop-after-invalid.'
  return { line, label, provider, keyType, outcome: 'undetermined', code: 'not_checked', message }
}

/** Returns undefined if the signal stopped the check. */
async function checkRow(
  row: KeyRow,
  { keyChecks, fresh, signal, onWait }: CheckRowsOptions,
  waitBudget: WaitBudget,
): Promise<RowResult | undefined> {
  const { line, label, provider, keyType, email, parts, apiKey } = row
  const checked = { line, label, provider, keyType }
  const waits = waitBudget.forKey(provider)
  for (;;) {
    try {
      const key = openCredential({ provider, keyType, email, parts, apiKey, bulk: true, fresh, signal })
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
  return { outcome, code, message, ...(expiresOn !== undefined && { expiresOn }) } as const
}

/** Limits the time spent waiting for providers in cool-down. */
interface WaitBudget {
  forKey(provider: string): KeyWaits
}

interface KeyWaits {
  /**
   * Returns true after the wait. Returns false immediately if the wait would exceed the budget, and when the signal aborts. Calls
   * `onLongWait` if this is the first wait since the provider last answered and it takes more than a second.
   */
  wait(ms: number, signal: AbortSignal, onLongWait?: () => void): Promise<boolean>
  /** Resets the budget of the provider. */
  answered(): void
}

/**
 * Waits at most `waitMs` for a key and at most `waitMs` in a row for a provider. The second limit matters for long files: after a provider
 * has used up its budget, its remaining keys are reported immediately instead of each after a wait of its own.
 */
export function createWaitBudget(waitMs: number, clock: () => number = () => performance.now()): WaitBudget {
  const coolDownSinceMs = new Map<string, number>()
  return {
    forKey(provider) {
      let waitingSinceMs: number | undefined
      return {
        async wait(ms, signal, onLongWait) {
          const nowMs = clock()
          waitingSinceMs ??= nowMs
          const isFirst = !coolDownSinceMs.has(provider)
          const providerSinceMs = coolDownSinceMs.get(provider) ?? nowMs
          coolDownSinceMs.set(provider, providerSinceMs)
          // Providers round up to whole seconds, so the cool-down may end up to a second earlier.
          const soonestMs = nowMs + Math.max(ms - 1_000, 1)
          if (soonestMs > Math.min(waitingSinceMs, providerSinceMs) + waitMs) return false
          if (isFirst && ms > 1_000) onLongWait?.()
          return setTimeout(ms, true, { signal }).catch(() => false)
        },
        answered: () => void coolDownSinceMs.delete(provider),
      }
    },
  }
}
