import { defineTexts } from '../texts/texts.ts'

export const invitationTexts = defineTexts({
  en: {
    title: 'Join an organisation',
    what: 'You were invited to an organisation. When you join, its owners see your e-mail address, and you get what its roles and plan grant.',
    as: 'You join as {email}.',
    asIssuer: 'You join with your account of {title}.',
    another: 'Is that not you? Sign out first, and open the link again.',
    join: 'Join the organisation',
    joined: 'You are a member of “{name}”.',
    refused: 'You have not joined.',
    invalid: 'The invitation is not valid any more',
    invalidWhy: 'It has expired, was used, or was revoked. Ask the person who invited you for a new one.',
    already: 'You are a member already',
    alreadyWhy: 'The invitation is as good as before: the person who invited you can give it to someone else.',
    missing: 'This page needs a link',
    missingWhy: 'Open the link that you were given, from its beginning to its end.',
    toOrganizations: 'To your organisations',
  },
  de: {
    title: 'Einer Organisation beitreten',
    what: 'Sie wurden in eine Organisation eingeladen. Wenn Sie beitreten, sehen ihre Inhaber Ihre E-Mail-Adresse, und Sie erhalten, was ihre Rollen und ihr Tarif gewähren.',
    as: 'Sie treten als {email} bei.',
    asIssuer: 'Sie treten mit Ihrem Konto von {title} bei.',
    another: 'Sind Sie das nicht? Melden Sie sich zuerst ab, und öffnen Sie den Link dann noch einmal.',
    join: 'Der Organisation beitreten',
    joined: 'Sie sind Mitglied von „{name}“.',
    refused: 'Sie sind nicht beigetreten.',
    invalid: 'Die Einladung gilt nicht mehr',
    invalidWhy:
      'Sie ist abgelaufen, wurde benutzt oder zurückgezogen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
    already: 'Sie sind schon Mitglied',
    alreadyWhy: 'Die Einladung gilt weiter: Wer Sie eingeladen hat, kann sie jemand anderem geben.',
    missing: 'Diese Seite braucht einen Link',
    missingWhy: 'Öffnen Sie den Link, den Sie bekommen haben, von Anfang bis Ende.',
    toOrganizations: 'Zu Ihren Organisationen',
  },
})
