import { errorCode } from '../error-code.ts'
import type { MailSettings } from './settings.ts'

/** One mail as it is sent. */
export interface Message {
  /** The id of the row of the outbox: a mail that is sent again after a lost answer has the same Message-ID. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly language: string
}

/** Why a mail was not taken. */
export interface MailFault {
  /** Code of the error, and the number that the server answered; never its text, which may contain the address. */
  readonly code: string
  /** The server refuses this mail, and will do so again. */
  readonly isFinal: boolean
}

export interface Transport {
  /** Resolves to what went wrong, or to `undefined`. */
  send(message: Message): Promise<MailFault | undefined>
  /** Connects and signs in, and sends nothing. */
  check(): Promise<MailFault | undefined>
  close(): void
}

/** Connections to the mail server. */
export const transportConnections = 2

const connectMs = 10_000
const silenceMs = 30_000

/** Loads the library: only services that send mail pay for it. */
export async function openTransport(settings: MailSettings): Promise<Transport> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...serverOptions(settings), pool: true })
  const { from } = settings
  return {
    send: ({ id, to, subject, text, html, language }) =>
      faultOf(
        transport.sendMail({
          from,
          // An object: of a text with a comma the library makes two recipients.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
        }),
      ),
    check: () => faultOf(transport.verify()),
    close: () => transport.close(),
  }
}

function serverOptions({ url, tls }: MailSettings) {
  const { protocol, hostname, port, username, password } = new URL(url.open())
  const isSecure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && tls === 'required',
    ignoreTLS: tls === 'none',
    // Who may fall back to clear text gains nothing by refusing a certificate.
    tls: { rejectUnauthorized: isSecure || tls === 'required' },
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    maxConnections: transportConnections,
    maxRequeues: 0, // the outbox decides what is sent again
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

async function faultOf(sending: Promise<unknown>): Promise<MailFault | undefined> {
  try {
    await sending
    return undefined
  } catch (error) {
    return describe(error)
  }
}

function describe(error: unknown): MailFault {
  const name = errorCode(error) ?? 'unknown'
  const answer = answerOf(error)
  // Of the recipient or the content; a refused sign-in is a fault of the settings, which an operator corrects.
  const isFinal = (name === 'EENVELOPE' || name === 'EMESSAGE') && answer !== undefined && answer >= 500
  return { code: answer === undefined ? name : `${name} ${answer}`, isFinal }
}

/** The number that the server answered. */
function answerOf(error: unknown): number | undefined {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : undefined
}
