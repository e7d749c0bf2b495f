import type { ReactNode } from 'react'
import { type Language, useLanguage, useTexts, words } from '../texts.ts'
import { displayEmail, hasMixedScripts } from './email.ts'

export type Fact = readonly [name: string, value: ReactNode | undefined]

/** Facts by their names. What is `undefined` is left out. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

export type Tone = 'good' | 'warning' | 'bad' | 'unknown' | 'neutral'

const signs: Readonly<Record<Tone, string>> = { good: '✓', warning: '!', bad: '✕', unknown: '?', neutral: '·' }

/** A status by word, sign and colour. What is not known has a tone of its own, neither good nor bad. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`mark mark-${tone}`}>
      <span aria-hidden="true">{signs[tone]}</span> {children}
    </span>
  )
}

/** An address, and whether it is known to be its user's. */
export function Email({ email, isProved }: { readonly email: string; readonly isProved: boolean }) {
  const t = useTexts(words)
  return (
    <>
      {displayEmail(email)} <MixedScripts email={email} />{' '}
      <Mark tone={isProved ? 'good' : 'unknown'}>{t(isProved ? 'proved' : 'notProved')}</Mark>
    </>
  )
}

/** Warns of a domain that may imitate another one. */
export function MixedScripts({ email }: { readonly email: string }) {
  const t = useTexts(words)
  return hasMixedScripts(email) ? <Mark tone="warning">{t('mixedScripts')}</Mark> : null
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** An instant as the time since or until then, with the instant itself, in the reader's zone, on hover and for screen readers. */
export function Moment({ at }: { readonly at: string }) {
  const { absolute, relative } = formats[useLanguage()]
  const date = new Date(at)
  const full = absolute.format(date)
  const seconds = (date.getTime() - Date.now()) / 1_000
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  return (
    <time dateTime={at} title={full}>
      {relative.format(Math.round(seconds / size), unit)}
      <span className="hidden"> ({full})</span>
    </time>
  )
}

/** Made once: to make one takes longer than the row of a table. */
const formats = { en: formatsOf('en'), de: formatsOf('de') } satisfies Record<Language, unknown>

function formatsOf(language: Language) {
  return {
    absolute: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
  }
}
