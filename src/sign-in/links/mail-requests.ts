import type { Rows } from '../../platform/database/database.ts'
import { normalizeEmail } from '../../platform/email.ts'
import { networkHashes, type Outbox } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { Client } from '../sessions/client.ts'
import { mailRequestedRecovery } from './recovery-links.ts'
import { mailSignUpLink } from './sign-up-links.ts'

/**
 * Requests for a mail to an email that may have no account. They are queued without looking for an account, so that
 * response, timing and writes are the same for every email.
 */

/** Maximum number of requests per network and hour. Beyond it nothing is sent, and the response is the same. */
const requestsOfNetworkMax = 10

/** Queues a request for a recovery link. Problem: `mail_unconfigured`. */
export async function requestRecovery(issuer: BuiltInIssuer, email: string, client: Client): Promise<void> {
  if (!issuer.outbox) refuse('mail_unconfigured', { detail: 'Ask an administrator for a link.' })
  await queue(issuer.database, 'recovery', email, client)
}

/** Queues a request for a sign-up link. */
export async function requestSignUp({ database }: BuiltInIssuer, email: string, client: Client): Promise<void> {
  await queue(database, 'sign_up', email, client)
}

async function queue(rows: Rows, purpose: MailRequest['purpose'], email: string, client: Client): Promise<void> {
  await rows.query(queueStatement, [purpose, normalizeEmail(email), ...networkHashes(client)])
}

interface MailRequest {
  readonly purpose: 'recovery' | 'sign_up'
  readonly id: string
  readonly email: string
  readonly caller: Buffer | null
  readonly requestsOfNetwork: number
}

/** Handles all queued requests: puts their mails in the outbox. */
export async function handleMailRequests(issuer: BuiltInIssuer): Promise<void> {
  const { outbox } = issuer
  if (!outbox) return
  const handleNext = () => issuer.database.transaction((rows) => handleRequest(issuer, outbox, rows))
  while (await handleNext());
}

/** Returns false if there is no request that no other node is handling. */
async function handleRequest(issuer: BuiltInIssuer, outbox: Outbox, rows: Rows): Promise<boolean> {
  const [request] = await rows.query<MailRequest>(takeStatement, [])
  if (!request) return false
  if (request.requestsOfNetwork > requestsOfNetworkMax) return true
  const { id, email, caller } = request
  const mail = request.purpose === 'recovery' ? mailRequestedRecovery : mailSignUpLink
  await mail(issuer, rows, outbox, { id, email, caller: caller ?? undefined })
  return true
}

const queueStatement = {
  name: 'mail_request_queue',
  text: `insert into mail_request (purpose, email, network, caller) values ($1, $2, $3, $4)`,
}

/** Removes the email from the handled request. */
const takeStatement = {
  name: 'mail_request_take',
  text: `
with request as (
  select id, purpose, email, network, created_at from mail_request
  where email is not null order by created_at limit 1 for update skip locked
)
update mail_request r set email = null
from request
where r.id = request.id
returning request.purpose, request.id, request.email, r.caller, (
  select count(*)::int from mail_request other
  where other.network = request.network and other.purpose = request.purpose
    and other.created_at > request.created_at - interval '1 hour' and other.created_at <= request.created_at
  ) as "requestsOfNetwork"`,
}
