import { once } from 'node:events'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { type MailWork, openMailWork } from '../../src/sign-in/open-issuer.ts'
import type { Service } from './service.ts'

export type { MailWork }

/** A mail as it arrived. */
export interface Received {
  /** The recipients of the envelope: who gets it, whatever the headers say. */
  readonly to: readonly string[]
  readonly from: string
  readonly isSecure: boolean
  readonly raw: string
  readonly mail: Email
}

export interface MailServer {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** Connections so far. */
  connections(): number
  stop(): Promise<void>
}

/** A true SMTP server on loopback, without authentication, and without STARTTLS unless `options` say so. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        const to = rcptTo.map(({ address }) => address)
        received.push({ to, from, isSecure: session.secure, raw: raw.toString(), mail: await PostalMime.parse(raw) })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined) // a client that ends the connection is part of the tests
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `smtp://127.0.0.1:${port}`, port, received, connections: () => connections, stop }
}

/** The same for one test. */
export async function mailServerForTest(options?: SMTPServerOptions): Promise<MailServer> {
  const server = await startMailServer(options)
  onTestFinished(() => server.stop())
  return server
}

/** Settings of a service that sends to this server. */
export function mailSettings({ url }: Pick<MailServer, 'url'>): Readonly<Record<string, string>> {
  return { MUSTER_SMTP_URL: url, MUSTER_MAIL_FROM: 'Muster <muster@corp.example>', MUSTER_SMTP_TLS: 'none' }
}

/** What the mail loop of a node repeats, by hand: `run` handles the requests that wait and sends the due mails. In process. */
export function mailWorkOf({ parts, config }: Pick<Service, 'parts' | 'config'>): Promise<MailWork> {
  if (!parts.issuer || !config.mail) throw new Error('the service sends no mail')
  return openMailWork(parts.issuer, config.mail, { log: parts.log })
}

/** The token of the link in a mail. */
export function tokenIn({ mail }: Pick<Received, 'mail'>): string {
  const [, token = ''] = /#token=([\w-]+)/.exec(mail.text ?? '') ?? []
  return token
}

/** Sends the mails that are due, and returns the token of the newest link that `email` got. Fails if it got none. */
export async function lastLinkTo(
  email: string,
  { received }: Pick<MailServer, 'received'>,
  work: Pick<MailWork, 'run'>,
): Promise<string> {
  await work.run()
  const token = received
    .filter(({ to }) => to.includes(email))
    .map(tokenIn)
    .findLast((found) => found !== '')
  if (!token) throw new Error(`no link was mailed to ${email}`)
  return token
}

/** As if so much time had passed for everything that waits to be sent. */
export async function passMailTime(service: Pick<Service, 'sql'>, seconds: number): Promise<void> {
  await service.sql(
    `update mail_outbox set next_at = next_at - make_interval(secs => $1), expires_at = expires_at - make_interval(secs => $1)
     where given_up_at is null`,
    [seconds],
  )
  await service.sql(`update mail_request set created_at = created_at - make_interval(secs => $1)`, [seconds])
}
