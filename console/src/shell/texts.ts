import { defineTexts } from '../texts/texts.ts'

export const shellTexts = defineTexts({
  en: {
    navigation: 'Screens',
    skip: 'Skip to the content',
    people: 'People',
    organizations: 'Organisations',
    keys: 'Check a key',
    audit: 'Audit',
    system: 'System',
    me: 'My account',
    signOut: 'Sign out',
    signOutRefused: 'You are still signed in.',
    language: 'Language',
    insecureTitle: 'The console needs https',
    insecure:
      'This page came over plain http, where others can read a password on its way. Open it by https, or on the machine that Muster runs on at http://localhost.',
    unreachableTitle: 'Muster cannot be reached',
    unreachable: 'Whether you are signed in is not known. Nothing was lost; this page asks again when you want it to.',
    userUnknown: 'Who you are could not be found out.',
    reference: 'API reference',
    palette: 'Go to',
  },
  de: {
    navigation: 'Ansichten',
    skip: 'Zum Inhalt springen',
    people: 'Personen',
    organizations: 'Organisationen',
    keys: 'Schlüssel prüfen',
    audit: 'Protokoll',
    system: 'System',
    me: 'Mein Konto',
    signOut: 'Abmelden',
    signOutRefused: 'Sie sind noch angemeldet.',
    language: 'Sprache',
    insecureTitle: 'Die Konsole braucht https',
    insecure:
      'Diese Seite kam über http ohne Verschlüsselung; unterwegs könnten andere ein Passwort lesen. Öffnen Sie sie über https oder auf der Maschine von Muster unter http://localhost.',
    unreachableTitle: 'Muster ist nicht erreichbar',
    unreachable:
      'Ob Sie angemeldet sind, ist nicht bekannt. Nichts ging verloren; diese Seite fragt erneut, wenn Sie es möchten.',
    userUnknown: 'Wer Sie sind, ließ sich nicht feststellen.',
    reference: 'API-Referenz',
    palette: 'Gehe zu',
  },
})
