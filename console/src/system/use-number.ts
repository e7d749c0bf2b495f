import { useLanguage } from '../texts/texts.ts'

/** Writes a number as its reader does. */
export function useNumber() {
  const language = useLanguage()
  return (value: number, digits = 0) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)
}
