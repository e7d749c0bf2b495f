import { useEffect, useRef, useState } from 'react'
import { checkKey, type Outcome } from './check-key.ts'
import type { KeyCheck } from './credential.ts'

export interface Check {
  readonly isBusy: boolean
  readonly outcome: Outcome | undefined
  run(body: KeyCheck): void
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
  const run = async (body: KeyCheck) => {
    end()
    const own = new AbortController()
    control.current = own
    setIsBusy(true)
    const found = await checkKey(body, own.signal)
    if (own.signal.aborted) return
    setIsBusy(false)
    setOutcome(found)
  }
  useEffect(() => () => control.current?.abort(), [])
  return { isBusy, outcome, run: (body) => void run(body), forget: end }
}
