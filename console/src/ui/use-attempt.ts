import { useState } from 'react'

export interface Attempt {
  readonly isBusy: boolean
  readonly error: unknown
  /** Runs one attempt at a time. A failure is kept until the next one. */
  run(work: () => Promise<void>): void
}

export function useAttempt(): Attempt {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async (work: () => Promise<void>) => {
    if (isBusy) return
    setIsBusy(true)
    setError(undefined)
    await work().catch(setError)
    setIsBusy(false)
  }
  return { isBusy, error, run: (work) => void run(work) }
}
