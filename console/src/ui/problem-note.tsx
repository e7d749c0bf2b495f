import { ProblemError, UnexpectedAnswerError } from '@muster/client'
import { useTexts, words } from '../texts.ts'
import { Button, CopyButton } from './button.tsx'

interface ProblemNoteProps {
  readonly error: unknown
  /** What was not done, in the words of the screen. */
  readonly title: string
  /** Offered where trying again may help. */
  readonly onRetry?: () => void
}

/** What happened, what was not done, and the request to name when asking for help. */
export function ProblemNote({ error, title, onRetry }: ProblemNoteProps) {
  const t = useTexts(words)
  const requestId = requestIdOf(error)
  return (
    <div className="note note-problem" role="alert">
      <p className="note-title">{title}</p>
      <p lang={languageOf(error)}>{useSentence(error)}</p>
      <Members error={error} />
      {requestId !== undefined && (
        <p className="note-request">
          {t('request')} <code>{requestId}</code> <CopyButton text={requestId} name={t('request')} />
        </p>
      )}
      {onRetry && <Button onClick={onRetry}>{t('retry')}</Button>}
    </div>
  )
}

/** The sentences of the service are English. */
function languageOf(error: unknown): string | undefined {
  return error instanceof ProblemError ? 'en' : undefined
}

/** The sentence of a failure: that of the problem, or that the service could not be reached. */
export function useSentence(error: unknown): string {
  const t = useTexts(words)
  if (error instanceof ProblemError) return error.problem.detail ?? error.problem.title
  return error instanceof UnexpectedAnswerError ? t('unexpected') : t('unreachable')
}

function Members({ error }: { readonly error: unknown }) {
  const t = useTexts(words)
  const { errors = [] } = error instanceof ProblemError && 'errors' in error.problem ? error.problem : {}
  if (errors.length === 0) return null
  return (
    <ul aria-label={t('wrongPart')} lang={languageOf(error)}>
      {errors.map((one) => {
        const place = 'pointer' in one ? one.pointer : one.parameter
        return (
          <li key={place}>
            <code>{place}</code> {one.detail}
          </li>
        )
      })}
    </ul>
  )
}

/** `urn:uuid:…` of the member `instance`. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof ProblemError ? error.problem.instance.replace(/^urn:uuid:/, '') : undefined
}
