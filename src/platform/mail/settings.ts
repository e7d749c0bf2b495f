import { emailFault, withAsciiDomain } from '../email.ts'
import type { Secret } from '../secret.ts'
import type { SettingsReader } from '../settings.ts'
import { type Language, languages } from './kinds.ts'

interface FromAddress {
  readonly name: string
  readonly address: string
}

export interface MailSettings {
  /** May contain a password. */
  readonly url: Secret
  readonly from: FromAddress
  readonly tls: 'required' | 'opportunistic' | 'none'
  readonly language: Language
  /** Folder of the operator's own templates. */
  readonly folder: string | undefined
  readonly perHourMax: number
}

/** Returns `undefined` if no mail server is configured. Then the service sends no mail. */
export function readMailSettings(read: SettingsReader, { isIssuerEnabled = true } = {}): MailSettings | undefined {
  const url = read.secret(
    'MUSTER_SMTP_URL',
    'Mail server: smtp://user:password@host:587, or smtps://… for implicit TLS. Without it, the service sends no mail. See docs/mail.md.',
    smtpUrlFault,
  )
  const from = read.text(
    'MUSTER_MAIL_FROM',
    'Sender of all mails: address, or Name <address>. Required with MUSTER_SMTP_URL.',
    '',
  )
  const settings = {
    // Mails contain links that give access to accounts.
    tls: read.oneOf(
      'MUSTER_SMTP_TLS',
      'STARTTLS for smtp://: required with a verified certificate, opportunistic, or none.',
      ['required', 'opportunistic', 'none'],
      'required',
    ),
    language: read.oneOf(
      'MUSTER_MAIL_LANGUAGE',
      'Language of mails to users who have not chosen one.',
      languages,
      'en',
    ),
    folder:
      read.text('MUSTER_MAIL_DIR', 'Folder with your own mail templates, which replace the built-in ones.', '') ||
      undefined,
    // Prevents abuse of the service for spam, by requesting links for many addresses.
    perHourMax: read.integer(
      'MUSTER_MAILS_PER_HOUR',
      'Maximum mails per hour for all nodes. More have to wait. One user or network can cause at most 5 % of them.',
      {
        fallback: 1_000,
        min: 1,
        max: 10_000_000,
      },
    ),
  }
  const sender = senderOf(from)
  if (from !== '' && !sender) read.faults.push('MUSTER_MAIL_FROM must be an address, or Name <address>.')
  if (url && from === '') read.faults.push('MUSTER_MAIL_FROM is required with MUSTER_SMTP_URL.')
  if (url && !isIssuerEnabled)
    read.faults.push('MUSTER_SMTP_URL has no effect without the built-in issuer: all mails are for its users.')
  return url && sender && { url, from: sender, ...settings }
}

/** URL of the mail server without user and password, for display. */
export function serverOf({ url }: Pick<MailSettings, 'url'>): string {
  const { protocol, hostname, port } = new URL(url.open())
  return `${protocol}//${hostname}${port && `:${port}`}`
}

function smtpUrlFault(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url?.hostname || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:'))
    return 'must be an address such as smtp://user:password@mail.example.com:587.'
  if ((url.pathname !== '' && url.pathname !== '/') || url.search || url.hash)
    return 'must have no path, no query and no fragment.'
  return isEncoded(url.username) && isEncoded(url.password)
    ? undefined
    : 'has a user or a password that is not percent-encoded.'
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

function senderOf(text: string): FromAddress | undefined {
  const [, name = '', bracketed] = /^([^<>"\p{C}]*)<([^<>]+)>$/u.exec(text) ?? []
  const address = bracketed ?? text
  return emailFault(address) === undefined ? { name: name.trim(), address: withAsciiDomain(address) } : undefined
}
