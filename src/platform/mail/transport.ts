import { errorCode } from '../error-code.ts'
import type { MailSettings } from './settings.ts'

interface Message {
  /** ID of the outbox row. Part of the Message-ID, which stays the same if the mail is sent again. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly language: string
}

/** Why the mail server did not accept a mail. */
export interface MailFault {
  /** Error code and SMTP status code. Never the server's text, which may contain the address. */
  readonly code: string
  /** True if a retry would fail too. */
  readonly isFinal: boolean
}

export interface Transport {
  /** Returns the fault, or `undefined` on success. Never rejects. */
  send(message: Message): Promise<MailFault | undefined>
  /** Connects and authenticates without sending a mail. */
  check(): Promise<MailFault | undefined>
  close(): void
}

/** Maximum number of connections to the mail server. */
export const transportConnections = 2

const connectMs = 10_000
const idleTimeoutMs = 30_000

/** Loads nodemailer on demand, because many services send no mail. */
export async function openTransport(settings: MailSettings): Promise<Transport> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...serverOptions(settings), pool: true })
  const { from } = settings
  return {
    send: ({ id, to, subject, text, html, language }) =>
      faultOf(
        transport.sendMail({
          from,
          // An object, because the library splits a string at commas into several recipients.
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
    // With opportunistic TLS, rejecting a certificate would only fall back to plain text.
    tls: { rejectUnauthorized: isSecure || tls === 'required' },
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    maxConnections: transportConnections,
    maxRequeues: 0, // the outbox decides what is sent again
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: idleTimeoutMs,
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
  const status = statusOf(error)
  // Recipient or content rejected. Failed authentication is not final, because an operator can correct the settings.
  const isFinal = (name === 'EENVELOPE' || name === 'EMESSAGE') && status !== undefined && status >= 500
  return { code: status === undefined ? name : `${name} ${status}`, isFinal }
}

/** SMTP status code of the server's response. */
function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : undefined
}
