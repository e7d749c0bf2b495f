import { type FormEvent, useState } from 'react'
import { useTexts, words } from '../texts.ts'
import { ProblemNote } from './problem-note.tsx'

export interface Attempt {
  readonly isBusy: boolean
  readonly error: unknown
  /** Runs one attempt at a time. A failure is kept until the next one. */
  run(work: () => Promise<unknown>): void
  /** For `onSubmit` of a form. */
  submit(work: () => Promise<unknown>): (event: FormEvent) => void
}

export function useAttempt(): Attempt {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const start = async (work: () => Promise<unknown>) => {
    if (isBusy) return
    setIsBusy(true)
    setError(undefined)
    await work().catch(setError)
    setIsBusy(false)
  }
  const run = (work: () => Promise<unknown>) => void start(work)
  const submit = (work: () => Promise<unknown>) => (event: FormEvent) => {
    event.preventDefault()
    run(work)
  }
  return { isBusy, error, run, submit }
}

/** Why an attempt failed, or that the browser's dialog was closed. */
export function AttemptNote({ error, title }: { readonly error: unknown; readonly title: string }) {
  const t = useTexts(words)
  if (error === undefined) return null
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    return (
      <p className="note note-warning" role="alert">
        {t('passkeyCancelled')}
      </p>
    )
  return <ProblemNote error={error} title={title} />
}
