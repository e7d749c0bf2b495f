import { useLanguage } from '../texts/texts.ts'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** An instant as the time since or until then, with the instant itself, in the reader's zone, on hover and for screen readers. */
export function Moment({ at }: { readonly at: string }) {
  const language = useLanguage()
  const date = new Date(at)
  const absolute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(date)
  const seconds = (date.getTime() - Date.now()) / 1_000
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(seconds / size), unit)
  return (
    <time dateTime={at} title={absolute}>
      {relative}
      <span className="hidden"> ({absolute})</span>
    </time>
  )
}
