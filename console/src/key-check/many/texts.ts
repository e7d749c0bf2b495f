import { defineTexts } from '../../texts.ts'
import type { FileFault, LineFault } from './key-file.ts'

export const manyTexts = defineTexts({
  why: [
    'A CSV file is read in this page only. Its keys are sent to the service for the check, and are gone from the page when you leave it.',
    'Eine CSV-Datei wird nur auf dieser Seite gelesen. Ihre Schlüssel gehen zur Prüfung an den Dienst und sind von der Seite verschwunden, wenn Sie sie verlassen.',
  ],
  columns: [
    'The first line names the columns: key, and if needed provider, key_type, email, label, and the names of parts such as accessKeyId.',
    'Die erste Zeile nennt die Spalten: key, und falls nötig provider, key_type, email, label und die Namen von Teilen wie accessKeyId.',
  ],
  file: ['CSV file', 'CSV-Datei'],
  drop: ['Choose a file, or drop it here.', 'Wählen Sie eine Datei, oder legen Sie sie hier ab.'],
  defaultProvider: ['Provider of lines that name none', 'Anbieter der Zeilen, die keinen nennen'],
  refused: ['The file cannot be checked.', 'Die Datei lässt sich nicht prüfen.'],
  ready: ['Keys that can be checked: {count}', 'Schlüssel, die sich prüfen lassen: {count}'],
  malformed: ['Lines that cannot be checked: {count}', 'Zeilen, die sich nicht prüfen lassen: {count}'],
  andMore: ['… and {count} more.', '… und {count} weitere.'],
  line: ['Line', 'Zeile'],
  label: ['Label', 'Bezeichnung'],
  preview: ['The first lines', 'Die ersten Zeilen'],
  start: ['Check keys ({count})', 'Schlüssel prüfen ({count})'],
  goOn: ['Check those that are left ({count})', 'Die übrigen prüfen ({count})'],
  remove: ['Remove file', 'Datei entfernen'],
  progress: ['Keys checked', 'Geprüfte Schlüssel'],
  done: ['{done} of {total} have a verdict', '{done} von {total} haben ein Ergebnis'],
  valid: ['{count} valid', '{count} gültig'],
  invalid: ['{count} not valid', '{count} ungültig'],
  unknown: ['{count} not known', '{count} nicht bekannt'],
  stopped: [
    'The check ended before the last key. What was found until then is kept.',
    'Die Prüfung endete vor dem letzten Schlüssel. Was bis dahin gefunden wurde, bleibt.',
  ],
  retryAfter: ['Going on makes sense in {seconds} s.', 'Fortzufahren lohnt sich in {seconds} s.'],
  report: ['Download report', 'Bericht herunterladen'],
  reportHint: [
    'CSV with line, label, provider, outcome and message. It holds no keys.',
    'CSV mit Zeile, Bezeichnung, Anbieter, Ergebnis und Meldung. Schlüssel enthält er nicht.',
  ],
  attention: ['Keys that are not valid or not known', 'Schlüssel, die ungültig oder nicht bekannt sind'],
  attentionMore: [
    'The first {shown} of {count}; the report has all.',
    'Die ersten {shown} von {count}; der Bericht enthält alle.',
  ],
  result: ['Result', 'Ergebnis'],
  message: ['Message', 'Meldung'],
  notChecked: ['Not checked.', 'Nicht geprüft.'],
})

export const fileFaultTexts = defineTexts<FileFault>({
  empty: [
    'The file is empty: its first line has to name the columns.',
    'Die Datei ist leer: Ihre erste Zeile muss die Spalten nennen.',
  ],
  tooLarge: ['The file holds more than 8 MiB: divide it.', 'Die Datei hat mehr als 8 MiB: Teilen Sie sie.'],
  columnUnknown: [
    'Column {column} of the first line is none of key, provider, key_type, email, label and no part of a credential.',
    'Spalte {column} der ersten Zeile ist weder key, provider, key_type, email oder label noch ein Teil von Zugangsdaten.',
  ],
  columnTwice: ['The first line names a column twice.', 'Die erste Zeile nennt eine Spalte zweimal.'],
  columnKeyMissing: ['The first line names no column key.', 'Die erste Zeile nennt keine Spalte key.'],
})

export const lineFaultTexts = defineTexts<LineFault>({
  tooLong: ['The line is too long.', 'Die Zeile ist zu lang.'],
  notUtf8: ['The line is not UTF-8.', 'Die Zeile ist nicht UTF-8.'],
  notCsv: [
    'The line is not CSV (RFC 4180): look at its quotes.',
    'Die Zeile ist kein CSV (RFC 4180): Sehen Sie sich die Anführungszeichen an.',
  ],
  fieldCount: [
    'The line has another number of fields than the first.',
    'Die Zeile hat eine andere Zahl von Feldern als die erste.',
  ],
  keyMissing: ['The key is missing.', 'Der Schlüssel fehlt.'],
  keyTooLong: ['The key is longer than 4,096 characters.', 'Der Schlüssel ist länger als 4.096 Zeichen.'],
  providerUnknown: [
    'The provider is not supported: an id of the list is needed, such as cloudflare.',
    'Der Anbieter wird nicht unterstützt: Nötig ist eine id der Liste, etwa cloudflare.',
  ],
  keyTypeUnknown: ['The provider has no such key_type.', 'Der Anbieter hat keinen solchen key_type.'],
  keyTypeMissing: [
    'The provider takes several kinds of keys: key_type has to be api_token or api_key.',
    'Der Anbieter hat mehrere Arten von Schlüsseln: key_type muss api_token oder api_key sein.',
  ],
})
