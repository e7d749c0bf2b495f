import { defineTexts } from '../texts.ts'

export const shellTexts = defineTexts({
  navigation: ['Screens', 'Ansichten'],
  skip: ['Skip to the content', 'Zum Inhalt springen'],
  users: ['People', 'Personen'],
  keys: ['Check a key', 'Schlüssel prüfen'],
  billing: ['Billing', 'Abrechnung'],
  audit: ['Audit', 'Protokoll'],
  webhooks: ['Webhooks', 'Webhooks'],
  system: ['System', 'System'],
  me: ['My account', 'Mein Konto'],
  language: ['Language', 'Sprache'],
  insecureTitle: ['The console needs https', 'Die Konsole braucht https'],
  insecure: [
    'This page came over plain http, where others can read a password on its way. Open it by https, or on the machine that Muster runs on at http://localhost.',
    'Diese Seite kam über http ohne Verschlüsselung; unterwegs könnten andere ein Passwort lesen. Öffnen Sie sie über https oder auf der Maschine von Muster unter http://localhost.',
  ],
  unreachableTitle: ['Muster cannot be reached', 'Muster ist nicht erreichbar'],
  unreachable: [
    'Whether you are signed in is not known. Nothing was lost; this page asks again when you want it to.',
    'Ob Sie angemeldet sind, ist nicht bekannt. Nichts ging verloren; diese Seite fragt erneut, wenn Sie es möchten.',
  ],
  userUnknown: ['Who you are could not be found out.', 'Wer Sie sind, ließ sich nicht feststellen.'],
  guide: ['Documentation', 'Dokumentation'],
  reference: ['API reference', 'API-Referenz'],
  palette: ['Go to', 'Gehe zu'],
})
