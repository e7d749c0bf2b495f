import { defineTexts } from '../texts.ts'

export const signInTexts = defineTexts({
  title: ['Sign in to Muster', 'Bei Muster anmelden'],
  ended: [
    'Your session has ended. Sign in again to go on where you were.',
    'Ihre Sitzung ist beendet. Melden Sie sich erneut an, um dort weiterzumachen, wo Sie waren.',
  ],
  signIn: ['Sign in', 'Anmelden'],
  passkey: ['Sign in with a passkey', 'Mit einem Passkey anmelden'],
  refused: ['You are not signed in.', 'Sie sind nicht angemeldet.'],
  secondTitle: ['Second step', 'Zweiter Schritt'],
  factor: ['Authenticator app', 'Authenticator-App'],
  code: ['Code of six digits', 'Code aus sechs Ziffern'],
  codeHint: ['From the app “{name}”.', 'Aus der App „{name}“.'],
  recoveryCode: ['Recovery code', 'Wiederherstellungscode'],
  recoveryHint: [
    'One of the codes that you were given when you added the second step. It works once.',
    'Einer der Codes, die Sie beim Einrichten des zweiten Schritts erhalten haben. Er gilt einmal.',
  ],
  useRecovery: ['Use a recovery code instead', 'Stattdessen einen Wiederherstellungscode verwenden'],
  useCode: ['Use a code of the app instead', 'Stattdessen einen Code der App verwenden'],
  usePasskey: ['Use a passkey', 'Einen Passkey verwenden'],
  back: ['Start again', 'Neu beginnen'],
  changeTitle: ['Choose a password', 'Passwort wählen'],
  changeWhy: [
    'The password that you signed in with was made for you. Choose your own to go on.',
    'Das Passwort, mit dem Sie sich angemeldet haben, wurde für Sie erzeugt. Wählen Sie ein eigenes, um fortzufahren.',
  ],
  change: ['Change password', 'Passwort ändern'],
})
