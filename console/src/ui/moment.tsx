import { type Language, useLanguage } from '../texts/texts.ts'

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
