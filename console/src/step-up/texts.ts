import { defineTexts } from '../texts/texts.ts'

export const stepUpTexts = defineTexts({
  en: {
    title: 'Confirm that it is you',
    why: 'This needs a sign-in of the last minutes.',
    password: 'Your password',
    confirm: 'Confirm',
    refused: 'You are still signed in, and this was not confirmed.',
    factorsRefused: 'Your second factors were not read.',
  },
  de: {
    title: 'Bestätigen Sie, dass Sie es sind',
    why: 'Dafür braucht es eine Anmeldung in den letzten Minuten.',
    password: 'Ihr Passwort',
    confirm: 'Bestätigen',
    refused: 'Sie sind noch angemeldet, und dies wurde nicht bestätigt.',
    factorsRefused: 'Ihre zweiten Faktoren wurden nicht gelesen.',
  },
})
