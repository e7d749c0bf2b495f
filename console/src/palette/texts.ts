import { defineTexts } from '../texts.ts'

export const paletteTexts = defineTexts({
  title: ['Go to', 'Gehe zu'],
  hint: [
    'A person by the name or address, a provider, a screen, an action',
    'Eine Person über Namen oder Adresse, ein Anbieter, eine Ansicht, eine Aktion',
  ],
  none: ['Nothing has this in its name.', 'Nichts hat dies in seinem Namen.'],
  user: ['People', 'Personen'],
  usersRefused: ['The people were not searched.', 'Nach Personen wurde nicht gesucht.'],
  provider: ['Check a key of', 'Schlüssel prüfen von'],
  screen: ['Screens', 'Ansichten'],
  action: ['Actions', 'Aktionen'],
  language: ['Deutsch', 'English'],
  help: ['Show all keys', 'Alle Tasten zeigen'],
  reference: ['Open the API reference', 'API-Referenz öffnen'],
  keysTitle: ['Keys', 'Tasten'],
  keyPalette: [
    'go to a person, a provider, a screen or an action',
    'zu einer Person, einem Anbieter, einer Ansicht oder einer Aktion gehen',
  ],
  keyHelp: ['show these keys', 'diese Tasten zeigen'],
  keySearch: ['go to the search', 'zur Suche gehen'],
  keyRows: ['next and previous person', 'nächste und vorige Person'],
  keyOpen: ['open the person', 'die Person öffnen'],
  keySelect: [
    'select the person; with a click and Shift all up to here',
    'die Person auswählen; mit Umschalt und Klick alle bis hierher',
  ],
  keyBack: ['back to the list; in the list, select none', 'zurück zur Liste; in der Liste die Auswahl aufheben'],
  keyScreen: ['open {screen}', '{screen} öffnen'],
})
