import { useTexts } from '../texts/texts.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { signInTexts } from './texts.ts'

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
