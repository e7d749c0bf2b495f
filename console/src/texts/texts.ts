import { useSyncExternalStore } from 'react'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** The texts of a screen. A key that one language lacks does not compile. Values stand in braces: `{name}`. */
export type Texts<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>

export function defineTexts<Key extends string>(texts: Texts<Key>): Texts<Key> {
  return texts
}

export type Values = Readonly<Record<string, string | number>>
export type Translate<Key extends string> = (key: Key, values?: Values) => string

/** Translates into the reader's language. */
export function useTexts<Key extends string>(texts: Texts<Key>): Translate<Key> {
  const language = useLanguage()
  return (key, values = {}) =>
    texts[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

const storageKey = 'muster.language'
const listeners = new Set<() => void>()
let present = stored() ?? preferred()
document.documentElement.lang = present

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, () => present)
}

export function chooseLanguage(language: Language): void {
  present = language
  localStorage.setItem(storageKey, language)
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function stored(): Language | undefined {
  const found = localStorage.getItem(storageKey)
  return found === 'en' || found === 'de' ? found : undefined
}

function preferred(): Language {
  return navigator.languages.find((tag) => /^(en|de)\b/.test(tag))?.startsWith('de') ? 'de' : 'en'
}
