import { useSyncExternalStore } from 'react'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** The texts of a screen. A key that one language lacks does not compile. Values stand in braces: `{name}`. */
type Texts<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>

export function defineTexts<Key extends string>(texts: Texts<Key>): Texts<Key> {
  return texts
}

type TextValues = Readonly<Record<string, string | number>>
export type Translate<Key extends string> = (key: Key, values?: TextValues) => string

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

export const uiTexts = defineTexts({
  en: {
    copy: 'Copy {name}',
    copyWord: 'Copy',
    copied: 'Copied',
    cancel: 'Cancel',
    close: 'Close',
    retry: 'Try again',
    request: 'Request',
    unreachable:
      'The service could not be reached. Nothing was changed by this page; look at the connection and try again.',
    unexpected: 'The answer was not one of Muster’s. A proxy in front of it may have refused the request.',
    wrongPart: 'What is wrong',
    never: 'never',
    typeToConfirm: 'Type {text} to confirm',
    loading: 'Loading',
    downloadCount: '{count} so far',
    downloadCancel: 'Cancel the download',
    downloadCancelled: 'The download was cancelled: nothing was saved.',
    downloadFailed: 'Nothing was saved.',
  },
  de: {
    copy: '{name} kopieren',
    copyWord: 'Kopieren',
    copied: 'Kopiert',
    cancel: 'Abbrechen',
    close: 'Schließen',
    retry: 'Erneut versuchen',
    request: 'Anfrage',
    unreachable:
      'Der Dienst ist nicht erreichbar. Diese Seite hat nichts geändert; prüfen Sie die Verbindung und versuchen Sie es erneut.',
    unexpected: 'Die Antwort stammt nicht von Muster. Ein Proxy davor hat die Anfrage vielleicht abgelehnt.',
    wrongPart: 'Was nicht stimmt',
    never: 'nie',
    typeToConfirm: 'Zur Bestätigung {text} eingeben',
    loading: 'Wird geladen',
    downloadCount: '{count} bisher',
    downloadCancel: 'Herunterladen abbrechen',
    downloadCancelled: 'Das Herunterladen wurde abgebrochen: nichts wurde gespeichert.',
    downloadFailed: 'Nichts wurde gespeichert.',
  },
})

/** Writes a number as its reader does. */
export function useNumber() {
  const language = useLanguage()
  return (value: number, digits = 0) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)
}
