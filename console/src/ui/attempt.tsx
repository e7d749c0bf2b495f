import { useState } from 'react'
import { signInTexts } from '../sign-in/texts.ts'
import { useTexts } from '../texts.ts'
import { ProblemNote } from './problem-note.tsx'

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

/** Why an attempt failed, or that the browser's dialog was closed. */
export function AttemptNote({ error, title }: { readonly error: unknown; readonly title: string }) {
  const t = useTexts(signInTexts)
  if (error === undefined) return null
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    return (
      <p className="note note-warning" role="alert">
        {t('passkeyCancelled')}
      </p>
    )
  return <ProblemNote error={error} title={title} />
}
