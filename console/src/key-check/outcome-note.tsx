import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Mark, type Tone } from '../ui/mark.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { uiTexts } from '../ui/texts.ts'
import type { Outcome } from './check-key.ts'
import type { KeyVerdict, Provider } from './credential.ts'
import { keyCheckTexts, unknownTexts } from './texts.ts'
import { VerdictFacts } from './verdict-facts.tsx'

interface OutcomeNoteProps {
  readonly outcome: Outcome | undefined
  readonly provider: Provider
  /** Where the form shows a fault itself. */
  readonly places: readonly string[]
  readonly onRetry: () => void
}

/** What a check found, where it is looked for: it takes the focus, and is announced. */
export function OutcomeNote({ outcome, provider, places, onRetry }: OutcomeNoteProps) {
  const t = useTexts(keyCheckTexts)
  const note = useRef<HTMLElement>(null)
  const heading = useId()
  const isShown = outcome !== undefined && !isAtFields(outcome, places)
  useEffect(() => {
    if (isShown) note.current?.focus()
  }, [isShown])
  if (!isShown) return null
  return (
    <section ref={note} className="outcome" tabIndex={-1} aria-labelledby={heading}>
      <h2 id={heading} className="hidden">
        {t('outcome')}
      </h2>
      <Content outcome={outcome} provider={provider} onRetry={onRetry} />
    </section>
  )
}

function isAtFields(outcome: Outcome, places: readonly string[]): boolean {
  return (
    outcome.kind === 'wrong-input' &&
    Object.keys(outcome.faults).every((place) => place === '/for/zone' || places.includes(place))
  )
}

function Content({ outcome, provider, onRetry }: Omit<OutcomeNoteProps, 'places' | 'outcome'> & { outcome: Outcome }) {
  const t = useTexts(keyCheckTexts)
  if (outcome.kind === 'verdict') return <Verdict verdict={outcome.verdict} />
  if (outcome.kind === 'unknown') return <NotKnown outcome={outcome} provider={provider} onRetry={onRetry} />
  if (outcome.kind === 'limited')
    return (
      <>
        <Head tone="warning">{t('limited')}</Head>
        <p>{t('limitedMeaning')}</p>
        <Again retryAt={outcome.retryAt} onRetry={onRetry} />
      </>
    )
  return <ProblemNote error={outcome.error} title={t('notChecked')} onRetry={onRetry} />
}

function Head({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <p className={`outcome-head outcome-${tone}`}>
      <Mark tone={tone}>{children}</Mark>
    </p>
  )
}

function Verdict({ verdict }: { readonly verdict: KeyVerdict }) {
  const t = useTexts(keyCheckTexts)
  const { isValid, message, details } = verdict
  const warnings = details?.warnings ?? []
  const isUnfit = isValid && details?.fitsPurpose === 'no'
  const word = isUnfit ? 'validUnfit' : warnings.length > 0 ? 'validWithWarnings' : 'valid'
  return (
    <>
      {isValid ? (
        <Head tone={word === 'valid' ? 'good' : 'warning'}>{t(word)}</Head>
      ) : (
        <Head tone="bad">{t('invalid')}</Head>
      )}
      <p className="outcome-message" lang="en">
        {message}
      </p>
      {warnings.length > 0 && (
        <ul className="outcome-warnings" aria-label={t('warnings')} lang="en">
          {warnings.map((warning) => (
            <li key={warning}>
              <Mark tone="warning">{warning}</Mark>
            </li>
          ))}
        </ul>
      )}
      {details && <VerdictFacts details={details} />}
    </>
  )
}

interface NotKnownProps {
  readonly outcome: Extract<Outcome, { kind: 'unknown' }>
  readonly provider: Provider
  readonly onRetry: () => void
}

function NotKnown({ outcome: { error, retryAt }, provider, onRetry }: NotKnownProps) {
  const t = useTexts(keyCheckTexts)
  const meaning = useTexts(unknownTexts)
  const { code, detail, title, instance } = error.problem
  return (
    <>
      <Head tone="unknown">{t('unknown')}</Head>
      <p>{meaning(code, { provider: provider.title })}</p>
      <p className="outcome-message" lang="en">
        {detail ?? title}
      </p>
      <p className="note-request">
        <code>{code}</code> · <code>{instance.replace(/^urn:uuid:/, '')}</code>
      </p>
      <Again retryAt={retryAt} onRetry={onRetry} />
    </>
  )
}

function Again({ retryAt, onRetry }: { readonly retryAt: Date | undefined; readonly onRetry: () => void }) {
  const t = useTexts(keyCheckTexts)
  const ui = useTexts(uiTexts)
  const language = useLanguage()
  return (
    <>
      {retryAt && (
        <p>
          {t('retryAt', {
            seconds: Math.max(1, Math.round((retryAt.getTime() - Date.now()) / 1_000)),
            time: new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(retryAt),
          })}
        </p>
      )}
      <Button onClick={onRetry}>{ui('retry')}</Button>
    </>
  )
}
