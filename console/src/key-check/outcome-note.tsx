import type { Schemas } from '@muster/client'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useLanguage, useTexts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { FactList, Mark, Moment, type Tone } from '../ui/facts.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import type { Outcome } from './check-key.ts'
import type { Ability, KeyVerdict, Provider } from './credential.ts'
import { abilityTexts, isUnsent, keyCheckTexts, unknownTexts, unsentTexts } from './texts.ts'

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
  if (outcome.kind === 'verdict') return <Verdict verdict={outcome.verdict} onRetry={onRetry} />
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

function Verdict({ verdict, onRetry }: { readonly verdict: KeyVerdict; readonly onRetry: () => void }) {
  const t = useTexts(keyCheckTexts)
  const mistake = useTexts(unsentTexts)
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
      {details && isUnsent(details.code) && <p>{mistake(details.code)}</p>}
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
      <Button onClick={onRetry}>{t('checkAgain')}</Button>
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
      <Button onClick={onRetry}>{t('retry')}</Button>
    </>
  )
}

type Details = Schemas['KeyDetails']

/** What the calls of a check have shown. What is not known is left out. */
function VerdictFacts({ details }: { readonly details: Details }) {
  const t = useTexts(keyCheckTexts)
  const { capabilities = {}, notBefore, expiresOn } = details
  const { scopes, abilities, lacks, missing, limitedByOwner, services, addresses, unknown } = capabilities
  return (
    <FactList
      facts={[
        [t('fitsPurpose'), details.fitsPurpose && <Fit details={details} />],
        [t('advice'), details.advice && <Advice key="advice" of={details.advice} />],
        [t('notBefore'), notBefore && <Moment at={notBefore} />],
        [t('expires'), expiresOn && <Moment at={expiresOn} />],
        [t('may'), abilities ? <Abilities of={abilities} /> : unknown && <span lang="en">{unknown}</span>],
        [t('mayNot'), lacks && <Abilities of={lacks} />],
        [t('missingRights'), missing && <span lang="en">{missing.join(', ')}</span>],
        [t('owner'), limitedByOwner && t('limitedByOwner')],
        [t('scopes'), scopes && <Codes of={scopes} />],
        [t('zones'), zonesOf(capabilities, t)],
        [t('services'), services && <Codes of={services} />],
        [t('addresses'), addresses && <Codes of={addresses} />],
        [t('credential'), <code key="credential">{details.credential}</code>],
        [t('code'), <code key="code">{details.code}</code>],
        [t('checkedAt'), <Freshness key="checkedAt" details={details} />],
      ]}
    />
  )
}

function Advice({ of: { text, page } }: { readonly of: Schemas['KeyAdvice'] }) {
  const t = useTexts(keyCheckTexts)
  return (
    <>
      <span lang="en">{text}</span>{' '}
      <a href={page} target="_blank" rel="noreferrer">
        {t('makeKey')}
      </a>
    </>
  )
}

function Fit({ details: { fitsPurpose, purpose } }: { readonly details: Details }) {
  const t = useTexts(keyCheckTexts)
  return (
    <>
      {fitsPurpose === 'yes' && <Mark tone="good">{t('fits')}</Mark>}
      {fitsPurpose === 'no' && <Mark tone="bad">{t('fitsNot')}</Mark>}
      {fitsPurpose === 'unknown' && <Mark tone="unknown">{t('unknown')}</Mark>}
      {purpose !== undefined && <div lang="en">{purpose}</div>}
    </>
  )
}

function Abilities({ of: abilities }: { readonly of: readonly Ability[] }) {
  const t = useTexts(abilityTexts)
  return abilities.length === 0 ? '–' : abilities.map((one) => t(one)).join(', ')
}

function Codes({ of: words }: { readonly of: readonly string[] }) {
  return (
    <ul className="codes">
      {words.map((word) => (
        <li key={word}>
          <code>{word}</code>
        </li>
      ))}
    </ul>
  )
}

const zonesShownMax = 10

/** How many, and the first of their names. Without a number, there may be more. */
function zonesOf(
  { zonesVisible, zones = [], moreZones }: Schemas['KeyCapabilities'],
  t: (key: 'zonesCount' | 'zonesFirst' | 'zonesMore', values: Readonly<Record<string, number>>) => string,
): ReactNode | undefined {
  if (zonesVisible === undefined && zones.length === 0) return undefined
  const count = zonesVisible ?? zones.length
  const shown = zones.slice(0, zonesShownMax)
  const isFirst = shown.length < count && shown.length > 0
  return (
    <>
      {zonesVisible === undefined && moreZones
        ? t('zonesMore', { count: shown.length })
        : t(isFirst ? 'zonesFirst' : 'zonesCount', { count, shown: shown.length })}
      {shown.length > 0 && <Codes of={shown} />}
    </>
  )
}

function Freshness({ details: { checkedAt, cached } }: { readonly details: Details }) {
  const t = useTexts(keyCheckTexts)
  return (
    <>
      <Moment at={checkedAt} /> · {t(cached ? 'fromCache' : 'fresh')}
    </>
  )
}
