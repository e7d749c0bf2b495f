import { lockAccount } from '../../identity/lock-account.ts'
import { type AuditOrigin, recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { normalizeEmail } from '../../platform/email.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import { mailCaller, type NewMail, networkHashes, type Outbox } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { Client } from '../sessions/client.ts'
import { createAccountLink, linkTo, type RecoveryPurpose } from './account-links.ts'

export interface NewRecoveryLink {
  readonly accountId: string
  /** Whether the link also removes the second factors, which the owner has lost. */
  readonly resetsFactors: boolean
  /** Default: one day. */
  readonly lifeSeconds?: number
  /** The account that creates the link. Absent for the CLI. */
  readonly actorId?: string
  readonly origin?: AuditOrigin
  /** The normalized email that the link is mailed to. */
  readonly mailedTo?: string | undefined
}

export interface RecoveryLink {
  /** Contains the token. It is displayed once, and gives access to the account. */
  readonly link: string
  readonly expiresAt: Date
}

const daySeconds = 86_400

/**
 * Creates a link for choosing a new password. The current password works until the link is used. Call it in a
 * transaction. Problem: `password_missing`.
 */
export async function createRecoveryLink(
  rows: Rows,
  linkUrl: string,
  { accountId, resetsFactors, lifeSeconds = daySeconds, actorId, origin, mailedTo }: NewRecoveryLink,
): Promise<RecoveryLink> {
  const purpose: RecoveryPurpose = resetsFactors ? 'recovery_reset_factors' : 'recovery'
  const made = await createAccountLink(rows, { accountId, purpose, lifeSeconds, createdBy: actorId, address: mailedTo })
  const { token, expiresAt } =
    made ?? refuse('password_missing', { detail: 'The account signs in with another issuer. Recover it there.' })
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(rows, {
    action: 'recovery.link_created',
    actorId,
    target,
    ...origin,
    details: { resetsFactors, isMailed: mailedTo !== undefined },
  })
  return { link: linkTo(linkUrl, token, purpose), expiresAt }
}

/**
 * Creates a recovery link for an administrator. If the service sends mail, the owner gets the link by mail and the
 * result is `undefined`. Call it in a transaction. Problems: `password_missing`; `email_unproved` if the link would be
 * mailed.
 */
export async function createOrMailRecoveryLink(
  issuer: BuiltInIssuer,
  rows: Rows,
  wanted: NewRecoveryLink,
): Promise<RecoveryLink | undefined> {
  const { outbox, settings } = issuer
  const [owner] = outbox ? await rows.query<MailedOwner>(mailedOwnerStatement, [wanted.accountId]) : []
  // Without a password there is no owner row, and `createRecoveryLink` rejects.
  if (!outbox || !owner) return createRecoveryLink(rows, settings.linkUrl, wanted)
  const { to, language, isProved } = owner
  if (!isProved)
    refuse('email_unproved', {
      detail: 'Anyone may have signed up with this email. An operator can create a link on the command line.',
    })
  const caller = wanted.actorId === undefined ? undefined : mailCaller('account', wanted.actorId)
  await mailRecoveryLink(issuer, rows, outbox, { ...wanted, to, language, caller })
  return undefined
}

interface MailedOwner {
  readonly to: string
  readonly language: Language | null
  readonly isProved: boolean
}

const mailedOwnerStatement = {
  name: 'recovery_owner',
  text: `
select c.email as "to", a.language, a.is_email_proved as "isProved"
from account a join credential c on c.account_id = a.id
where a.id = $1`,
}

/** Lifetime of a mailed link. It is short, because others may be able to read the mailbox. */
const mailedSeconds = 1_800

/**
 * Maximum number of requests per network and hour, and of mails per account. Beyond it nothing is sent, and the
 * response is the same.
 */
const limits = { requestsOfNetwork: 10, mailsInHour: 3, mailsInDay: 10 } as const

/**
 * Queues a recovery request without reading the account, so that response, timing and writes are the same for known and
 * unknown emails.
 * Problem: `mail_unconfigured`.
 */
export async function requestRecovery(
  { database, outbox }: BuiltInIssuer,
  email: string,
  client: Client,
): Promise<void> {
  if (!outbox) refuse('mail_unconfigured', { detail: 'Ask an administrator for a link.' })
  await database.query(requestStatement, [normalizeEmail(email), ...networkHashes(client)])
}

/** Handles all queued requests: puts a mail in the outbox for each email that has an account. */
export async function mailRecoveryLinks(issuer: BuiltInIssuer): Promise<void> {
  const { outbox } = issuer
  if (!outbox) return
  const handleNext = () => issuer.database.transaction((rows) => mailNextLink(issuer, outbox, rows))
  while (await handleNext());
}

interface MailedLink extends NewRecoveryLink, Pick<NewMail<'recovery'>, 'to' | 'language' | 'caller'> {}

/** Creates a link and puts it in the outbox. Call it in a transaction. Problem: `password_missing`. */
export async function mailRecoveryLink(
  { settings }: Pick<BuiltInIssuer, 'settings'>,
  rows: Rows,
  outbox: Outbox,
  { to, language, caller, ...wanted }: MailedLink,
): Promise<void> {
  const life = { lifeSeconds: mailedSeconds, mailedTo: to }
  const { link } = await createRecoveryLink(rows, settings.linkUrl, { ...wanted, ...life })
  const values = { link, minutes: String(mailedSeconds / 60) }
  const { accountId } = wanted
  const mail = { kind: 'recovery', to, language, values, caller, accountId, lifeSeconds: mailedSeconds } as const
  await outbox.put(rows, mail)
}

interface PendingRequest {
  readonly id: string
  readonly email: string
  readonly caller: Buffer | null
  readonly requestsOfNetwork: number
}

/** Returns false if there is no request that no other node is handling. */
async function mailNextLink(issuer: BuiltInIssuer, outbox: Outbox, rows: Rows): Promise<boolean> {
  const [request] = await rows.query<PendingRequest>(takeStatement, [])
  if (!request) return false
  if (request.requestsOfNetwork > limits.requestsOfNetwork) return true
  const [owner] = await rows.query<Owner>(ownerStatement, [request.email])
  if (!owner) return true
  const { accountId, language } = owner
  await lockAccount(rows, accountId)
  const [mails] = await rows.query<Mails>(mailsStatement, [accountId])
  if (!mails || mails.hour >= limits.mailsInHour || mails.day >= limits.mailsInDay) return true
  await rows.query(countStatement, [request.id, accountId])
  const wanted = { accountId, resetsFactors: false, to: request.email, language, caller: request.caller ?? undefined }
  await mailRecoveryLink(issuer, rows, outbox, wanted)
  return true
}

interface Owner {
  readonly accountId: string
  readonly language: Language | null
}

interface Mails {
  readonly hour: number
  readonly day: number
}

const requestStatement = {
  name: 'recovery_request',
  text: `insert into mail_request (email, network, caller) values ($1, $2, $3)`,
}

/** Removes the email from the handled request. */
const takeStatement = {
  name: 'recovery_request_take',
  text: `
with request as (
  select id, email, network, created_at from mail_request
  where email is not null order by created_at limit 1 for update skip locked
)
update mail_request r set email = null
from request
where r.id = request.id
returning request.id, request.email, r.caller, (
  select count(*)::int from mail_request other
  where other.network = request.network and other.purpose is null and other.created_at > request.created_at - interval '1 hour'
    and other.created_at <= request.created_at) as "requestsOfNetwork"`,
}

const ownerStatement = {
  name: 'recovery_request_owner',
  text: `
select a.id as "accountId", a.language
from credential c join account a on a.id = c.account_id
where c.email = $1 and a.disabled_at is null`,
}

const mailsStatement = {
  name: 'recovery_request_mails',
  text: `
select count(*) filter (where created_at > now() - interval '1 hour')::int as hour, count(*)::int as day
from mail_request where account_id = $1 and purpose is null and created_at > now() - interval '1 day'`,
}

const countStatement = {
  name: 'recovery_request_count',
  text: `update mail_request set account_id = $2 where id = $1`,
}
