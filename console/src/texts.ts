import { createPreference, useStore } from './store.ts'

export type Language = 'en' | 'de'
export const languages: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

type Text = readonly [en: string, de: string]

/** The texts of a screen. A text that one language lacks does not compile. Values stand in braces: `{name}`. */
type Texts<Key extends string> = Readonly<Record<Key, Text>>

export function defineTexts<Key extends string>(texts: Texts<Key>): Texts<Key> {
  return texts
}

export type Translate<Key extends string> = (key: Key, values?: Readonly<Record<string, string | number>>) => string

/** Translates into the reader's language. Every screen also knows the `words`. */
export function useTexts<Key extends string>(texts: Texts<Key>): Translate<Key | keyof typeof words> {
  const place = useLanguage() === 'en' ? 0 : 1
  const own: Readonly<Record<string, Text | undefined>> = texts
  const common: Readonly<Record<string, Text | undefined>> = words
  return (key, values = {}) => {
    const text = (own[key] ?? common[key])?.[place] ?? key
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  }
}

const language = createPreference<Language>('language', {
  values: ['en', 'de'],
  byDefault: navigator.languages.find((tag) => /^(en|de)\b/.test(tag))?.startsWith('de') ? 'de' : 'en',
  apply: (chosen) => {
    document.documentElement.lang = chosen
  },
})
export const chooseLanguage = language.become

export function useLanguage(): Language {
  return useStore(language)
}

/** Writes a number as its reader does. */
export function useNumber() {
  const spoken = useLanguage()
  return (value: number, digits = 0) => new Intl.NumberFormat(spoken, { maximumFractionDigits: digits }).format(value)
}

/** What several screens say. */
export const words = defineTexts({
  active: ['active', 'aktiv'],
  cancel: ['Cancel', 'Abbrechen'],
  clearFilters: ['Clear the filters', 'Filter aufheben'],
  close: ['Close', 'Schließen'],
  comfortable: ['Comfortable rows', 'Lockere Zeilen'],
  compact: ['Compact rows', 'Dichte Zeilen'],
  confirm: ['Confirm', 'Bestätigen'],
  copied: ['Copied', 'Kopiert'],
  copy: ['Copy {name}', '{name} kopieren'],
  copyWord: ['Copy', 'Kopieren'],
  created: ['Created', 'Angelegt'],
  currentPassword: ['Present password', 'Bisheriges Passwort'],
  downloadCancel: ['Cancel the download', 'Herunterladen abbrechen'],
  downloadCancelled: [
    'The download was cancelled: nothing was saved.',
    'Das Herunterladen wurde abgebrochen: nichts wurde gespeichert.',
  ],
  downloadCount: ['{count} so far', '{count} bisher'],
  downloadFailed: ['Nothing was saved.', 'Nichts wurde gespeichert.'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  expires: ['Expires', 'Läuft ab'],
  firstAgain: [
    'That page is no longer there: this is the first one.',
    'Diese Seite gibt es nicht mehr: dies ist die erste.',
  ],
  keyType: ['Kind of key', 'Art des Schlüssels'],
  loading: ['Loading', 'Wird geladen'],
  missing: ['Your role does not include {permission}.', 'Ihre Rolle enthält {permission} nicht.'],
  mixedScripts: ['The domain mixes scripts', 'Die Domain mischt Schriften'],
  name: ['Name', 'Name'],
  newPassword: ['New password', 'Neues Passwort'],
  newPasswordHint: [
    'Any words of your own. Its length counts; rules about digits and symbols do not apply.',
    'Beliebige eigene Wörter. Die Länge zählt; Regeln zu Ziffern und Zeichen gibt es nicht.',
  ],
  next: ['Next', 'Weiter'],
  notProved: ['not proved', 'nicht bestätigt'],
  nothingChanged: ['Nothing was changed.', 'Es wurde nichts geändert.'],
  openSessions: ['Open sessions', 'Offene Sitzungen'],
  organizations: ['Organisations', 'Organisationen'],
  ownFactorsRefused: ['Your second factors were not read.', 'Ihre zweiten Faktoren wurden nicht gelesen.'],
  passkey: ['passkey', 'Passkey'],
  passkeyCancelled: [
    'The browser showed no passkey. Choose another way, or try again.',
    'Der Browser hat keinen Passkey gezeigt. Wählen Sie einen anderen Weg oder versuchen Sie es erneut.',
  ],
  password: ['Password', 'Passwort'],
  passwordRefused: ['The password was not changed.', 'Das Passwort wurde nicht geändert.'],
  plan: ['Plan', 'Tarif'],
  previous: ['Previous', 'Zurück'],
  proved: ['proved', 'bestätigt'],
  provider: ['Provider', 'Anbieter'],
  remove: ['Remove', 'Entfernen'],
  removeNamed: ['Remove {name}', '{name} entfernen'],
  request: ['Request', 'Anfrage'],
  retry: ['Try again', 'Erneut versuchen'],
  revoke: ['Revoke', 'Widerrufen'],
  role: ['Role', 'Rolle'],
  roleDone: ['The role of {name} is {role}.', 'Die Rolle von {name} ist {role}.'],
  sessionsNone: ['No session is open.', 'Keine Sitzung ist offen.'],
  signOut: ['Sign out', 'Abmelden'],
  signOutRefused: ['You are still signed in.', 'Sie sind noch angemeldet.'],
  status: ['Status', 'Status'],
  subscriptions: ['Subscriptions', 'Abonnements'],
  totp: ['authenticator app', 'Authenticator-App'],
  typeToConfirm: ['Type {text} to confirm', 'Zur Bestätigung {text} eingeben'],
  undo: ['Undo', 'Rückgängig'],
  unexpected: [
    'The answer was not one of Muster’s. A proxy in front of it may have refused the request.',
    'Die Antwort stammt nicht von Muster. Ein Proxy davor hat die Anfrage vielleicht abgelehnt.',
  ],
  unreachable: [
    'The service could not be reached. Nothing was changed by this page; look at the connection and try again.',
    'Der Dienst ist nicht erreichbar. Diese Seite hat nichts geändert; prüfen Sie die Verbindung und versuchen Sie es erneut.',
  ],
  wrongPart: ['What is wrong', 'Was nicht stimmt'],
  yourPassword: ['Your password', 'Ihr Passwort'],
})
