import { isProblem, type Problem, ProblemError } from '@muster/client'
import { useEffect, useRef, useState } from 'react'
import { muster } from '../session/muster.ts'
import type { KeyCheck, KeyVerdict } from './credential.ts'

export interface Check {
  readonly isBusy: boolean
  readonly outcome: Outcome | undefined
  /** `isAgain`: calls the provider even if its verdict is cached. */
  run(body: KeyCheck, isAgain?: boolean): void
  /** The outcome no longer belongs to what is in the form. An answer that is under way is dropped. */
  forget(): void
}

/** One check at a time; it ends when the form is left. */
export function useCheck(): Check {
  const [isBusy, setIsBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const control = useRef<AbortController>(undefined)
  const end = () => {
    control.current?.abort()
    control.current = undefined
    setIsBusy(false)
    setOutcome(undefined)
  }
  const run = async (body: KeyCheck, isAgain = false) => {
    end()
    const own = new AbortController()
    control.current = own
    setIsBusy(true)
    const found = await checkKey(body, { isAgain, signal: own.signal })
    if (own.signal.aborted) return
    setIsBusy(false)
    setOutcome(found)
  }
  useEffect(() => () => control.current?.abort(), [])
  return { isBusy, outcome, run: (body, isAgain) => void run(body, isAgain), forget: end }
}

/** Problems that say nothing of the key: no verdict was found. */
const unknownCodes = [
  'provider_unreachable',
  'provider_busy',
  'key_checks_held',
  'provider_timeout',
  'provider_refused',
  'provider_answer_unexpected',
  'provider_address_refused',
  'provider_clock_refused',
] as const
export type UnknownCode = (typeof unknownCodes)[number]

/** What came of a check. */
export type Outcome =
  | { readonly kind: 'verdict'; readonly verdict: KeyVerdict }
  | { readonly kind: 'unknown'; readonly error: ProblemError<UnknownCode>; readonly retryAt: Date | undefined }
  | { readonly kind: 'limited'; readonly error: ProblemError; readonly retryAt: Date | undefined }
  /** Faults by their places in the body. */
  | { readonly kind: 'wrong-input'; readonly error: ProblemError; readonly faults: Readonly<Record<string, string>> }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Checks one key. Nothing of it is kept here: no cache of queries sees it. */
async function checkKey(
  body: KeyCheck,
  { isAgain, signal }: { readonly isAgain: boolean; readonly signal: AbortSignal },
): Promise<Outcome> {
  try {
    const params = { query: { details: true }, ...(isAgain && { header: { 'Cache-Control': 'no-cache' } }) }
    const { data, error, response } = await muster.POST('/api/v1/provider/keys/validate', { params, body, signal })
    return data === undefined ? refusal(error, response) : { kind: 'verdict', verdict: data }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

function refusal(problem: Problem, response: Response): Outcome {
  const error = new ProblemError(problem)
  const retryAt = retryAtOf(response)
  if (isProblem(error, ...unknownCodes)) return { kind: 'unknown', error, retryAt }
  if (isProblem(error, 'rate_limited')) return { kind: 'limited', error, retryAt }
  const faults = (problem.errors ?? []).flatMap((one) => ('pointer' in one ? [[one.pointer, one.detail] as const] : []))
  return faults.length > 0
    ? { kind: 'wrong-input', error, faults: Object.fromEntries(faults) }
    : { kind: 'failed', error }
}

function retryAtOf({ headers }: Response): Date | undefined {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return Number.isNaN(seconds) ? undefined : new Date(Date.now() + seconds * 1_000)
}
