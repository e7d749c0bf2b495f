import { defineTexts } from '../texts/texts.ts'

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
