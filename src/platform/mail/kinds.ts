/** Languages with templates. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** All mails, with their template values besides `service` and `email`. */
export const mailKinds = {
  recovery: ['link', 'minutes'],
  passwordChanged: [],
  factorChanged: [],
  recoveryCodeUsed: ['left'],
  newDevice: [],
  erasureScheduled: ['date'],
  erasureOfDisabled: ['date'],
  erased: [],
  verify: ['link', 'hours'],
  signUpExisting: [],
  emailChange: ['link', 'hours'],
  emailChangeOld: ['link', 'hours'],
  emailChanged: ['link', 'days'],
  emailSet: [],
  invitation: ['link', 'days'],
  organizationInvitation: ['link', 'organization', 'date'],
  test: [],
} as const satisfies Record<string, readonly string[]>

export type MailKind = keyof typeof mailKinds

/** Template values of a mail. */
export type MailValues<Kind extends MailKind> = Readonly<Record<(typeof mailKinds)[Kind][number], string>>
